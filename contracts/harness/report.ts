import type { Exchange } from '../client/exchange.ts'
import type { Redactor } from '../client/redact.ts'
import { type Result, VERDICTS } from './check.ts'
import { layersOff } from './layers-off.ts'
import type { Spent } from './leftovers.ts'
import type { Profile } from './profile.ts'
import { exchangeOfRecord, type RecordedExchange, recordedExchange } from './recording.ts'
import { isShaped } from './saved-shape.ts'
import type { Cause } from './stop.ts'
import type { Suite } from './suite.ts'
import type { Summary } from './summary.ts'

/** One run as all reports tell it; nothing in it is secret. `unchosen` holds the clauses of what was not asked for. */
export type Report = {
  format: 1
  suite: Suite
  profile: { name: string; file: string }
  target: Profile['target']
  /** How requests were signed, where it is not the usual way. */
  dialect?: Profile['dialect']
  /** The command that judges again, where it is another than certify; `{journey}` stands for that of a check. */
  again?: string
  tier: number
  only: readonly string[]
  startedAt: string
  endedAt: string
  /** What was spent; absent where nothing was called, as when a run is judged anew. */
  spent?: Spent & { calls: number }
  stopped?: Cause
  layersOff?: string
  summary: Summary
  checks: readonly Result[]
}

/** The same results with nothing in them that could be used again. The redactor has learned the whole run before. */
export const hideSecrets = (results: readonly Result[], redactor: Redactor): Result[] => {
  const hidden = new Map<Exchange, Exchange>()
  const hide = (exchange: Exchange): Exchange => {
    const known = hidden.get(exchange) ?? redactor.exchange(exchange)
    hidden.set(exchange, known)
    return known
  }
  return results.map(result => ({
    ...result,
    ...texts(result, redactor),
    ...(result.exchange && { exchange: hide(result.exchange) }),
    ...(result.control && {
      control: { ...result.control, ...(result.control.exchange && { exchange: hide(result.control.exchange) }) },
    }),
  }))
}

const texts = ({ reason, expected, got }: Result, { text }: Redactor) => ({
  ...(reason === undefined ? {} : { reason: text(reason) }),
  ...(expected === undefined ? {} : { expected: text(expected) }),
  ...(got === undefined ? {} : { got: text(got) }),
})

export const layersOffIn = (results: readonly Result[]) => {
  const off = layersOff(results)
  return off === undefined ? {} : { layersOff: off }
}

type WrittenResult = Omit<Result, 'exchange' | 'control'> & {
  exchange?: RecordedExchange
  control?: { id: string; exchange?: RecordedExchange }
}

/** The report as JSON; `report.schema.json` describes it. */
export const jsonReport = ({ checks, ...report }: Report): string =>
  `${JSON.stringify({ ...report, checks: checks.map(written) }, null, 2)}\n`

const written = ({ exchange, control, ...result }: Result): WrittenResult => ({
  ...result,
  ...(exchange && { exchange: recordedExchange(exchange) }),
  ...(control && {
    control: { id: control.id, ...(control.exchange && { exchange: recordedExchange(control.exchange) }) },
  }),
})

/** The other way round; throws where the text is no report. */
export const reportOfJson = (text: string): Report => {
  const report = JSON.parse(text) as Omit<Report, 'checks'> & { checks: WrittenResult[] }
  if (!isShaped('report', report)) throw new SyntaxError('this is no report')
  return { ...report, checks: report.checks.map(read) }
}

const read = ({ exchange, control, ...result }: WrittenResult): Result => ({
  ...result,
  ...(exchange && { exchange: exchangeOfRecord(exchange) }),
  ...(control && {
    control: { id: control.id, ...(control.exchange && { exchange: exchangeOfRecord(control.exchange) }) },
  }),
})

/** Verdicts that a reader has to do something about, worst first. */
export const TROUBLES = VERDICTS.slice(0, VERDICTS.indexOf('withheld'))
