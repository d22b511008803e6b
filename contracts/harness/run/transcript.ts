import { CallError, NoResponse } from '../../client/call-errors.ts'
import type { Exchange, TransportError } from '../../client/http-exchange.ts'
import { beginningOf, type Redactor } from '../../client/redact-secrets.ts'
import type { OperationName } from '../../operations.ts'
import { EmptyCell } from '../judge/judge-grid-cells.ts'
import type { StepOutcome } from '../judge/scenario-evidence.ts'
import { Blocked, Inconclusive, type OpenWait, StillWaiting, Untestable, Withheld } from '../judge/verdict-errors.ts'
import { shortenedText } from '../report/exchange-text.ts'
import type { ScenarioRun } from './run-scenarios.ts'

/** Transcript of a run: its exchanges in order, with secrets redacted, and the steps of its scenarios. */
export type Transcript = { format: 1; journeys: readonly RecordedScenario[]; exchanges: readonly RecordedExchange[] }

/** One scenario of a transcript; a step is the index of its exchange, or the failure that replaced it. */
export type RecordedScenario = {
  name: string
  /** Ids of the checks that it ran for. */
  asked: readonly string[]
  /** Number of exchanges that the run had made when its checks were judged. */
  seen: number
  steps: Readonly<Record<string, number | RecordedFailure>>
  stopped?: RecordedFailure
}

type RecordedFailure = {
  kind: 'open' | 'empty' | 'withheld' | 'inconclusive' | 'blocked' | 'fault'
  message: string
  exchange?: number
  /** Where it only waits. */
  waits?: OpenWait
  /** Profile line that would cure what is open. */
  line?: string
}

type RecordedMessage = { headers: Record<string, string>; body?: string; base64?: string; cutFrom?: number }
export type RecordedExchange = {
  at?: string
  durationMs: number
  tls?: string
  request: RecordedMessage & { method: string; url: string; endpoint?: OperationName }
  response?: RecordedMessage & { status: number }
  fault?: TransportError
}

/** Exchanges of an earlier run that are recorded already: as such, and which one of them a replayed exchange is. */
type EarlierExchanges = {
  recorded: ReadonlyMap<Exchange, RecordedExchange>
  same(exchange: Exchange): Exchange
}

const NOTHING_EARLIER: EarlierExchanges = { recorded: new Map(), same: exchange => exchange }

/** Creates the recorder of the scenarios of a run; `transcript` is the list to which every exchange is added. */
export const createTranscriptRecorder = (
  transcript: readonly Exchange[],
  { recorded: known, same }: EarlierExchanges = NOTHING_EARLIER,
) => {
  const scenarios: ScenarioRun[] = []
  return {
    onScenarioEnd: (played: ScenarioRun): void => void scenarios.push({ ...played, steps: new Map(played.steps) }),
    /** The transcript of the run so far, with secrets redacted. */
    transcript: (redactor: Redactor): Transcript => {
      const pool = [...new Set([...transcript, ...scenarios.flatMap(exchangesHeldBy).map(same)])]
      const numbers = new Map(pool.map((exchange, index) => [exchange, index]))
      for (const exchange of pool) if (!known.has(exchange)) redactor.learn(exchange)
      const placeOf = (exchange: Exchange) => numbers.get(same(exchange))
      const journeys = scenarios.map(played => recordedScenario(played, placeOf, redactor))
      const exchanges = pool.map(each => known.get(each) ?? toRecordedExchange(redactor.exchange(each)))
      return { format: 1, journeys, exchanges }
    },
  }
}

const exchangesHeldBy = ({ steps, stopped }: ScenarioRun): Exchange[] =>
  [...steps.values(), { failure: stopped }].flatMap(kept => {
    const exchange = 'exchange' in kept ? kept.exchange : exchangeOf(kept.failure)
    return exchange ? [exchange] : []
  })

const exchangeOf = (failure: unknown): Exchange | undefined =>
  (failure as { exchange?: Exchange } | undefined)?.exchange

const recordedScenario = (
  { name, asked, seen, steps, stopped }: ScenarioRun,
  placeOf: (exchange: Exchange) => number | undefined,
  redactor: Redactor,
): RecordedScenario => {
  const recorded = (failure: unknown) => recordedFailure(failure, placeOf, redactor)
  const entries = [...steps].map(([step, kept]: [string, StepOutcome]) => [
    step,
    'exchange' in kept ? (placeOf(kept.exchange) ?? -1) : recorded(kept.failure),
  ])
  return {
    name,
    asked: [...asked],
    seen,
    steps: Object.fromEntries(entries),
    ...(stopped === undefined ? {} : { stopped: recorded(stopped) }),
  }
}

