import { serverAddresses } from '../../support/postgres-server-addresses.ts'
import { StartError } from '../../support/start-error.ts'

type Describe = (server: string) => string

const away: Describe = server =>
  `${server} cannot be reached, or takes too long: look whether it runs and what it waits for, or mend --store.`

const SENTENCES = {
  /** The connection broke; what was not committed on it is rolled back. */
  broken: away,
  /** No connection can be made, or a time limit was reached. */
  away,
  locked: server =>
    `${server} keeps a statement waiting too long: look in pg_stat_activity what it waits for, such as a lock or a standby, then try again.`,
  crowded: server =>
    `${server} has no connection left for this user: end some, or raise max_connections or the limit of the user.`,
  full: server => `The disk of ${server} is full: free some space there or choose another --store.`,
  failing: server => `The disk of ${server} fails: look at its space, quota and health, or choose another --store.`,
  damaged: server => `The database in ${server} is damaged: put back a copy of it or choose another --store.`,
  readOnly: server =>
    `${server} takes no changes: turn default_transaction_read_only off, or name the server that standbys follow in --store.`,
  pooler: server =>
    `${server} is a pooler that takes no options in the address: remove them from --store and set search_path for the user with ALTER ROLE.`,
  transactionPooler: server =>
    `${server} is a pooler that lends a session for one transaction: use its session mode, or connect to PostgreSQL itself.`,
  noTls: server => `${server} has no TLS: turn ssl on there, or set sslmode=disable in --store.`,
  certificate: server =>
    `${server} shows a TLS certificate that cannot be verified: set sslrootcert=FILE in --store, its authority, and a host that it names, or sslmode=no-verify to accept any.`,
  refused: server => `${server} refuses the user or password: mend --store, where the password is percent-encoded.`,
  noDatabase: server => `${server} has no such database: create it, or mend --store.`,
  noSchema: server =>
    `${server} has no schema that this user may use: create it, grant its rights, or mend search_path in --store.`,
  noTables: server =>
    `${server} lacks tables that were there: put back a copy of the database or choose another --store.`,
  ofAnother: server =>
    `${server} has something of another program in this schema: give the sandbox a schema of its own by search_path in --store, or another database.`,
  noRights: server =>
    `${server} gives the user of --store too few rights: grant it CREATE on the schema, and make it the owner of the tables there.`,
} as const satisfies Readonly<Record<string, Describe>>

type Kind = keyof typeof SENTENCES

// biome-ignore format: a table reads by its columns
/** Kinds of failure by error code of PostgreSQL or the operating system, beside class 08 (connection exceptions). */
const CODES: Readonly<Record<string, Kind>> = {
  ECONNRESET:   'broken',
  EPIPE:        'broken',
  '57P01':      'broken', // shut down, or connection ended by an administrator
  '57P02':      'broken', // crashed
  '57P05':      'broken', // idle session timeout
  '25P03':      'broken', // idle-in-transaction timeout
  '25P04':      'broken', // transaction timeout
  ECONNREFUSED: 'away',
  ETIMEDOUT:    'away',
  EHOSTUNREACH: 'away',
  ENETUNREACH:  'away',
  ENOTFOUND:    'away',
  EAI_AGAIN:    'away',
  '57P03':      'away', // starting up
  '57014':      'locked', // statement timeout
  '55P03':      'locked', // lock timeout
  '53300':      'crowded',
  '53100':      'full',
  '58030':      'failing',
  XX001:        'damaged',
  XX002:        'damaged', // an index
  '25006':      'readOnly', // by a setting, or on a standby
  '28P01':      'refused',
  '28000':      'refused',
  '3D000':      'noDatabase',
  '57P04':      'noDatabase', // dropped
  '3F000':      'noSchema',
  '42P01':      'noTables',
  '42P07':      'ofAnother', // a table, view, index or sequence that is there already
  '42710':      'ofAnother', // a type
  '42501':      'noRights',
  '42P05':      'transactionPooler', // a statement prepared by another session
  '26000':      'transactionPooler', // no statement of that name, though this session prepared it
}
/** Codes of Node's TLS for a certificate of the server that it does not accept. */
const CERTIFICATE =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|CERT_.*|ERR_TLS_CERT_ALTNAME_INVALID)$/
const CONNECTION_EXCEPTION = /^08...$/
/** Kinds of failure by message, for errors of the PostgreSQL driver, which have no code. */
const BROKEN = /^(Connection terminated(?! due to)|Client (has encountered a connection error|was closed))/
const AWAY = /^(Connection terminated due to|Query read timeout|timeout e)/

