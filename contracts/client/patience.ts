import { setTimeout as pause } from 'node:timers/promises'
import type { Exchange } from './exchange.ts'
import { realTime } from './real-time.ts'

/** What 7.1 lets a client try again as it is: 423 once or twice after a short while, 429 when Retry-After says so. */
export const WORTH_RETRYING: readonly number[] = [423, 429]

/** Stands for a call that got no answer at all. */
const LOST = 0

/** All that a merchant sends again under the same key: those, what failed on the other side, and what was lost (7.1, 7.4). */
export const RETRIED_BY_RULE: readonly number[] = [...WORTH_RETRYING, LOST, 500, 502, 504]

const RETRIES = 2
const SHORT_WHILE_MS = 200
/** Who is asked to wait longer gives up and tells. */
const LONGEST_WAIT_MS = 5_000

/** Sends a call, and once or twice again where the answer has one of these statuses; the last answer counts. */
export const patiently = async (statuses: readonly number[], send: () => Promise<Exchange>): Promise<Exchange> => {
  let exchange = await send()
  for (let tried = 1; tried <= RETRIES; tried += 1) {
    const wait = statuses.includes(exchange.answer?.status ?? LOST) ? waitFor(exchange, tried) : undefined
    if (wait === undefined || wait > LONGEST_WAIT_MS) return exchange
    await pause(wait)
    exchange = await send()
  }
  return exchange
}

const waitFor = ({ answer }: Exchange, tried: number): number | undefined =>
  answer?.status === 429 ? retryAfter(answer.headers['retry-after'] ?? '') : SHORT_WHILE_MS * 2 ** (tried - 1)

/** Milliseconds that a Retry-After asks for, as a delay or as a date (RFC 9110 10.2.3); undefined for anything else. */
export const retryAfter = (header: string): number | undefined => {
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const date = / GMT$/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - realTime())
}
