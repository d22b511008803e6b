import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { isSafeToRetry } from './database-errors.ts'
import { escapeNul, unescapeNul } from './nul-escaping.ts'

/** Runs SQL statements, pipelined: statements that are sent without awaiting take one round trip together. */
export type Db = {
  rows<Row>(statement: Sql): Promise<Row[]>
  /** Number of rows affected. */
  run(statement: Sql): Promise<number>
}

/** A transaction with an explicit commit; if the connection breaks after it was sent, its result is unknown. */
export type Transaction = Db & { commit(): Promise<unknown> }

/**
 * Connection pool of PostgreSQL. Single statements and transactions that failed without a lasting effect are retried on
 * another connection; work in `with` is not.
 */
export type Pool = Db & {
  /** Lends one connection for several statements; it is discarded if the work fails. */
  with<Result>(act: (db: Db) => Promise<Result>): Promise<Result>
  /** Lends a connection for a transaction that sends BEGIN itself, together with its first statements. */
  transact<Result>(act: (db: Transaction) => Promise<Result>): Promise<Result>
  /** Runs work in a transaction, from BEGIN to COMMIT. */
  begin<Result>(act: (db: Db) => Promise<Result>): Promise<Result>
  end(): Promise<void>
}

/** application_name of the connections that run statements. */
export const POOL_NAME = 'assay'
/** Maximum number of connections of one replica. */
const MAX_CONNECTIONS = 10
/** Time limit to open a connection, or to wait for a free one (D-114). */
const CONNECT_TIMEOUT_MS = 3_000
/** Time limit of a statement at PostgreSQL; this side waits a little longer, so that no call hangs (D-114). */
const STATEMENT_TIMEOUT_MS = 5_000
const RESPONSE_TIMEOUT_MS = 6_000
/** How long a replica that was cut off within a transaction holds its locks (D-114). */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000
/** BEGIN, whatever the default isolation: a statement after a lock must see what was committed while it waited. */
export const BEGIN = sql`BEGIN ISOLATION LEVEL READ COMMITTED`

/** Returns the settings of a PostgreSQL connection; BIGINT is read as a number: times and amounts stay below 2^53. */
export const connectionTo = (url: string, name: string): pg.ClientConfig => ({
  connectionString: withoutOwnSettings(url),
  application_name: name,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  query_timeout: RESPONSE_TIMEOUT_MS,
  keepAlive: true,
  pipeline: true,
  types: { getTypeParser: (oid, format) => TYPE_PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format as 'text') },
})
/** Settings that are ours: the driver lets those of an address win over those of its caller. */
const OWN_SETTINGS = ['application_name', 'statement_timeout', 'query_timeout', 'idle_in_transaction_session_timeout']

const withoutOwnSettings = (address: string): string => {
  const url = URL.parse(address)
  for (const name of OWN_SETTINGS) url?.searchParams.delete(name)
  return url?.href ?? address
}

/** Returns the SQL of the time limits of a new session: a pooler refuses or ignores them as startup parameters. */
export const timeLimits = (statement = STATEMENT_TIMEOUT_MS): string =>
  `SET statement_timeout = ${statement}; SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT_MS}`

const TYPE_PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.TEXT, unescapeNul],
])

/** Opens a pool of PostgreSQL connections, which are made when they are first needed. */
export const openPool = (
  url: string,
  onError: (error: unknown) => void,
  { statement_timeout: limit, ...settings }: pg.PoolConfig & { statement_timeout?: number } = {},
): Pool => {
  const onConnect = async (client: pg.ClientBase): Promise<void> => void (await client.query(timeLimits(limit)))
  const pool = new pg.Pool({ ...connectionTo(url, POOL_NAME), max: MAX_CONNECTIONS, ...settings, onConnect })
  pool.on('error', onError) // of an idle connection: the next statement gets another
  const lend = async <Result>(act: (db: Db) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect()
    client.on('error', ignoreError)
    let isWhole = false
    try {
      const result = await act(pipelineOn(client))
      isWhole = true
      return result
    } finally {
      client.off('error', ignoreError)
      client.release(!isWhole) // a broken connection is discarded, with what runs on it
    }
  }
  const alone = <Result>(statement: Sql, ask: (db: Db) => Promise<Result>) =>
    withRetries(progress => {
      progress.mayHaveCommitted = !READ_ONLY.test(statement.text)
      return lend(ask)
    })
  const transact: Pool['transact'] = act =>
    withRetries(progress =>
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
const READ_ONLY = /^\s*SELECT\b/

const MAX_ATTEMPTS = 5

/** Repeats an attempt that failed without a lasting effect (D-114). */
const withRetries = async <Result>(
  attempt: (progress: { mayHaveCommitted: boolean }) => Promise<Result>,
): Promise<Result> => {
  for (let left = MAX_ATTEMPTS - 1; ; left -= 1) {
    const progress = { mayHaveCommitted: false }
    try {
      return await attempt(progress)
    } catch (error) {
      if (left === 0 || !isSafeToRetry(error, progress.mayHaveCommitted)) throw error
    }
  }
}

/** Ignores the error event, as the statements of the connection reject; without a listener the process would end. */
const ignoreError = (): void => {}

/** Runs statements on a client as named ones, so that each SQL text is parsed once per connection. */
const pipelineOn = (client: pg.ClientBase): Db => {
  const send = ({ text, values }: Sql) => client.query({ name: nameOf(text), text, values: values.map(escapeNul) })
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