const kindOf = (error: unknown): Kind | undefined => {
  const { code, message, syscall } = (error ?? {}) as { code?: unknown; message?: unknown; syscall?: unknown }
  const [name, words] = [String(code), String(message)]
  if (/unsupported startup parameter/.test(words)) return 'pooler'
  if (/does not support SSL/.test(words)) return 'noTls'
  if (CERTIFICATE.test(name)) return 'certificate'
  if (CONNECTION_EXCEPTION.test(name) || BROKEN.test(words)) return 'broken'
  return CODES[name] ?? (syscall === 'connect' || AWAY.test(words) ? 'away' : undefined)
}

/**
 * Describes why PostgreSQL cannot be used, in one sentence with its cure (D-114); undefined for other errors. Names the
 * host of the `url` if that is given, never the password.
 */
export const describePostgresError = (error: unknown, url?: string): string | undefined => {
  const kind = kindOf(error)
  return kind && SENTENCES[kind](serverAt(url))
}

/** Converts an error at the start to a StartError that says why PostgreSQL is unusable, or gives the error's code. */
export const toPostgresStartError = (error: unknown, url: string): StartError => {
  const { code, message, path } = error as NodeJS.ErrnoException
  const otherwise = () =>
    path === undefined
      ? `${serverAt(url)} cannot be used (${code ?? message}): mend --store.`
      : `${serverAt(url)} cannot be used: ${path} cannot be read (${code}): mend --store.`
  return new StartError(describePostgresError(error, url) ?? otherwise())
}

/** Names the PostgreSQL server; not its host if the URL may be misread: a password could end up in the host. */
const serverAt = (url: string | undefined): string => {
  if (url === undefined) return 'PostgreSQL'
  const hosts = serverAddresses(url).map(one => {
    const at = URL.parse(one)
    return at?.host && (at.username || !one.includes('@')) ? at.host : undefined
  })
  return `PostgreSQL at ${hosts.includes(undefined) ? 'the given address' : hosts.join(' and ')}`
}

/** Error code of a wait for a lock that took too long. */
export const LOCK_TIMED_OUT = '55P03'

/** Creates the error of work for which a lock is not free in time. */
export const lockTimedOut = (message: string): Error => Object.assign(new Error(message), { code: LOCK_TIMED_OUT })

/** Error codes of transactions that PostgreSQL rolled back and that may be retried. */
const ROLLED_BACK = ['40001', '40P01', '0A000'] // a serialization failure, a deadlock, a plan from before an upgrade

/**
 * Whether a failed PostgreSQL transaction had no lasting effect; once COMMIT was sent, only PostgreSQL can say so
 * (D-114).
 */
export const isSafeToRetry = (error: unknown, mayHaveCommitted: boolean): boolean =>
  ROLLED_BACK.includes(errorCodeOf(error)) || (!mayHaveCommitted && kindOf(error) === 'broken')

/**
 * Whether PostgreSQL refused a statement of a transaction and so saved nothing of it, rather than that the connection
 * or the server failed.
 */
export const isOfStatement = (error: unknown): boolean =>
  /^[0-9A-Z]{5}$/.test(errorCodeOf(error)) && !isOfConnection(error) && !/^57/.test(errorCodeOf(error))

/** Whether an error is of the connection to PostgreSQL, which broke or was silent for too long. */
export const isOfConnection = (error: unknown): boolean =>
  kindOf(error) === 'broken' || AWAY.test(String((error as { message?: unknown } | null)?.message))

/** Returns the code that an error has from PostgreSQL or the operating system. */
export const errorCodeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/** Whether PostgreSQL refused a connection since it has none left, for all or for this user. */
export const isCrowded = (error: unknown): boolean => kindOf(error) === 'crowded'

/** Whether one of several servers may have an error and all be well: it is away, or follows another. */
export const mayBeOfOneAmongSeveral = (error: unknown): boolean =>
  ['away', 'locked', 'broken', 'readOnly'].includes(String(kindOf(error)))

/** Whether an error of PostgreSQL is the violation of a unique or primary key. */
export const isUniqueViolation = (error: unknown): boolean => errorCodeOf(error) === '23505'
