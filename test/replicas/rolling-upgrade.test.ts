import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { readKit } from '../../contracts/client/credentials.ts'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { ROOT } from '../architecture/read-source-files.ts'
import { startSandboxProcess } from '../crash/sandbox-process.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { pollUntil } from '../support/poll-until.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { irisRequestOf } from '../support/test-scoped-simulator.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

const SCHEMA = 'simulator/store/postgres/schema-migrations.ts'
const git = (...argv: string[]) => execFileSync('git', argv, { cwd: ROOT, maxBuffer: 2 ** 28 })

/** The commit before the last that changed the schema; undefined without the history of the repository. */
const findVersionBefore = (): string | undefined => {
  try {
    return git('rev-parse', `${git('log', '-1', '--format=%H', '--', SCHEMA)}`.trim().concat('^'))
      .toString()
      .trim()
  } catch {
    return undefined
  }
}
const before = findVersionBefore()

/** Unpacks the sources of a commit, which run on the packages that are installed here; returns its command. */
const unpack = (commit: string): string => {
  const tree = temporaryFolder()
  execFileSync('tar', ['-x', '-C', tree], { input: git('archive', commit) })
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
  return join(tree, 'bin/assay.js')
}

describe.skipIf(postgres === undefined || before === undefined)('a rolling upgrade', () => {
  test('I3: a replica of the version before and one of this serve the same payments, keys and webhooks', async () => {
    const store = ['--store', await createPostgresSchema(postgres?.url ?? '')]
    const told: string[] = []
    const start = async (command?: string) => {
      const replica = await startSandboxProcess(temporaryFolder(), line => told.push(line), store, command)
      onTestFinished(replica.kill)
      const merchant = createMerchant(readKit(replica.kitFile))
      onTestFinished(merchant.close)
      return { ...replica, merchant }
    }
    const old = await start(unpack(before ?? ''))
    const first = await old.merchant.initiate(irisRequestOf(old.merchant), { idempotencyKey: 'first' })
    const next = await start()
    const replicas = [old, next]
    const idOf = (response: object) => (response as { body: { transactionId: string } }).body.transactionId

    for (const { merchant } of replicas) {
      expect((await merchant.status(idOf(first))).status, told.join('\n')).toBe(200)
      const again = await merchant.initiate(irisRequestOf(old.merchant), { idempotencyKey: 'other' })
      expect(again.status).toBe(200)
    }
    for (const key of ['a', 'b', 'c']) {
      const request = irisRequestOf(old.merchant)
      const same = await Promise.all(
        [...replicas, ...replicas].map(({ merchant }) => merchant.initiate(request, { idempotencyKey: key })),
      )
      expect(new Set(same.map(idOf)).size).toBe(1)
    }
    const control = (path: string) => `${next.pagesUrl}/control/organizations/demo-merchant/${path}`
    const post = (path: string, body: object) =>
      fetch(control(path), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await post('clock/drain', {})).status).toBe(200)
    for (const { merchant } of replicas)
      expect(await merchant.status(idOf(first))).toMatchObject({ body: { transactionId: idOf(first) } })
    const inbox = (await (await fetch(control('inbox'))).json()) as { webhooks?: object[] }
    expect(JSON.stringify(inbox)).toContain(idOf(first))
    await pollUntil(
      async () => (await (await fetch(control('journal'))).json()) as object,
      calls => JSON.stringify(calls).includes('"first"'), // of the other replica
    )

    await old.stop()
    expect((await next.merchant.initiate(irisRequestOf(next.merchant))).status).toBe(200)
    await next.stop()
    expect(told).toEqual([])
  }, 300_000)
})