const recordedFailure = (
  failure: unknown,
  placeOf: (exchange: Exchange) => number | undefined,
  redactor: Redactor,
): RecordedFailure => {
  const exchange = exchangeOf(failure)
  const number = exchange && placeOf(exchange)
  const message = shortenedText(redactor.text(failure instanceof Error ? failure.message : String(failure)))
  const line = failure instanceof Untestable ? failure.line : undefined
  return {
    kind: kindOf(failure),
    message,
    ...(number === undefined ? {} : { exchange: number }),
    ...(failure instanceof StillWaiting && { waits: failure.wait }),
    ...(line === undefined ? {} : { line }),
  }
}

const kindOf = (failure: unknown): RecordedFailure['kind'] => {
  if (failure instanceof Untestable) return 'open'
  if (failure instanceof EmptyCell) return 'empty'
  if (failure instanceof Withheld) return 'withheld'
  if (failure instanceof Inconclusive || failure instanceof NoResponse) return 'inconclusive'
  return failure instanceof Blocked || failure instanceof CallError ? 'blocked' : 'fault'
}

/** Restores the error of a recorded failure, to judge a transcript again. */
export const restoreFailure = (
  { kind, message, exchange, line, waits }: RecordedFailure,
  exchanges: readonly Exchange[],
): Error => {
  const shown = exchange === undefined ? undefined : exchanges[exchange]
  if (waits) return new StillWaiting(waits)
  if (kind === 'open') return new Untestable(message, shown, line)
  if (kind === 'empty') return new EmptyCell(message)
  if (kind === 'withheld') return new Withheld(message)
  if (kind === 'inconclusive') return new Inconclusive(message, shown)
  return kind === 'blocked' ? new Blocked(message, shown) : new Error(message)
}

/** Converts an exchange to its JSON form in reports and transcripts; bodies that are no readable text are base64, long ones cut. */
export const toRecordedExchange = ({
  request,
  response,
  transportError,
  tls,
  at,
  durationMs,
}: Exchange): RecordedExchange => ({
  ...(at === undefined ? {} : { at }),
  durationMs: Math.round(durationMs * 1000) / 1000,
  ...(tls === undefined ? {} : { tls }),
  request: {
    method: request.method,
    url: request.url,
    ...(request.endpoint === undefined ? {} : { endpoint: request.endpoint }),
    headers: request.headers,
    ...recordedBody(request),
  },
  ...(response && {
    response: { status: response.status, headers: response.headers, ...recordedBody(response) },
  }),
  ...(transportError && { fault: transportError }),
})

const recordedBody = ({ body: whole, cutFrom }: { body?: Uint8Array; cutFrom?: number }) => {
  if (whole === undefined) return {}
  const bytes = beginningOf(whole)
  const length = cutFrom ?? whole.length
  const cut = length > bytes.length ? { cutFrom: length } : {}
  const text = bytes.toString('utf8')
  const isText = Buffer.from(text).equals(bytes) && !CONTROL_CHARACTERS.test(text)
  return isText ? { body: text, ...cut } : { base64: bytes.toString('base64'), ...cut }
}

/** Characters of which JSON makes six: base64 is shorter, and safe on a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is sought
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/

/** Restores an exchange from its JSON form. */
export const fromRecordedExchange = ({ request, response, fault, tls, at, durationMs }: RecordedExchange): Exchange => {
  const { method, url, endpoint, headers } = request
  const sent = bytesOf(request)
  return {
    request: { method, url, headers, ...(endpoint && { endpoint }), ...(sent && { body: sent }), ...cutOf(request) },
    ...(response && {
      response: {
        status: response.status,
        headers: response.headers,
        body: bytesOf(response) ?? Buffer.alloc(0),
        ...cutOf(response),
      },
    }),
    ...(fault && { transportError: fault }),
    ...(tls === undefined ? {} : { tls }),
    ...(at === undefined ? {} : { at }),
    durationMs,
  }
}

const cutOf = ({ cutFrom }: RecordedMessage) => (cutFrom === undefined ? {} : { cutFrom })

const bytesOf = ({ body, base64 }: RecordedMessage): Buffer | undefined =>
  base64 === undefined ? (body === undefined ? undefined : Buffer.from(body)) : Buffer.from(base64, 'base64')
