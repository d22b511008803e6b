/** What operating systems and PostgreSQL call it when a connection cannot be had, or ends; beside the class 08. */
const CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]
const STATES = ['57P01', '57P02', '57P03', '57014', '25P03', '53300'] // it goes down, starts, takes too long, is full
/** The driver has no codes of its own. */
const WORDS =
  /^(Connection terminated|Query read timeout|timeout e|Client (has encountered a connection error|was closed))/

/** That PostgreSQL is away, in one sentence with its cure; undefined where it is no such thing. */
export const troubleWithPostgres = (error: unknown): string | undefined => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  const name = String(code)
  const isAway = CODES.includes(name) || STATES.includes(name) || /^08...$/.test(name) || WORDS.test(String(message))
  return isAway
    ? 'PostgreSQL cannot be reached, or takes too long: look whether it runs and what it waits for.'
    : undefined
}
