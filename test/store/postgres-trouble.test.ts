import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../simulator/store/port.ts'
import { connectionTo } from '../../simulator/store/postgres/open.ts'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import { leftNothing, troubleWithPostgres } from '../../simulator/store/postgres/trouble.ts'
import { createFaultTeller } from '../../simulator/tell-fault.ts'
import { type Line, openLine } from '../outages/line.ts'
import { byLot } from '../support/lot.ts'
import { startPostgres } from '../support/postgres.ts'
import { schemaFor } from '../support/schema.ts'
import { change, organization, payment, save } from './records.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

const code = (name: string) => Object.assign(new Error('said in the language of the server'), { code: name })

describe('what keeps PostgreSQL from its work, by the names that others give it (D-114)', () => {
  // biome-ignore format: a table reads by its columns
  test.each([
    // what                                error                                                                    told,  again before, after COMMIT was sent
    ['a connection that is reset',         code('ECONNRESET'),                                                      true,  true,  false],
    ['a connection that is closed',        code('EPIPE'),                                                           true,  true,  false],
    ['an end by an administrator',         code('57P01'),                                                           true,  true,  false],
    ['a crash',                            code('57P02'),                                                           true,  true,  false],
    ['silence in a transaction',           code('25P03'),                                                           true,  true,  false],
    ['a connection that fails',            code('08006'),                                                           true,  true,  false],
    ['a connection that is not there',     code('08003'),                                                           true,  true,  false],
    ['nobody who listens',                 code('ECONNREFUSED'),                                                    true,  false, false],
    ['an answer that does not come',       code('ETIMEDOUT'),                                                       true,  false, false],
    ['no way to the host',                 code('EHOSTUNREACH'),                                                    true,  false, false],
    ['no way to the network',              code('ENETUNREACH'),                                                     true,  false, false],
    ['a name that is none',                code('ENOTFOUND'),                                                       true,  false, false],
    ['a name that is not told',            code('EAI_AGAIN'),                                                       true,  false, false],
    ['a start that is not over',           code('57P03'),                                                           true,  false, false],
    ['a statement that takes too long',    code('57014'),                                                           true,  false, false],
    ['too many connections',               code('53300'),                                                           true,  false, false],
    ['the driver: an end',                 new Error('Connection terminated unexpectedly'),                         true,  true,  false],
    ['the driver: an end of ours',         new Error('Connection terminated'),                                      true,  true,  false],
    ['the driver: a broken one',           new Error('Client has encountered a connection error and is not queryable'), true, true, false],
    ['the driver: a closed one',           new Error('Client was closed and is not queryable'),                     true,  true,  false],
    ['the driver: no connection in time',  new Error('Connection terminated due to connection timeout'),            true,  false, false],
    ['the driver: none is free in time',   new Error('timeout exceeded when trying to connect'),                    true,  false, false],
    ['the driver: none made in time',      new Error('timeout expired'),                                            true,  false, false],
    ['the driver: no answer in time',      new Error('Query read timeout'),                                         true,  false, false],
    ['a serialization failure',            code('40001'),                                                           false, true,  true],
    ['a deadlock',                         code('40P01'),                                                           false, true,  true],
    ['a row that is there already',        code('23505'),                                                           false, false, false],
    ['a statement that is none',           code('42601'),                                                           false, false, false],
    ['an error of ours',                   new Error('timeless'),                                                   false, false, false],
    ['nothing',                            undefined,                                                               false, false, false],
  ])('%s', (_, error, isTold, isRepeatedBefore, isRepeatedAfter) => {
    expect(troubleWithPostgres(error)).toEqual(isTold ? expect.stringMatching(/^PostgreSQL (cannot|has) .+: (look|end) .+\.$/) : undefined)
    expect([leftNothing(error, false), leftNothing(error, true)]).toEqual([isRepeatedBefore, isRepeatedAfter])
  })

  test('is told in a sentence, once in a minute, with what callers see meanwhile', () => {
    const said: string[] = []
    const tell = createFaultTeller(
      '/data',
      text => said.push(text),
      () => 0,
    )
    for (const name of ['57P01', 'ECONNREFUSED']) tell(code(name))
    expect(said).toEqual([expect.stringMatching(/^PostgreSQL .* answered with 500, and their keys stay unused\.\n$/)])
  })
})

