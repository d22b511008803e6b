import pg from 'pg'
import sql, { raw, type Sql } from 'sql-template-tag'
import { StartError } from '../../start-error.ts'
import { MIGRATIONS } from './schema.ts'
import { readText, writable } from './texts.ts'
import { leftNothing, startErrorWithPostgres } from './trouble.ts'

/** Takes statements, and sends each at once, in the order of asking: who asks for several waits for one round trip. */
export type Db = {
  rows<Row>(statement: Sql): Promise<Row[]>
  /** How many rows it has touched. */
  run(statement: Sql): Promise<number>
}

/** Whoever begins it says when it is to stay: from then on nobody can tell whether it does, until that is answered. */
export type Transaction = Db & { commit(): Promise<unknown> }

/**
 * Connections to lend: each statement of its own has one while it lasts, and so has a piece of work. What left nothing
 * behind where it failed is done again, on another connection: all but `with`.
 */
export type Pool = Db & {
  /** One connection for several statements; it is given up where the work fails. */
  with<Result>(act: (db: Db) => Promise<Result>): Promise<Result>
  /** The same for work that sends BEGIN itself, together with its first statements. */
  transact<Result>(act: (db: Transaction) => Promise<Result>): Promise<Result>
  /** All or nothing. */
  begin<Result>(act: (db: Db) => Promise<Result>): Promise<Result>
  end(): Promise<void>
}

/** How many connections one replica holds at most. */
const CONNECTIONS = 10
/** For a connection that is made, and for one that is free (D-114). */
const CONNECT_WITHIN_MS = 3_000
/** A statement that waits longer is given up by PostgreSQL, and a little later by this side: a call never hangs (D-114). */
const STATEMENT_WITHIN_MS = 5_000
const ANSWER_WITHIN_MS = 6_000
/** A replica that was cut off in the middle of a transaction holds its locks no longer (D-114). */
const IDLE_WITHIN_MS = 5_000
/** Who waited for a lock has to see what was committed meanwhile, whatever is usual in the database. */
export const BEGIN = sql`BEGIN ISOLATION LEVEL READ COMMITTED`
/** The advisory lock under which one replica after the other looks whether the schema is whole. */
const SCHEMA_LOCK = 7_200_500

/** Connects to `postgres://…` and brings the schema up to date. Throws StartError with one sentence for people. */
export const openDatabase = async (url: string, onFault: (error: unknown) => void): Promise<Pool> => {
  const patient = openPool(url, onFault, { max: 1, statement_timeout: 0, query_timeout: 0 }) // a step may take its time
  try {
    await migrate(patient)
    return openPool(url, onFault)
  } catch (error) {
    throw error instanceof StartError ? error : startErrorWithPostgres(error, url)
  } finally {
    await patient.end()
  }
}

/** The settings of a connection; times and amounts are numbers, far below 2^53. */
export const connectionTo = (url: string, name: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: name,
  connectionTimeoutMillis: CONNECT_WITHIN_MS,
  statement_timeout: STATEMENT_WITHIN_MS,
  query_timeout: ANSWER_WITHIN_MS,
  idle_in_transaction_session_timeout: IDLE_WITHIN_MS,
  keepAlive: true,
  pipeline: true,
  types: { getTypeParser: (oid, format) => READERS.get(oid) ?? pg.types.getTypeParser(oid, format as 'text') },
})
const READERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.TEXT, readText],
])

const openPool = (url: string, onFault: (error: unknown) => void, settings: pg.PoolConfig = {}): Pool => {
  const pool = new pg.Pool({ ...connectionTo(url, 'assay'), max: CONNECTIONS, ...settings })
  pool.on('error', onFault) // of a connection that nobody is using: the next statement gets another
  const lend = async <Result>(act: (db: Db) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect()
    client.on('error', brokenWhileLent)
    let isWhole = false
    try {
      const result = await act(takingStatements(client))
      isWhole = true
      return result
    } finally {
      client.off('error', brokenWhileLent)
      client.release(!isWhole) // whatever was under way on a broken one ends with it
    }
  }
  const alone = <Result>(statement: Sql, ask: (db: Db) => Promise<Result>) =>
    repeated(progress => {
      progress.mayHaveCommitted = !READS.test(statement.text)
      return lend(ask)
    })
  const transact: Pool['transact'] = act =>
    repeated(progress =>
      lend(db => {
        const commit = () => {
          progress.mayHaveCommitted = true
          return db.run(sql`COMMIT`)
        }
        return act({ ...db, commit })
      }),
    )
  return {
    rows: statement => alone(statement, db => db.rows(statement)),
    run: statement => alone(statement, db => db.run(statement)),
    with: lend,
    transact,
    begin: act =>
      transact(async db => {
        await db.run(BEGIN)
        const result = await act(db)
        await db.commit()
        return result
      }),
    end: () => pool.end(),
  }
}
const READS = /^\s*SELECT\b/

const TRIES = 5

/** Where an attempt left nothing behind it is made again (D-114). */
const repeated = async <Result>(
  attempt: (progress: { mayHaveCommitted: boolean }) => Promise<Result>,
): Promise<Result> => {
  for (let left = TRIES - 1; ; left -= 1) {
    const progress = { mayHaveCommitted: false }
    try {
      return await attempt(progress)
    } catch (error) {
      if (left === 0 || !leftNothing(error, progress.mayHaveCommitted)) throw error
    }
  }
}

/** The statements under way on it fail and tell; without a listener the process would end. */
const brokenWhileLent = (): void => {}

/** Each text is parsed and planned once on a connection. */
const takingStatements = (client: pg.ClientBase): Db => {
  const send = ({ text, values }: Sql) => client.query({ name: nameOf(text), text, values: values.map(writable) })
  return {
    rows: async <Row>(statement: Sql) => (await send(statement)).rows as Row[],
    run: async statement => (await send(statement)).rowCount ?? 0,
  }
}

const names = new Map<string, string>()
const nameOf = (text: string): string => {
  const name = names.get(text) ?? `s${names.size}`
  names.set(text, name)
  return name
}

const migrate = (pool: Pool): Promise<void> =>
  pool.begin(async db => {
    await db.run(sql`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK}::bigint)`)
    await db.run(sql`CREATE TABLE IF NOT EXISTS assay_schema (step BIGINT PRIMARY KEY)`)
    const [{ taken } = { taken: 0 }] = await db.rows<{ taken: number }>(sql`SELECT count(*) AS taken FROM assay_schema`)
    if (taken > MIGRATIONS.length)
      throw new StartError('The database was written by a newer Assay: use that version or another --store.')
    for (const [step, statements] of MIGRATIONS.entries()) {
      if (step < taken) continue
      const texts = statements.split(/;\s*\n/).filter(text => text.trim() !== '')
      await Promise.all([
        ...texts.map(text => db.run(raw(text))),
        db.run(sql`INSERT INTO assay_schema VALUES (${step})`),
      ])
    }
  })
