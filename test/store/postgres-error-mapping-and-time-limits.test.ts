import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, onTestFinished, type TestContext, test } from 'vitest'
import { createErrorReporter } from '../../simulator/startup/error-reporter.ts'
import {
  describePostgresError,
  isSafeToRetry,
  toPostgresStartError,
} from '../../simulator/store/postgres/database-errors.ts'
import { openPool } from '../../simulator/store/postgres/pool.ts'
import { connectionTo } from '../../simulator/store/postgres/server-connections.ts'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import { openTcpProxy, type TcpProxy } from '../outages/tcp-proxy.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { pollUntil } from '../support/poll-until.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { writeInUnit } from './run-unit-of-work.ts'
import { change, organization, payment } from './sample-records.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

const code = (name: string) => Object.assign(new Error('said in the language of the server'), { code: name })

const AWAY = 'PostgreSQL cannot be reached'
const LOCKED = 'PostgreSQL keeps a statement waiting too long'
const CROWDED = 'PostgreSQL has no connection left'
const FAILING = 'The disk of PostgreSQL fails'
const DAMAGED = 'The database in PostgreSQL is damaged'
const NO_DATABASE = 'PostgreSQL has no such database'
const CERTIFICATE = 'PostgreSQL shows a TLS certificate that cannot be verified'

