import type { Exchange } from '../../client/http-exchange.ts'
import type { Redactor } from '../../client/redact-secrets.ts'
import { visibleJson } from '../../protocol/visible-text.ts'
import { type CheckResult, VERDICTS } from '../judge/check.ts'
import type { Profile } from '../profile/profile.ts'
import type { StopCause } from '../run/stop-signal.ts'
import { fromRecordedExchange, type RecordedExchange, toRecordedExchange } from '../run/transcript.ts'
import type { SpentTotals } from '../safety/totals-of-write-ledger.ts'
import { shortenedText } from './exchange-text.ts'
import type { Exploration } from './exploration.ts'
import type { RunSummary } from './run-summary.ts'
import { matchesSavedFileSchema } from './saved-file-schemas.ts'
import type { SuiteIdentity } from './suite-name-and-digest.ts'

/** Report of one run, from which every report format is made; its secrets are redacted. */
export type RunReport = {
  format: 1
  suite: SuiteIdentity
  profile: { name: string; file: string }
  target: Profile['target']
  /** How requests were signed, where it differs from the document. */
  dialect?: Profile['dialect']
  /** Command that judges a check again; `{check}` and `{journey}` stand for its id and its scenario. */
  again?: string
  tier: number
  only: readonly string[]
  startedAt: string
  endedAt: string
  /** Totals of calls and writes; absent where nothing was called, as when a run is judged again. */
  spent?: SpentTotals & { calls: number }
  stopped?: StopCause
  layersOff?: string
  explored?: Exploration
  summary: RunSummary
  checks: readonly CheckResult[]
}

/**
 * Redacts the secrets in the check results of a report, and shortens their texts. The redactor must have learned every
 * exchange of the run before.
 */
export const redactResults = (results: readonly CheckResult[], redactor: Redactor): CheckResult[] => {
  const hidden = new Map<Exchange, Exchange>()
  const hide = (exchange: Exchange): Exchange => {
    const known = hidden.get(exchange) ?? redactor.exchange(exchange)
    hidden.set(exchange, known)
    return known
  }
  return results.map(result => ({
    ...result,
    ...texts(result, redactor),
    ...(result.cells && { cells: result.cells.map(cell => ({ ...cell, ...texts(cell, redactor) })) }),
    ...(result.exchange && { exchange: hide(result.exchange) }),
    ...(result.control && {
      control: { ...result.control, ...(result.control.exchange && { exchange: hide(result.control.exchange) }) },
    }),
  }))
}

type Texts = Pick<CheckResult, 'reason' | 'expected' | 'got'>

const texts = ({ reason, expected, got }: Texts, { text }: Redactor): Texts => ({
  ...(reason === undefined ? {} : { reason: shortenedText(text(reason)) }),
  ...(expected === undefined ? {} : { expected: shortenedText(text(expected)) }),
  ...(got === undefined ? {} : { got: shortenedText(text(got)) }),
})

/**
 * Returns the report member with the disabled layers of clause 5, as a response header of redacted results reports them
 * (D-70), if any.
 */
export const disabledLayersMember = (results: readonly CheckResult[]) => {
  const off = results
    .map(({ exchange }) => exchange?.response?.headers['assay-layers'])
    .find(value => value !== undefined)
  return off === undefined ? {} : { layersOff: shortenedText(off) }
}

type WrittenResult = Omit<CheckResult, 'exchange' | 'control'> & {
  exchange?: RecordedExchange
  control?: { id: string; exchange?: RecordedExchange }
}

/** Formats a report as JSON text, as `report.schema.json` describes it. */
export const toJsonReport = ({ checks, ...report }: RunReport): string =>
  visibleJson(`${JSON.stringify({ ...report, checks: checks.map(written) }, null, 2)}\n`)

const written = ({ exchange, control, ...result }: CheckResult): WrittenResult => ({
  ...result,
  ...(exchange && { exchange: toRecordedExchange(exchange) }),
  ...(control && {
    control: { id: control.id, ...(control.exchange && { exchange: toRecordedExchange(control.exchange) }) },
  }),
})

/** Parses the JSON text of a report; throws a SyntaxError where it is none. */
export const parseJsonReport = (text: string): RunReport => {
  const report = JSON.parse(text) as Omit<RunReport, 'checks'> & { checks: WrittenResult[] }
  if (!matchesSavedFileSchema('report', report)) throw new SyntaxError('this is no report')
  return { ...report, checks: report.checks.map(read) }
}

const read = ({ exchange, control, ...result }: WrittenResult): CheckResult => ({
  ...result,
  ...(exchange && { exchange: fromRecordedExchange(exchange) }),
  ...(control && {
    control: { id: control.id, ...(control.exchange && { exchange: fromRecordedExchange(control.exchange) }) },
  }),
})

/** Verdicts that need the reader's attention, worst first. */
export const ATTENTION_VERDICTS = VERDICTS.slice(0, VERDICTS.indexOf('withheld'))
