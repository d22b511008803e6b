import type { Exchange } from './http-exchange.ts'
import { realTime, sleep } from './wall-clock.ts'

/** Statuses on which a client may repeat a call unchanged (7.1): 423 after a short delay, 429 after Retry-After. */
export const BUSY_STATUSES: readonly number[] = [423, 429]

/** The status that stands for a call without a response. */
const NO_RESPONSE = 0

/** Statuses on which a merchant repeats a call under its key: 423, 429, 500, 502, 504 and no response (7.1, 7.4). */
export const RETRYABLE_STATUSES: readonly number[] = [...BUSY_STATUSES, NO_RESPONSE, 500, 502, 504]

const RETRIES = 2
const SHORT_WHILE_MS = 200
/** Longest Retry-After, in milliseconds, for which a retry waits; with a longer one the response is returned. */
const LONGEST_WAIT_MS = 5_000

/**
 * Sends a call, and at most twice again while its status is among `statuses`; returns the last exchange. Once `closed`
 * aborts, it is not sent again.
 */
export const withRetries = async (
  statuses: readonly number[],
  send: () => Promise<Exchange>,
  closed?: AbortSignal,
): Promise<Exchange> => {
  let exchange = await send()
  for (let tried = 1; tried <= RETRIES; tried += 1) {
    const wait = statuses.includes(exchange.response?.status ?? NO_RESPONSE) ? retryDelay(exchange, tried) : undefined
    if (wait === undefined || wait > LONGEST_WAIT_MS) return exchange
    await sleep(wait, closed).catch(() => undefined)
    if (closed?.aborted) return exchange
    exchange = await send()
  }
  return exchange
}

const retryDelay = ({ response }: Exchange, tried: number): number | undefined =>
  response?.status === 429 ? retryAfterMs(response.headers['retry-after'] ?? '') : SHORT_WHILE_MS * 2 ** (tried - 1)

/** Parses a Retry-After header, seconds or a date, to milliseconds from a time on (RFC 9110 10.2.3); undefined if malformed. */
export const retryAfterMs = (header: string, since = realTime()): number | undefined => {
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const date = / GMT$/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - since)
}