describe('errors of PostgreSQL, the network and the driver are described and retried by their codes (D-114)', () => {
  // biome-ignore format: a table reads by its columns
  test.each([
    // what                                error                                                                    message,   retried before, after COMMIT was sent
    ['a connection that is reset',         code('ECONNRESET'),                                                      AWAY,      true,   false],
    ['a connection that is closed',        code('EPIPE'),                                                           AWAY,      true,   false],
    ['an end by an administrator',         code('57P01'),                                                           AWAY,      true,   false],
    ['a crash',                            code('57P02'),                                                           AWAY,      true,   false],
    ['silence in a transaction',           code('25P03'),                                                           AWAY,      true,   false],
    ['silence between transactions',       code('57P05'),                                                           AWAY,      true,   false],
    ['a transaction that takes too long',  code('25P04'),                                                           AWAY,      true,   false],
    ['a connection that fails',            code('08006'),                                                           AWAY,      true,   false],
    ['a connection that is not there',     code('08003'),                                                           AWAY,      true,   false],
    ['nobody who listens',                 code('ECONNREFUSED'),                                                    AWAY,      false, false],
    ['an answer that does not come',       code('ETIMEDOUT'),                                                       AWAY,      false, false],
    ['no way to the host',                 code('EHOSTUNREACH'),                                                    AWAY,      false, false],
    ['no way to the network',              code('ENETUNREACH'),                                                     AWAY,      false, false],
    ['a name that is none',                code('ENOTFOUND'),                                                       AWAY,      false, false],
    ['a name that is not told',            code('EAI_AGAIN'),                                                       AWAY,      false, false],
    ['a start that is not over',           code('57P03'),                                                           AWAY,      false, false],
    ['a statement that takes too long',    code('57014'),                                                           LOCKED,    false, false],
    ['a lock that takes too long',         code('55P03'),                                                           LOCKED,    false, false],
    ['no socket of that name',             Object.assign(code('ENOENT'), { syscall: 'connect' }),                   AWAY,      false, false],
    ['no file of that name',               Object.assign(code('ENOENT'), { syscall: 'open' }),                      undefined, false, false],
    ['a disk that fails',                  code('58030'),                                                           FAILING,   false, false],
    ['a table that is damaged',            code('XX001'),                                                           DAMAGED,   false, false],
    ['an index that is damaged',           code('XX002'),                                                           DAMAGED,   false, false],
    ['a database that was dropped',        code('57P04'),                                                           NO_DATABASE, false, false],
    ['a certificate of its own making',    code('DEPTH_ZERO_SELF_SIGNED_CERT'),                                     CERTIFICATE, false, false],
    ['one of an unknown authority',        code('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'),                               CERTIFICATE, false, false],
    ['one that has expired',               code('CERT_HAS_EXPIRED'),                                                CERTIFICATE, false, false],
    ['one of another host',                code('ERR_TLS_CERT_ALTNAME_INVALID'),                                    CERTIFICATE, false, false],
    ['too many connections',               code('53300'),                                                           CROWDED,   false, false],
    ['the driver: an end',                 new Error('Connection terminated unexpectedly'),                         AWAY,      true,   false],
    ['the driver: an end of ours',         new Error('Connection terminated'),                                      AWAY,      true,   false],
    ['the driver: a broken one',           new Error('Client has encountered a connection error and is not queryable'), AWAY,      true,  false],
    ['the driver: a closed one',           new Error('Client was closed and is not queryable'),                     AWAY,      true,   false],
    ['the driver: no connection in time',  new Error('Connection terminated due to connection timeout'),            AWAY,      false, false],
    ['the driver: none is free in time',   new Error('timeout exceeded when trying to connect'),                    AWAY,      false, false],
    ['the driver: none made in time',      new Error('timeout expired'),                                            AWAY,      false, false],
    ['the driver: no answer in time',      new Error('Query read timeout'),                                         AWAY,      false, false],
    ['a serialization failure',            code('40001'),                                                           undefined, true,   true],
    ['a deadlock',                         code('40P01'),                                                           undefined, true,   true],
    ['a row that is there already',        code('23505'),                                                           undefined, false, false],
    ['a statement that is none',           code('42601'),                                                           undefined, false, false],
    ['an error of ours',                   new Error('timeless'),                                                   undefined, false, false],
    ['nothing',                            undefined,                                                               undefined, false, false],
  ])('%s', (_, error, told, isRepeatedBefore, isRepeatedAfter) => {
    expect(describePostgresError(error)).toEqual(told && expect.stringMatching(new RegExp(`^${told}\\b.*: .+\\.$`)))
    expect([isSafeToRetry(error, false), isSafeToRetry(error, true)]).toEqual([isRepeatedBefore, isRepeatedAfter])
  })

  // biome-ignore format: a table reads by its columns
  test.each([
    ['is told',                                  'postgres://user:hush@db.example:5432/assay',  'PostgreSQL at db.example:5432 '],
    ['without a user too',                       'postgres://db.example/assay',                 'PostgreSQL at db.example '],
    ['is not where the password is not escaped', 'postgres://user:12#hush@db.example/assay',    'PostgreSQL at the given address '],
    ['is not where it is none',                  'postgres://',                                 'PostgreSQL at the given address '],
  ])('the address of --store %s, and never the password', (_, url, beginning) => {
    expect(toPostgresStartError(code('ECONNREFUSED'), url).message).toMatch(new RegExp(`^${beginning}cannot be reached`))
  })

  test('an error is reported in one sentence, at most once a minute', () => {
    const said: string[] = []
    const tell = createErrorReporter('/data', { error: (_, text = '') => said.push(text) }, () => 0)
    for (const name of ['57P01', 'ECONNREFUSED']) tell(code(name))
    tell(Object.assign(code('ENOENT'), { syscall: 'connect', address: '/run/postgresql/.s.PGSQL.5432' }))
    expect(said).toEqual([expect.stringMatching(/^PostgreSQL .* answered with 500, and their keys stay unused\.$/)])
  })
})

