import { StartError } from '../../start-error.ts'

type Trouble = (server: string) => string

const away: Trouble = server =>
  `${server} cannot be reached, or takes too long: look whether it runs and what it waits for, or mend --store.`

const SENTENCES = {
  /** The connection ended at once, and what was not committed on it is undone. */
  broken: away,
  /** It cannot be had, or time went by. */
  away,
  crowded: server =>
    `${server} has no connection left for this user: end some, or raise max_connections or the limit of the user.`,
  full: server => `The disk of ${server} is full: free some space there or choose another --store.`,
  failing: server => `The disk of ${server} fails: look at its space, quota and health, or choose another --store.`,
  damaged: server => `The database in ${server} is damaged: put back a copy of it or choose another --store.`,
  readOnly: server =>
    `${server} takes no changes: turn default_transaction_read_only off, or name the server that standbys follow in --store.`,
  refused: server => `${server} refuses the user or password: mend --store.`,
  noDatabase: server => `${server} has no such database: create it, or mend --store.`,
  noSchema: server =>
    `${server} has no schema that this user may use: create it, grant its rights, or mend search_path in --store.`,
  noTables: server =>
    `${server} lacks tables that were there: put back a copy of the database or choose another --store.`,
  noRights: server =>
    `${server} gives the user of --store too few rights: grant it CREATE on the schema, and make it the owner of the tables there.`,
} as const satisfies Readonly<Record<string, Trouble>>

type Kind = keyof typeof SENTENCES

// biome-ignore format: a table reads by its columns
/** What operating systems and PostgreSQL call what keeps it from its work, beside the class 08. */
const CODES: Readonly<Record<string, Kind>> = {
  ECONNRESET:   'broken',
  EPIPE:        'broken',
  '57P01':      'broken', // it goes down, or an administrator ended the connection
  '57P02':      'broken', // it fell
  '57P05':      'broken', // this side was silent between two transactions
  '25P03':      'broken', // in the middle of one
  '25P04':      'broken', // one took too long
  ECONNREFUSED: 'away',
  ETIMEDOUT:    'away',
  EHOSTUNREACH: 'away',
  ENETUNREACH:  'away',
  ENOTFOUND:    'away',
  EAI_AGAIN:    'away',
  '57P03':      'away', // it starts
  '57014':      'away', // a statement took too long
  '55P03':      'away', // a lock was waited for too long
  '53300':      'crowded',
  '53100':      'full',
  '58030':      'failing',
  XX001:        'damaged',
  XX002:        'damaged', // an index
  '25006':      'readOnly', // by a setting, or a standby
  '28P01':      'refused',
  '28000':      'refused',
  '3D000':      'noDatabase',
  '57P04':      'noDatabase', // it was dropped
  '3F000':      'noSchema',
  '42P01':      'noTables',
  '42501':      'noRights',
}
const CLASS_OF_CONNECTIONS = /^08...$/
/** The driver has no codes of its own. */
const BROKEN = /^(Connection terminated(?! due to)|Client (has encountered a connection error|was closed))/
const AWAY = /^(Connection terminated due to|Query read timeout|timeout e)/

const kindOf = (error: unknown): Kind | undefined => {
  const { code, message, syscall } = (error ?? {}) as { code?: unknown; message?: unknown; syscall?: unknown }
  const [name, words] = [String(code), String(message)]
  if (CLASS_OF_CONNECTIONS.test(name) || BROKEN.test(words)) return 'broken'
  return CODES[name] ?? (syscall === 'connect' || AWAY.test(words) ? 'away' : undefined)
}

/**
 * What keeps PostgreSQL from its work, in one sentence with its cure (D-114); undefined where it is no such thing. The
 * address of --store is told where it is given, without the password.
 */
export const troubleWithPostgres = (error: unknown, url?: string): string | undefined => {
  const kind = kindOf(error)
  return kind && SENTENCES[kind](serverAt(url))
}

/** The same as the end of a start, whatever the error. */
export const startErrorWithPostgres = (error: unknown, url: string): StartError => {
  const { code, message } = error as NodeJS.ErrnoException
  const untold = () => `${serverAt(url)} cannot be used (${code ?? message}): mend --store.`
  return new StartError(troubleWithPostgres(error, url) ?? untold())
}

/** A password with a character that is not escaped would be read as part of the host: then the address is not told. */
const serverAt = (url: string | undefined): string => {
  if (url === undefined) return 'PostgreSQL'
  const at = URL.parse(url)
  const isRead = at?.host && (at.username || !url.includes('@'))
  return `PostgreSQL at ${isRead ? at.host : 'the given address'}`
}

/** What PostgreSQL asks to be tried again: it has undone all of it. */
const UNDONE = ['40001', '40P01'] // a serialization failure, a deadlock

/** Whether nothing is left of what failed so; what was about to commit is only where PostgreSQL says so (D-114). */
export const leftNothing = (error: unknown, mayHaveCommitted: boolean): boolean =>
  UNDONE.includes(String((error as { code?: unknown } | null)?.code)) ||
  (!mayHaveCommitted && kindOf(error) === 'broken')
