import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { storeOptionFor } from '../support/open-test-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { initiateIris, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const isOnPostgres = (await storeOptionFor('none')).store !== undefined
const backupOf = (pagesUrl: string, headers: HeadersInit = {}) => fetch(`${pagesUrl}/control/backup`, { headers })

test.skipIf(isOnPostgres)('a sandbox starts from a backup that was taken while payments were made', async () => {
  const simulator = await startScopedSimulator()
  const merchant = merchantOf(simulator)
  const before = await Promise.all(Array.from({ length: 50 }, () => initiateIris(merchant)))
  const [response, ...meanwhile] = await Promise.all([
    backupOf(simulator.pagesUrl),
    ...Array.from({ length: 50 }, () => initiateIris(merchant)),
  ])
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="assay.db"')
  const dataDir = temporaryFolder()
  const file = join(dataDir, 'assay.db')
  writeFileSync(file, Buffer.from(await response.arrayBuffer()))
  const database = new Database(file, { readonly: true })
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  database.close()
  expect(meanwhile).toHaveLength(50)

  const restored = await startScopedSimulator({ dataDir })
  const again = merchantOf(restored)
  expect(restored.kit.certificate).toBe(simulator.kit.certificate)
  for (const transactionId of before) expect((await again.status(transactionId)).status).toBe(200)
  await initiateIris(again)
})

test.skipIf(isOnPostgres)('a start removes a backup that was under way as the one before was killed', async () => {
  const dataDir = temporaryFolder()
  const left = ['assay.db-backup', 'assay.db-backup-journal']
  for (const name of left) writeFileSync(join(dataDir, name), 'half')
  await startScopedSimulator({ dataDir })
  expect(readdirSync(dataDir).filter(name => left.includes(name))).toEqual([])
})

test.skipIf(isOnPostgres)('one backup is made at a time, and none is left behind', async () => {
  const { pagesUrl, dataDir } = await startScopedSimulator()
  const responses = await Promise.all(Array.from({ length: 3 }, () => backupOf(pagesUrl)))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  await Promise.all(responses.map(response => response.arrayBuffer()))
  await expect.poll(async () => (await backupOf(pagesUrl)).status).toBe(200)
  await expect.poll(() => readdirSync(dataDir).filter(name => name.includes('backup'))).toEqual([])
})

test.skipIf(isOnPostgres).each(['HEAD', 'GET given up'])(
  '%s leaves no backup behind, and the next is made',
  async how => {
    const { pagesUrl, dataDir } = await startScopedSimulator()
    if (how === 'HEAD') {
      const head = request(`${pagesUrl}/control/backup`, { method: 'HEAD' }).end()
      const [response] = (await once(head, 'response')) as [IncomingMessage]
      expect(response.statusCode).toBe(200)
    } else await (await backupOf(pagesUrl)).body?.cancel()
    await expect.poll(() => readdirSync(dataDir).filter(name => name.includes('backup'))).toEqual([])
    expect((await backupOf(pagesUrl)).status).toBe(200)
  },
)

test.skipIf(!isOnPostgres)('a sandbox in PostgreSQL names the tool that backs it up', async () => {
  const { pagesUrl } = await startScopedSimulator()
  const response = await backupOf(pagesUrl)
  expect([response.status, await response.text()]).toEqual([409, expect.stringContaining('pg_dump')])
})

test('a backup is for the operator alone', async () => {
  const { pagesUrl, controlPlane } = await startScopedSimulator({ controlToken: 'hush' })
  const { token } = await controlPlane.controlTokens.create('demo-merchant', 'mine', 'admin')
  expect((await backupOf(pagesUrl)).status).toBe(401)
  expect((await backupOf(pagesUrl, { authorization: `Bearer ${token}` })).status).toBe(403)
})
