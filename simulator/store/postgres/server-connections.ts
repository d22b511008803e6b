import pg from 'pg'
import { pause, stopwatch } from '../../support/clock.ts'
import { isCrowded, mayBeOfOneAmongSeveral } from './database-errors.ts'
import { unescapeNul } from './nul-escaping.ts'
import type { Servers } from './servers.ts'

/** Time limit to open a connection, or to wait for a free one (D-114). */
const CONNECT_TIMEOUT_MS = 3_000
/** Time limit of a statement at PostgreSQL; this side waits a little longer, so that no call hangs (D-114). */
const STATEMENT_TIMEOUT_MS = 5_000
const RESPONSE_TIMEOUT_MS = 6_000
/** How long a replica that was cut off within a transaction holds its locks (D-114). */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000

/** Returns the settings of a PostgreSQL connection; BIGINT is read as a number: times and amounts stay below 2^53. */
export const connectionTo = (url: string, name: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: name,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  query_timeout: RESPONSE_TIMEOUT_MS,
  keepAlive: true,
  pipeline: true,
  types: { getTypeParser: (oid, format) => TYPE_PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format as 'text') },
})

const TYPE_PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.TEXT, unescapeNul],
])

/** Returns a class of PostgreSQL clients that connect to the server that is current when they are made. */
export const clientOf = (servers: Servers): (new (settings?: object) => pg.Client) =>
  class extends pg.Client {
    constructor(settings?: object) {
      super({ ...settings, connectionString: servers.current() })
    }
  }

/**
 * Prepares a new PostgreSQL session: sets its limits, which a pooler refuses or ignores as startup parameters, and
 * throws 25006 on a standby, if a server must take changes.
 */
export const beginSession = async (
  client: pg.ClientBase,
  { needsWritable }: Pick<Servers, 'needsWritable'>,
  statementTimeout = STATEMENT_TIMEOUT_MS,
): Promise<void> => {
  await client.query(
    `SET statement_timeout = ${statementTimeout}; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT_MS};
     SET enable_seqscan = off`, // a plan that is made while a table is small is kept as it grows
  )
  if (!needsWritable) return
  const { rows } = await client.query('SHOW transaction_read_only')
  if (rows[0]?.transaction_read_only === 'on')
    throw Object.assign(new Error('The server takes no changes.'), { code: '25006' })
}

/**
 * Connects to the first PostgreSQL server that can be used, from the current one on. Throws the first error that says
 * more than that a server is away or takes no changes, which one of several may; else that of the last.
 */
export const connectToAny = async <Connection>(servers: Servers, connect: () => Promise<Connection>) => {
  let cause: unknown
  for (let left = servers.count - 1; ; left -= 1) {
    const tried = servers.current()
    try {
      return await connect()
    } catch (error) {
      if (isWaitForFreeConnection(error)) throw error
      servers.skip(tried)
      if (!mayBeOfOneAmongSeveral(error)) cause ??= error
      if (left <= 0) throw cause ?? error
    }
  }
}
/** Whether the pool had no free connection in time, which says nothing of the server. */
const isWaitForFreeConnection = (error: unknown): boolean => /^timeout exceeded/.test((error as Error).message)

/** Pause before PostgreSQL is asked for a connection again that it refused since it has none left. */
const CROWDED_PAUSE_MS = 100
/** Keeps the process alive while it waits, as nothing else does at a start. */
const ALIVE = new AbortController().signal

/** Connects to PostgreSQL by `connect`; where it has no connection left, waits for one up to the time limit (D-114). */
export const connectOnceThereIsRoom = async <Connection>(
  connect: () => Promise<Connection>,
  onCrowded: () => void = () => undefined,
): Promise<Connection> => {
  const elapsed = stopwatch()
  let refused: unknown
  for (;;)
    try {
      return await connect()
    } catch (error) {
      if (refused !== undefined && isWaitForFreeConnection(error)) throw refused
      if (!isCrowded(error) || elapsed() > CONNECT_TIMEOUT_MS) throw error
      refused = error
      onCrowded()
      await pause(CROWDED_PAUSE_MS, ALIVE)
    }
}

/** How long a pool makes do with the connections that it has, after PostgreSQL had none left. */
const MAKE_DO_MS = 1_000

/**
 * Creates the function that takes a connection from a PostgreSQL pool: to whichever of the servers can be used; where
 * PostgreSQL has no more connections, callers take turns with those that the pool has.
 */
export const createLending = (pool: pg.Pool, servers: Servers): (() => Promise<pg.PoolClient>) => {
  const wanted = pool.options.max
  let [connected, restoring]: [number, NodeJS.Timeout | undefined] = [0, undefined]
  pool.on('connect', () => {
    connected += 1
  })
  pool.on('remove', () => {
    connected -= 1
  })
  const makeDo = (): void => {
    pool.options.max = Math.max(1, connected)
    clearTimeout(restoring)
    restoring = setTimeout(() => {
      pool.options.max = wanted
    }, MAKE_DO_MS).unref()
  }
  return () => connectOnceThereIsRoom(() => connectToAny(servers, () => pool.connect()), makeDo)
}
