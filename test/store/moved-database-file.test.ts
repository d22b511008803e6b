import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createErrorReporter } from '../../simulator/startup/error-reporter.ts'
import { organizationControl } from '../support/control-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import {
  initiateIris,
  irisRequestOf,
  merchantOf,
  merchantWith,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

/** Starts a sandbox with one payment, and collects its error messages. */
const inUse = async () => {
  const dataDir = join(temporaryFolder(), 'data')
  let said = ''
  const onError = createErrorReporter(dataDir, {
    error: (_, text = '') => {
      said += text
    },
  })
  const simulator = await startScopedSimulator({ dataDir }, { onError })
  const merchant = merchantOf(simulator)
  const before = await initiateIris(merchant)
  const pay = async () => {
    const { status } = await merchant.initiate(irisRequestOf(merchant), { idempotencyKey: 'the-key' })
    return status
  }
  return { simulator, merchant, before, dataDir, pay, said: () => said }
}

const SENTENCE = (dataDir: string): string =>
  `The database in ${dataDir} was moved or deleted while Assay runs: put it back, or stop Assay and start it again. ` +
  'Until then calls that would change something are answered with 500, and their keys stay unused.'

const deleted = (name: string) => (folder: string) => rmSync(join(folder, name))
const replaced = (folder: string) => {
  copyFileSync(join(folder, 'assay.db'), join(folder, 'copy.db'))
  renameSync(join(folder, 'copy.db'), join(folder, 'assay.db'))
}

test.each<[string, (folder: string) => void]>([
  ['the database was deleted', deleted('assay.db')],
  ['its WAL was deleted', deleted('assay.db-wal')],
  ['the folder was deleted', folder => rmSync(folder, { recursive: true })],
  ['another file took its place', replaced],
])('I3, D-112: when %s, writes fail with 500 and one sentence on stderr says why', async (_, damage) => {
  const { simulator, merchant, before, dataDir, pay, said } = await inUse()
  damage(dataDir)
  expect([await pay(), await pay(), (await merchant.status(before)).status]).toEqual([500, 500, 200])
  const control = organizationControl(simulator)
  expect((await control.advance('PT1M')).status).toBe(500)
  expect((await control.post('webhooks', { url: 'http://127.0.0.1:9/' })).status).toBe(500)
  expect(said()).toBe(SENTENCE(dataDir))
})

test('a folder that is moved back works again, and the key was not used up', async () => {
  const { merchant, dataDir, pay } = await inUse()
  renameSync(dataDir, `${dataDir}-away`)
  expect(await pay()).toBe(500)
  renameSync(`${dataDir}-away`, dataDir)
  expect([await pay(), await pay()]).toEqual([200, 200])
  const found = await merchant.search({})
  expect(found.ok && found.body.payments.length).toBe(2)
})

test('payments acknowledged before the WAL was deleted survive an orderly stop', async () => {
  const { simulator, before, dataDir, pay } = await inUse()
  deleted('assay.db-wal')(dataDir)
  expect(await pay()).toBe(500)
  await simulator.stop()
  const again = merchantWith(merchantOf(await startScopedSimulator({ dataDir })).credentials)
  expect((await again.status(before)).status).toBe(200)
})
