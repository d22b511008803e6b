import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { controlClient } from '../support/control-client.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { spawnServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { initiateIris, irisRequestOf } from '../support/test-scoped-simulator.ts'

const LIMIT = 12
const postgres = await startPostgres(`-c fsync=off -c max_connections=${LIMIT} -c superuser_reserved_connections=1`)
afterAll(() => postgres?.remove())

/** Address with a user who gets none of the connections that are reserved for administrators. */
const storeOfUser = async (): Promise<string> => {
  const admin = new pg.Client(postgres?.url)
  await admin.connect()
  const url = await createPostgresSchema(postgres?.url ?? '')
  const schema = /s_[0-9a-f]+/.exec(url)?.[0]
  await admin.query('CREATE ROLE guest LOGIN').catch(() => undefined)
  await admin.query(`GRANT ALL ON SCHEMA ${schema} TO guest`)
  await admin.end()
  return url.replace('assay@', 'guest@')
}

/** Takes every connection that is left, as often as asked, and gives them back: at the end of the test, if not before. */
const connectionTaker = (url: string) => {
  const taken: pg.Client[] = []
  const giveBack = async (): Promise<void> =>
    void (await Promise.all(taken.splice(0).map(client => client.end().catch(() => undefined))))
  onTestFinished(giveBack)
  const takeAll = async (): Promise<void> => {
    for (;;) {
      const client = new pg.Client(url)
      client.on('error', () => undefined)
      const isTaken = await client.connect().then(
        () => true,
        () => false,
      )
      if (!isTaken) return
      taken.push(client)
    }
  }
  return { takeAll, giveBack }
}

/** Creates organizations and registers endpoints at once, each kind one after the other among all replicas. */
const takeTurnsUnderLocks = async (simulator: TestSimulator, each: number) => {
  const ask = controlClient(simulator)
  const numbers = Array.from({ length: each }, (_, at) => at)
  const all = await Promise.all([
    ...numbers.map(() => ask('POST', 'organizations', {})),
    ...numbers.map(nth => ask('POST', 'organizations/demo-merchant/webhooks', { url: `http://127.0.0.1:9/${nth}` })),
  ])
  return all.map(({ status }) => status)
}

describe.skipIf(postgres === undefined)('PostgreSQL that has no connection left (D-114)', () => {
  test('--store-connections limits a replica; calls share what it has, and readiness tells whether any is had', async () => {
    const store = await storeOfUser()
    const simulator = await startTestSimulator({ store, storeConnections: 4, maxOrganizations: 600 })
    onTestFinished(simulator.stop)
    const merchant = createMerchant(simulator.credentials)
    onTestFinished(merchant.close)
    const ready = async () => (await fetch(simulator.healthUrl.replace('/health', '/ready'))).status
    const admin = new pg.Client(postgres?.url)
    await admin.connect()
    onTestFinished(() => admin.end())
    const ours = async (name: string) =>
      (await admin.query('SELECT pid FROM pg_stat_activity WHERE application_name = $1', [name])).rows as {
        pid: number
      }[]
    await initiateIris(merchant)
    const many = () => Promise.all(Array.from({ length: 8 }, () => merchant.initiate(irisRequestOf(merchant))))

    expect((await many()).map(({ status }) => status)).toEqual(Array(8).fill(200))
    const had = (await ours('assay')).length
    expect(had).toBeGreaterThan(1)
    expect(had).toBeLessThanOrEqual(4)

    const terminate = async (pids: { pid: number }[]) => {
      for (const { pid } of pids) await admin.query('SELECT pg_terminate_backend($1)', [pid])
    }

    // One connection of its own is all that is left for it: calls take turns.
    const [, ...others] = await ours('assay')
    await terminate(others)
    const { takeAll, giveBack } = connectionTaker(store)
    await takeAll()
    expect((await many()).map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await ready()).toBe(200)
    expect(await takeTurnsUnderLocks(simulator, 1)).toEqual([201, 201])

    // Not even that one, which the sandbox takes again where it has something to tell other replicas just then.
    const takeLast = async () => {
      await terminate(await ours('assay'))
      await takeAll()
      return ready()
    }
    await expect.poll(takeLast).toBe(503)
    const waiting = merchant.initiate(irisRequestOf(merchant))
    await giveBack()
    expect((await waiting).status).toBe(200)
    await expect.poll(ready).toBe(200)
  })

  test('with the fewest connections that are permitted, calls that take turns among replicas are served', async () => {
    const simulator = await startTestSimulator({
      store: await storeOfUser(),
      storeConnections: 2,
      maxOrganizations: 600,
    })
    onTestFinished(simulator.stop)
    expect(await takeTurnsUnderLocks(simulator, 4)).toEqual(Array(8).fill(201))
  })

  test('a start without any ends with one sentence, after it has waited for one', async () => {
    const store = await storeOfUser()
    await connectionTaker(store).takeAll()
    const argv = ['--data-dir', temporaryFolder(), '--api-port', '0', '--pages-port', '0', '--store', store]
    const { said, ended } = spawnServe(argv)
    expect({ code: await ended, ...said }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^\S.* has no connection left for this user: end some, or raise max_connections .*\.\n$/,
      ),
    })
  })
})