describe.skipIf(postgres === undefined)('time limits of PostgreSQL (D-114)', () => {
  test('every connection has its limits', async () => {
    const pool = openPool(postgres?.url ?? '', () => undefined)
    onTestFinished(() => pool.end())
    const rows = await pool.rows(sql`
      SELECT current_setting('statement_timeout') AS statement,
        current_setting('idle_in_transaction_session_timeout') AS silence`)
    expect(rows).toEqual([{ statement: '5s', silence: '5s' }])
    expect(connectionTo('', '')).toMatchObject({ connectionTimeoutMillis: 3_000, query_timeout: 6_000 })
  })

  const CONNECTIONS = 10

  /** Runs units of work, of so many organizations, that wait for a lock of another client; returns their errors. */
  const failures = async (
    { onTestFinished, task }: TestContext,
    count: number,
    organizations = 1,
    meanwhile: (line: TcpProxy) => void = () => undefined,
  ) => {
    const url = await createPostgresSchema(postgres?.url ?? '')
    const line = await openTcpProxy(postgres?.port ?? 0)
    const store = await openPostgresStore(url.replace(`:${postgres?.port}/`, `:${line.port}/`), () => undefined)
    const other = new pg.Client(url)
    await other.connect()
    onTestFinished(async () => {
      await other.end()
      line.mend()
      await store.close()
      line.close()
    })
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(advisory_key('payment ${task.id}'))`)
    const wait = (_: unknown, nth: number) =>
      store
        .transact({
          organizationId: `${task.id} ${nth % organizations}`,
          now: 0,
          needs: { transactionId: task.id },
          decide,
        })
        .then(
          () => 'done',
          (error: { code?: string; message: string }) => error.code ?? error.message,
        )
    const decide = () => ({ result: undefined })
    const ends = Array.from({ length: count }, wait)
    meanwhile(line)
    return new Set(await Promise.all(ends))
  }

  // biome-ignore format: a table reads by its columns
  const LIMITS: [string, (context: TestContext) => Promise<Set<string>>, string[]][] = [
    ['a lock',                          context => failures(context, 1),                     ['57014']],
    ['those of its organization before', context => failures(context, CONNECTIONS),          ['57014', '55P03']],
    ['a free connection',               context => failures(context, CONNECTIONS + 1, CONNECTIONS + 1), ['57014', 'timeout exceeded when trying to connect']],
    ['a response over a cut connection', context => failures(context, 1, 1, line => line.cut()), ['Query read timeout']],
  ]

  test.concurrent.for(LIMITS)('waiting for %s ends at its time limit', async ([_, fail, ends], context) => {
    context.expect(await fail(context)).toEqual(new Set(ends))
  })
})

/** Writes until a write waits for a standby, of which sessions learn later than of the setting; returns how to end it once it may. */
const untilWritesWait = async (other: pg.Client): Promise<() => Promise<void>> => {
  const probe = new pg.Client(postgres?.url)
  await probe.connect()
  let isWriting = false
  let write: Promise<unknown> = Promise.resolve()
  const writeAgain = () => {
    isWriting = true
    write = probe.query("SELECT pg_logical_emit_message(true, 'probe', 'x')").finally(() => {
      isWriting = false
    })
  }
  await pollUntil(
    async () => {
      if (!isWriting) writeAgain()
      return (await other.query("SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'")).rowCount ?? 0
    },
    waiting => waiting > 0,
  )
  return async () => {
    await write
    await probe.end()
  }
}

describe.skipIf(postgres === undefined)('a synchronous standby that is not there (D-114)', () => {
  test('is waited for up to the time limit, by a unit of work and by a statement', async () => {
    const store = await openPostgresStore(await createPostgresSchema(postgres?.url ?? ''), () => undefined)
    await store.addOrganization(organization('shop'))
    const other = new pg.Client(postgres?.url)
    await other.connect()
    const waitFor = async (names: string) => {
      await other.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
      await other.query('SELECT pg_reload_conf()')
      await pollUntil(
        async () => (await other.query('SHOW synchronous_standby_names')).rows[0],
        row => row.synchronous_standby_names === names,
      )
    }
    await waitFor('nobody')
    const endProbe = await untilWritesWait(other)
    const writes = [writeInUnit(store, { change: change(payment('t')) }), store.saveSetting('name', 'value')]
    const ends = await Promise.allSettled(writes)
    await waitFor('')
    await Promise.all([endProbe(), other.end(), store.close()])
    const timeout = expect.objectContaining({ message: 'Query read timeout' })
    expect(ends.map(end => end.status === 'rejected' && end.reason)).toEqual([timeout, timeout])
  })
})