describe.skipIf(postgres === undefined)('how long PostgreSQL is waited for (D-114)', () => {
  test('every connection has its limits', async () => {
    const client = new pg.Client(connectionTo(postgres?.url ?? '', 'limits'))
    await client.connect()
    onTestFinished(() => client.end())
    const { rows } = await client.query(`
      SELECT current_setting('statement_timeout') AS statement,
        current_setting('idle_in_transaction_session_timeout') AS silence`)
    expect(rows).toEqual([{ statement: '5s', silence: '5s' }])
    expect(connectionTo('', '')).toMatchObject({ connectionTimeoutMillis: 3_000, query_timeout: 6_000 })
  })

  const CONNECTIONS = 10

  /** Units that want what somebody else has, and how they fail. */
  const failures = async (count: number, meanwhile: (line: Line) => void = () => undefined) => {
    const url = await schemaFor(postgres?.url ?? '')
    const line = await openLine(postgres?.port ?? 0)
    const store = await openPostgresStore(url.replace(`:${postgres?.port}/`, `:${line.port}/`), () => undefined)
    await store.addOrganization(organization('shop'))
    const other = new pg.Client(url)
    await other.connect()
    onTestFinished(async () => {
      await other.end()
      line.mend()
      await store.close()
      line.close()
    })
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('payment t', 0))`)
    const wait = () =>
      store.perform({ organizationId: 'shop', now: 0, needs: { transactionId: 't' }, decide }).then(
        () => 'done',
        (error: { code?: string; message: string }) => error.code ?? error.message,
      )
    const decide = () => ({ result: undefined })
    const ends = Array.from({ length: count }, wait)
    meanwhile(line)
    return new Set(await Promise.all(ends))
  }
  /** How a write ends that a standby has to confirm, where there is none. */
  const unconfirmed = async (write: (store: Store) => Promise<unknown>) => {
    const store = await openPostgresStore(await schemaFor(postgres?.url ?? ''), () => undefined)
    await store.addOrganization(organization('shop'))
    const other = new pg.Client(postgres?.url)
    await other.connect()
    const awaited = async (names: string) => {
      await other.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
      await other.query('SELECT pg_reload_conf()')
      await expect
        .poll(async () => (await other.query('SHOW synchronous_standby_names')).rows[0])
        .toEqual({
          synchronous_standby_names: names,
        })
    }
    await awaited('nobody')
    const end = await write(store).then(
      () => 'acknowledged',
      (error: Error) => error.message,
    )
    await awaited('')
    await other.end()
    await store.close()
    return new Set([end])
  }
  const unit = (store: Store) => save(store, { change: change(payment('t')) })
  const statement = (store: Store) => store.saveSetting('name', 'value')

  // biome-ignore format: a table reads by its columns
  const LIMITS = [
    ['a lock',                             () => failures(1),                     ['57014']],
    ['a free connection',                  () => failures(CONNECTIONS + 1),       ['57014', 'timeout exceeded when trying to connect']],
    ['an answer on a line that is cut',    () => failures(1, line => line.cut()), ['Query read timeout']],
    ['a standby that has a unit of work',  () => unconfirmed(unit),               ['Query read timeout']],
    ['a standby that has a statement',     () => unconfirmed(statement),          ['Query read timeout']],
  ] as const

  // Each takes as long as the limit: npm run proof.
  test.each(byLot(LIMITS, 0))('%s is waited for no longer than it is written', async (_, fail, ends) => {
    expect(await fail()).toEqual(new Set(ends))
  })
})
