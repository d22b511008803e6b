// biome-ignore format: a table reads by its columns
/**
 * What operating systems and PostgreSQL call it when PostgreSQL is away, beside the class 08. `broken`: the connection
 * ended at once, and what was not committed on it is undone; else it cannot be had, or time went by.
 */
const CODES: Readonly<Record<string, 'broken' | 'away'>> = {
  ECONNRESET:   'broken',
  EPIPE:        'broken',
  '57P01':      'broken', // it goes down, or an administrator ended the connection
  '57P02':      'broken', // it fell
  '25P03':      'broken', // this side was silent in the middle of a transaction
  ECONNREFUSED: 'away',
  ETIMEDOUT:    'away',
  EHOSTUNREACH: 'away',
  ENETUNREACH:  'away',
  ENOTFOUND:    'away',
  EAI_AGAIN:    'away',
  '57P03':      'away', // it starts
  '57014':      'away', // a statement took too long
  '53300':      'away', // it has no connection left
}
const CLASS_OF_CONNECTIONS = /^08...$/
/** The driver has no codes of its own. */
const BROKEN = /^(Connection terminated(?! due to)|Client (has encountered a connection error|was closed))/
const AWAY = /^(Connection terminated due to|Query read timeout|timeout e)/

const kindOf = (error: unknown): 'broken' | 'away' | undefined => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  const [name, words] = [String(code), String(message)]
  if (CLASS_OF_CONNECTIONS.test(name) || BROKEN.test(words)) return 'broken'
  return CODES[name] ?? (AWAY.test(words) ? 'away' : undefined)
}

/** That PostgreSQL is away, in one sentence with its cure; undefined where it is no such thing (D-114). */
export const troubleWithPostgres = (error: unknown): string | undefined =>
  kindOf(error) === undefined
    ? undefined
    : 'PostgreSQL cannot be reached, or takes too long: look whether it runs and what it waits for.'

/** What PostgreSQL asks to be tried again: it has undone all of it. */
const UNDONE = ['40001', '40P01'] // a serialization failure, a deadlock

/** Whether nothing is left of what failed so; what was about to commit is only where PostgreSQL says so (D-114). */
export const leftNothing = (error: unknown, mayHaveCommitted: boolean): boolean =>
  UNDONE.includes(String((error as { code?: unknown } | null)?.code)) ||
  (!mayHaveCommitted && kindOf(error) === 'broken')
