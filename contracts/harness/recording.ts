import { CallError, NoAnswer } from '../client/call-error.ts'
import type { EndpointName } from '../client/endpoints.ts'
import type { Exchange, TransportFault } from '../client/exchange.ts'
import type { Redactor } from '../client/redact.ts'
import type { Kept } from './evidence.ts'
import type { Played } from './run.ts'
import { Blocked, Inconclusive, Open } from './signals.ts'

/** All that a run has seen, in the order in which it was seen, with nothing in it that could be used again. */
export type Transcript = { format: 1; journeys: readonly RecordedJourney[]; exchanges: readonly RecordedExchange[] }

/** Steps name an exchange by its number, or tell why there is none. */
export type RecordedJourney = {
  name: string
  /** The checks that it was played for. */
  asked: readonly string[]
  /** So many exchanges had been made when its checks were judged. */
  seen: number
  steps: Readonly<Record<string, number | Failure>>
  stopped?: Failure
}

export type Failure = { kind: 'open' | 'inconclusive' | 'blocked' | 'fault'; message: string; exchange?: number }

type RecordedMessage = { headers: Record<string, string>; body?: string; base64?: string; cutFrom?: number }
export type RecordedExchange = {
  at?: string
  durationMs: number
  tls?: string
  request: RecordedMessage & { method: string; url: string; endpoint?: EndpointName }
  answer?: RecordedMessage & { status: number }
  fault?: TransportFault
}

/** Nobody reads more of one body, and no endless answer fills a disk. */
const LONGEST_BODY = 64 * 1024

/** Collects what journeys keep; the transcript itself grows elsewhere, with every call of the run. */
export const createRecorder = (transcript: readonly Exchange[]) => {
  const journeys: Played[] = []
  return {
    onPlayed: (played: Played): void => void journeys.push({ ...played, steps: new Map(played.steps) }),
    /** The run so far, secrets hidden. */
    transcript: (redactor: Redactor): Transcript => {
      const pool = [...new Set([...transcript, ...journeys.flatMap(heldBy)])]
      const numbers = new Map(pool.map((exchange, index) => [exchange, index]))
      for (const exchange of pool) redactor.learn(exchange)
      const recorded = journeys.map(played => recordedJourney(played, numbers, redactor))
      return { format: 1, journeys: recorded, exchanges: pool.map(each => recordedExchange(redactor.exchange(each))) }
    },
  }
}

export type Recorder = ReturnType<typeof createRecorder>

const heldBy = ({ steps, stopped }: Played): Exchange[] =>
  [...steps.values(), { failure: stopped }].flatMap(kept => {
    const exchange = 'exchange' in kept ? kept.exchange : exchangeOf(kept.failure)
    return exchange ? [exchange] : []
  })

const exchangeOf = (failure: unknown): Exchange | undefined =>
  (failure as { exchange?: Exchange } | undefined)?.exchange

const recordedJourney = (
  { name, asked, seen, steps, stopped }: Played,
  numbers: ReadonlyMap<Exchange, number>,
  redactor: Redactor,
): RecordedJourney => {
  const told = (failure: unknown) => recordedFailure(failure, numbers, redactor)
  const entries = [...steps].map(([step, kept]: [string, Kept]) => [
    step,
    'exchange' in kept ? (numbers.get(kept.exchange) ?? -1) : told(kept.failure),
  ])
  return {
    name,
    asked: [...asked],
    seen,
    steps: Object.fromEntries(entries),
    ...(stopped === undefined ? {} : { stopped: told(stopped) }),
  }
}

const recordedFailure = (failure: unknown, numbers: ReadonlyMap<Exchange, number>, redactor: Redactor): Failure => {
  const exchange = exchangeOf(failure)
  const number = exchange && numbers.get(exchange)
  const message = redactor.text(failure instanceof Error ? failure.message : String(failure))
  return { kind: kindOf(failure), message, ...(number === undefined ? {} : { exchange: number }) }
}

const kindOf = (failure: unknown): Failure['kind'] => {
  if (failure instanceof Open) return 'open'
  if (failure instanceof Inconclusive || failure instanceof NoAnswer) return 'inconclusive'
  return failure instanceof Blocked || failure instanceof CallError ? 'blocked' : 'fault'
}

/** A failure as it was, for those who judge anew. */
export const failureOf = ({ kind, message, exchange }: Failure, exchanges: readonly Exchange[]): Error => {
  const shown = exchange === undefined ? undefined : exchanges[exchange]
  if (kind === 'open') return new Open(message, shown)
  if (kind === 'inconclusive') return new Inconclusive(message, shown)
  return kind === 'blocked' ? new Blocked(message, shown) : new Error(message)
}

/** An exchange as it is written down. Bytes that are no text are written in base64. */
export const recordedExchange = ({ request, answer, fault, tls, at, durationMs }: Exchange): RecordedExchange => ({
  ...(at === undefined ? {} : { at }),
  durationMs: Math.round(durationMs * 1000) / 1000,
  ...(tls === undefined ? {} : { tls }),
  request: {
    method: request.method,
    url: request.url,
    ...(request.endpoint === undefined ? {} : { endpoint: request.endpoint }),
    headers: request.headers,
    ...recordedBody(request.body),
  },
  ...(answer && { answer: { status: answer.status, headers: answer.headers, ...recordedBody(answer.body) } }),
  ...(fault && { fault }),
})

const recordedBody = (whole: Uint8Array | undefined) => {
  if (whole === undefined) return {}
  const cut = whole.length > LONGEST_BODY ? { cutFrom: whole.length } : {}
  const bytes = Buffer.from(whole).subarray(0, LONGEST_BODY)
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? { body: text, ...cut } : { base64: bytes.toString('base64'), ...cut }
}

/** The other way round. */
export const exchangeOfRecord = ({ request, answer, fault, tls, at, durationMs }: RecordedExchange): Exchange => {
  const { method, url, endpoint, headers } = request
  const sent = bytesOf(request)
  return {
    request: { method, url, headers, ...(endpoint && { endpoint }), ...(sent && { body: sent }) },
    ...(answer && {
      answer: { status: answer.status, headers: answer.headers, body: bytesOf(answer) ?? Buffer.alloc(0) },
    }),
    ...(fault && { fault }),
    ...(tls === undefined ? {} : { tls }),
    ...(at === undefined ? {} : { at }),
    durationMs,
  }
}

const bytesOf = ({ body, base64 }: RecordedMessage): Buffer | undefined =>
  base64 === undefined ? (body === undefined ? undefined : Buffer.from(body)) : Buffer.from(base64, 'base64')
