import type { Exchange } from '../../client/http-exchange.ts'
import { isServed } from '../../client/http-exchange.ts'
import type { Check } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { jsonAgrees } from '../../harness/judge/compare-shared-json-members.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import { isJsonObject } from '../../protocol/canonical-json.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { findEventCount } from '../evidence/expect-more-events.ts'
import { findStep } from '../evidence/expect-refused-or-declined.ts'
import { operationsOn } from '../given/calls-on-payment.ts'
import { readUntil } from '../given/read-until.ts'
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
 * Names of the scenario steps that show how a grid row found its payment, and that it stood so still when its events had
 * been read: it may settle meanwhile.
 */
export const FOUND = { status: 'before', events: 'events', still: 'still so after the events' } as const

/** Names of the same steps where the row left another payment than the one with which it began. */
export const LEFT = { status: 'left', events: 'left with events', still: 'left and still so' } as const

const eventsIn = (exchange: Exchange, expect: Expect): unknown[] => {
  const list = expect.field(exchange, 'events.list')
  if (isServed(exchange) && Array.isArray(list)) return list
  throw new Blocked('the events could not be read', exchange)
}

/**
 * Creates a function that reads the events of a payment until there are more than it last read of it, and they show the
 * state of its status: reads may lag (E5).
 */
export const createEventsReader = (context: CheckContext) => {
  const { profile } = context
  const told = new Map<string, number>()
  return async (transactionId: string, status: Exchange | undefined): Promise<Exchange> => {
    const state = status && findField(profile, status, 'status.state')
    const isNews = (exchange: Exchange): boolean => {
      const shown = findField(profile, exchange, 'events.state') ?? state
      return (
        (findEventCount(profile, exchange) ?? Infinity) > (told.get(transactionId) ?? -1) &&
        (shown === state || state === undefined)
      )
    }
    const events = await readUntil(profile, operationsOn(context, transactionId).events, isNews, context)
    told.set(transactionId, findEventCount(profile, events) ?? 0)
    return events
  }
}

/** `isTold`: whether the state tells that the step was taken, as it does unless one word names both states. */
type Read = { exchange: Exchange; earlier: unknown[]; later: unknown[]; isTold: boolean }

/** Reads the events before and after a step of one and the same payment. */
const readStep = (evidence: Evidence<string>, expect: Expect, { before, from, after, stages }: Step): Read => {
  const steps = findStep(evidence, `${before} ${LEFT.events}`) ? LEFT : FOUND
  const [one, other] = [evidence.of(`${before} ${steps.events}`), evidence.of(`${after} ${FOUND.events}`)]
  for (const exchange of [one, other]) expect.response(exchange)
  const isTold =
    ensureStage(evidence, expect, `${before} ${steps.status}`, [from]) !==
    ensureStage(evidence, expect, `${after} ${FOUND.status}`, stages)
  if (findStep(evidence, `${before} ${steps.still}`)) ensureStage(evidence, expect, `${before} ${steps.still}`, [from])
  if (one.request.url !== other.request.url)
    throw new Blocked('a forbidden act that was served has ended this payment before', other)
  return { exchange: other, earlier: eventsIn(one, expect), later: eventsIn(other, expect), isTold }
}

/**
 * Whether a list holds all events of another in their order, of which up to two members may change if the others tell the
 * events apart.
 */
const holdsEvents = (earlier: readonly unknown[], later: readonly unknown[]): boolean => {
  if (holdsInOrder(earlier, later)) return true
  const names = [...new Set(earlier.filter(isJsonObject).flatMap(Object.keys))]
  return names.some((one, at) =>
    names.slice(at).some(other => {
      const kept = earlier.map(event => without(event, one, other))
      const now = later.map(event => without(event, one, other))
      return areDistinct(kept) && holdsInOrder(kept, now)
    }),
  )
}

const without = (event: unknown, one: string, other: string): unknown =>
  isJsonObject(event) ? { ...event, [one]: undefined, [other]: undefined } : event

const areDistinct = (items: readonly unknown[]): boolean =>
  items.every((item, at) => !items.slice(0, at).some(other => jsonAgrees(item, other)))

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
    if (later.length <= earlier.length) expect.maybeLater(`no event beside the ${earlier.length} of before`, exchange)
    expect.holds(later.length > earlier.length, `more than ${earlier.length} events`, `${later.length}`, exchange)
  }),
  row('GRD-21', 'no event is lost or moved by a later step', ({ exchange, earlier, later }, expect) =>
    expect.holds(
      holdsEvents(earlier, later),
      `the ${earlier.length} events of before in their order`,
      'others',
      exchange,
    ),
  ),
]
