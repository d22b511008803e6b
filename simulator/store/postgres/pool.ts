import type { Writable } from 'node:stream'
import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../sql-statements.ts'
import { isSafeToRetry } from './database-errors.ts'
import { escapeNul } from './nul-escaping.ts'
import { beginSession, clientOf, connectionTo, createLending } from './server-connections.ts'
import { createServers, type Servers } from './servers.ts'

/** Runs SQL statements at once: those sent without awaiting take one round trip together. */
export const runAll = (db: Db, statements: readonly Sql[]): Promise<unknown> =>
  Promise.all(statements.map(statement => db.run(statement)))

/**
 * A PostgreSQL transaction with an explicit commit; if the connection breaks after it was sent, its result is unknown.
 */
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
  /** Maximum number of connections. */
  most: number
  /** Connections that are open and idle now, and the callers that wait for one. */
  count(): { open: number; idle: number; waiting: number }
  end(): Promise<void>
}

/** Value of application_name for the PostgreSQL connections that run statements. */
export const POOL_NAME = 'assay'
/** Maximum number of connections of one replica, unless an option says otherwise. */
const MAX_CONNECTIONS = 10
/**
 * SQL that begins a PostgreSQL transaction, whatever the default isolation: a statement after a lock must see what was
 * committed while it waited.
 */
export const BEGIN = sql`BEGIN ISOLATION LEVEL READ COMMITTED`

/** Opens a pool of PostgreSQL connections, which are made when they are first needed. */
export const openPool = (
  address: string | Servers,
  onError: (error: unknown) => void,
  { statement_timeout: limit, ...settings }: pg.PoolConfig & { statement_timeout?: number } = {},
): Pool => {
  const servers = typeof address === 'string' ? createServers(address) : address
  const { connectionString, ...usual } = connectionTo('', POOL_NAME)
  const pool = new pg.Pool({
    ...usual,
    max: MAX_CONNECTIONS,
    ...settings,
    Client: clientOf(servers),
    onConnect: client => beginSession(client, servers, limit),
  })
  pool.on('error', onError) // of an idle connection: the next statement gets another
  const connect = createLending(pool, servers)
  const lend = async <Result>(act: (db: Db) => Promise<Result>): Promise<Result> => {
    const client = await connect()
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
    most: pool.options.max,
    count: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
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

/**
 * Runs statements on a client as named ones, so that each SQL text is parsed once per connection. Those that are sent in
 * one turn leave in one write to the socket, which costs more than what it carries.
 */
const pipelineOn = (client: pg.ClientBase): Db => {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  let isCorked = false
  const uncork = (): void => {
    isCorked = false
    stream.uncork()
  }
  const send = ({ text, values }: Sql) => {
    if (!isCorked) {
      isCorked = true
      stream.cork()
      queueMicrotask(() => process.nextTick(uncork)) // after the microtasks that send what belongs to it
    }
    return client.query({ name: nameOf(text), text, values: values.map(escapeNul) })
  }
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
