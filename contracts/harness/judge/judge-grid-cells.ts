import { CallError, NoResponse } from '../../client/call-errors.ts'
import type { Exchange } from '../../client/http-exchange.ts'
import { type GridCell, VERDICTS, type Verdict } from './check.ts'
import { Blocked, Inconclusive, Mismatch, Untestable } from './verdict-errors.ts'

/** Error that is the verdict of a grid row: that of its worst cell, with all cells. */
export type GridRowError = Error & { cells: readonly GridCell[] }

/**
 * Error of a grid cell to which the rule of its row does not apply, or of a row of such cells: verdict not applicable.
 */
export class EmptyCell extends Error {}

/** What a row wants to know of one column; `judge` throws a verdict error where the rule is broken. */
type CellJudge = { column: string; clause?: string; judge(): void | Promise<void> }

/** An outcome of one cell: the cell, and the error that it threw, if any. */
type CellOutcome = { cell: GridCell; error?: unknown }

/**
 * Judges every cell of a grid row, whether or not others fail. Returns the cells where each passes or is empty; throws
 * the worst verdict otherwise, with `cells`, and EmptyCell where all are empty. `excuse` says why a mismatch is no
 * fault of the service, else undefined.
 */
export const judgeCells = async (
  cells: readonly CellJudge[],
  excuse: (exchange: Exchange | undefined) => string | undefined,
): Promise<readonly GridCell[]> => {
  const outcomes: CellOutcome[] = []
  for (const cell of cells) outcomes.push(await judgeCell(cell, excuse))
  const judged = outcomes.map(({ cell }) => cell)
  const open = outcomes.filter(({ cell }) => !PASSING.includes(cell.verdict))
  if (open.length > 0) throw rowError(open, judged)
  if (judged.some(({ verdict }) => verdict === 'pass')) return judged
  throw Object.assign(new EmptyCell(`no cell applies: ${judged[0]?.reason ?? 'the row is empty'}`), { cells: judged })
}

const PASSING: readonly Verdict[] = ['pass', 'not applicable']

const judgeCell = async (
  { column, clause, judge }: CellJudge,
  excuse: Parameters<typeof judgeCells>[1],
): Promise<CellOutcome> => {
  const head = { column, ...(clause === undefined ? {} : { clause }) }
  try {
    await judge()
    return { cell: { ...head, verdict: 'pass' } }
  } catch (thrown) {
    const error = excused(thrown, excuse)
    const { expected, got } = error as Partial<Mismatch>
    const said = expected === undefined ? { reason: messageOf(error) } : { expected, got: got ?? '' }
    return { cell: { ...head, verdict: verdictOf(error), ...said }, error }
  }
}

const excused = (error: unknown, excuse: Parameters<typeof judgeCells>[1]): unknown => {
  const reason = error instanceof Mismatch ? excuse(error.exchange) : undefined
  return reason === undefined ? error : new Untestable(reason, (error as Mismatch).exchange)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const verdictOf = (error: unknown): Verdict => {
  if (error instanceof Mismatch) return 'fail'
  if (error instanceof EmptyCell) return 'not applicable'
  if (error instanceof Untestable) return 'untestable'
  if (error instanceof Inconclusive || error instanceof NoResponse) return 'inconclusive'
  return error instanceof Blocked || error instanceof CallError ? 'blocked' : 'harness error'
}

/** Returns the error of a whole row: that of its worst cell, which names the column and how many others share it. */
const rowError = (open: readonly CellOutcome[], cells: readonly GridCell[]): GridRowError => {
  const [worst] = open.toSorted((a, b) => rank(a) - rank(b) || specified(b) - specified(a))
  const { cell, error } = worst as Required<CellOutcome>
  const others = open.filter(it => it !== worst && it.cell.verdict === cell.verdict).map(it => it.cell.column)
  const more = others.length === 0 ? '' : `; also ${others.join(', ')}`
  const { exchange } = error as { exchange?: Exchange }
  const text = `${cell.column}: ${cell.reason}${more}`
  const toRowError = (): Error => {
    if (error instanceof Mismatch)
      return new Mismatch(`${cell.column}: ${error.expected}`, `${error.got}${more}`, exchange, error.isSpecified)
    if (cell.verdict === 'untestable') return new Untestable(text, exchange, (error as Untestable).line)
    const Kind = ERRORS[cell.verdict]
    return Kind ? new Kind(text, exchange) : (error as Error)
  }
  return Object.assign(toRowError(), { cells })
}

const rank = ({ cell }: CellOutcome): number => VERDICTS.indexOf(cell.verdict)
const specified = ({ error }: CellOutcome): number => Number(error instanceof Mismatch && error.isSpecified)

const ERRORS: Partial<Record<Verdict, typeof Blocked>> = {
  inconclusive: Inconclusive,
  blocked: Blocked,
}
