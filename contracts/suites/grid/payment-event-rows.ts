import type { Exchange } from '../../client/http-exchange.ts'
import { isServed } from '../../client/http-exchange.ts'
import type { Check } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { jsonAgrees } from '../../harness/judge/compare-shared-json-members.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import { findStep } from '../evidence/expect-refused-or-declined.ts'
import { ensureStage, GRID_CONTROL, lackedOperation } from './cell-judgments.ts'

/** Steps of one payment, each with the row of its state before and after, whose events are compared. */
// biome-ignore format: a table reads by its columns
const STEPS = [
  { column: 'capture',    before: 'GRD-15', from: 'authorized', after: 'GRD-16', stages: ['captured', 'settled'] },
  { column: 'settlement', before: 'GRD-16', from: 'captured',   after: 'GRD-17', stages: ['settled'] },
  { column: 'refund',     before: 'GRD-17', from: 'settled',    after: 'GRD-19', stages: ['refunded'] },
] as const
type Step = (typeof STEPS)[number]

/**
 * Names of the scenario steps that show how a grid row left its payment, where that is not the one with which it began.
 */
export const LEFT = { status: 'left', events: 'left with events', still: 'left and still so' } as const

/** Name of the step that shows that a payment stood as before when its events had been read: it may settle meanwhile. */
export const STILL = 'still so after the events'

const eventsIn = (exchange: Exchange, expect: Expect): unknown[] => {
  const list = expect.field(exchange, 'events.list')
  if (isServed(exchange) && Array.isArray(list)) return list
  throw new Blocked('the events could not be read', exchange)
}

/** `isTold`: whether the state tells that the step was taken, as it does unless one word names both states. */
type Read = { exchange: Exchange; earlier: unknown[]; later: unknown[]; isTold: boolean }

/** Reads the events before and after a step of one and the same payment. */
const readStep = (evidence: Evidence<string>, expect: Expect, { before, from, after, stages }: Step): Read => {
  const left = findStep(evidence, `${before} ${LEFT.events}`)
  const [one, other] = [left ?? evidence.of(`${before} events`), evidence.of(`${after} events`)]
  for (const exchange of [one, other]) expect.response(exchange)
  const isTold =
    ensureStage(evidence, expect, `${before} ${left ? LEFT.status : 'before'}`, [from]) !==
    ensureStage(evidence, expect, `${after} before`, stages)
  if (findStep(evidence, `${before} ${left ? LEFT.still : STILL}`))
    ensureStage(evidence, expect, `${before} ${left ? LEFT.still : STILL}`, [from])
  if (one.request.url !== other.request.url)
    throw new Blocked('a forbidden act that was served has ended this payment before', other)
  return { exchange: other, earlier: eventsIn(one, expect), later: eventsIn(other, expect), isTold }
}

/** Whether a list holds all items of another in their order; further ones may stand anywhere. */
const holdsInOrder = (items: readonly unknown[], all: readonly unknown[]): boolean => {
  let at = 0
  for (const item of all) if (at < items.length && jsonAgrees(items[at], item)) at += 1
  return at === items.length
}

const row = (id: string, title: string, judge: (read: Read, expect: Expect, step: Step) => void): Check =>
  gridRowCheck({
    id,
    clause: '4, 6',
    title,
    otherColumns: 'the events of one payment are compared, from its authorization to its refund',
    ...GRID_CONTROL,
    needs: ['fields.events.list', 'fields.status.state', 'states'],
    exemptCell: lackedOperation,
    cells: STEPS.map(
      (step): Cell => ({
        column: step.column,
        clause: '4, 6',
        judge: (evidence, expect) => judge(readStep(evidence, expect, step), expect, step),
      }),
    ),
  })

/** Grid rows of step × events: each step of a payment is in its events, and stays there in its order (4, 6). */
export const RECORD_ROWS: readonly Check[] = [
  row('GRD-20', 'every step of a payment adds an event', ({ exchange, earlier, later, isTold }, expect, { column }) => {
    if (column === 'settlement' && !isTold) throw new EmptyCell('no state tells settlement from capture here')
    expect.holds(later.length > earlier.length, `more than ${earlier.length} events`, `${later.length}`, exchange)
  }),
  row('GRD-21', 'no event is lost or moved by a later step', ({ exchange, earlier, later }, expect) =>
    expect.holds(
      holdsInOrder(earlier, later),
      `the ${earlier.length} events of before in their order`,
      'others',
      exchange,
    ),
  ),
]
