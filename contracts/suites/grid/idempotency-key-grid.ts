import { randomUUID } from 'node:crypto'
import { type Exchange, isServed } from '../../client/http-exchange.ts'
import type { CheckScenario } from '../../harness/judge/check.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { KeepStep } from '../../harness/judge/scenario-evidence.ts'
import { hasCapability } from '../../harness/profile/capabilities-that-checks-need.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import type { ProviderOperation } from '../../operations.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { expectPremise, expectPremiseState } from '../evidence/expect-premise.ts'
import { expectReplay } from '../evidence/expect-replay.ts'
import { operationsOn } from '../given/calls-on-payment.ts'
import {
  AFTER_FINALIZE,
  createAuthorizedPayment,
  createSettledPayment,
  letShopper,
  preparePayment,
  waitForSettlement,
} from '../given/create-payments.ts'
import { readStatusUntil, showsCategory } from '../given/read-until.ts'
import { cancelBody, captureBody, chargeBody, finalizeBody, refundBody } from '../given/request-bodies.ts'
import { GRID_CONTROL, lackedOperation, NO_KEY } from './cell-judgments.ts'
import { ANOTHER_PAYER, CONFLICT_ROWS, conflictsOf, ensureServed } from './key-conflict-rows.ts'
import { isRaced, RACE, RACE_ROW } from './race-row.ts'
import { createLookup, KEYED_READ_ROW, LOOKUP_ROW, type LookedUpStep } from './search-rows.ts'
import { isByHand, mandatePayer } from './signed-operation-columns.ts'

const LATER = 'GRD-25'
const OTHERS = 'GRD-48'
/** The amount of every payment of this grid, and the part of it that is refunded first. */
const WHOLE = 1000
const PART_AMOUNT = 400
const COLUMNS = ['initiate', 'finalize', 'charge', 'capture', 'cancel', 'refund'] as const

const FINAL: Readonly<Partial<Record<ProviderOperation, string>>> = {
  cancel: 'a canceled payment never changes: IDM-13 judges the replay',
}

/** A refund in part, replayed after the rest was refunded. */
const PART = 'refund of a part'

const partReplayCell: Cell = {
  column: 'refund',
  clause: 'I3',
  judge: (evidence, expect) => {
    const isPart = hasCapability(expect.profile, 'partialRefunds') && isServed(evidence.of(PART))
    if (!isPart || !isServed(evidence.of(`${PART}, and of the rest`)))
      throw new EmptyCell('a payment refunded as a whole never changes: IDM-12 judges the replay')
    expectReplay(evidence.of(`${LATER} refund`), evidence.of(PART), expect)
  },
}

const replayCell = (column: ProviderOperation): Cell =>
  FINAL[column] === undefined
    ? {
        column,
        clause: 'I3',
        judge: (evidence, expect) => {
          ensureServed(evidence.of(column))
          expectReplay(evidence.of(`${LATER} ${column}`), evidence.of(column), expect)
        },
      }
    : { column, empty: FINAL[column] }

/** Makes the calls of this grid: first ones under a key, and then others under the same key. */
const createKeyedCalls = (context: CheckContext, keep: KeepStep<string>, chosen: ReadonlySet<string>) => {
  const sent = new Map<ProviderOperation, { json: object; idempotencyKey: string }>()
  const post = (operation: ProviderOperation, json: object, idempotencyKey: string) =>
    context.merchant.request(operation, { json, idempotencyKey })
  return {
    /** Makes an act under a fresh key, and tries others under it. */
    first: async (operation: ProviderOperation, json: object, anotherPayer?: string): Promise<Exchange> => {
      const idempotencyKey = randomUUID()
      sent.set(operation, { json, idempotencyKey })
      const send = () => post(operation, json, idempotencyKey)
      const sentAtOnce = await Promise.all(chosen.has(RACE) && isRaced(operation) ? [send(), send()] : [send()])
      const made = await keep(operation, Promise.resolve(sentAtOnce.find(isServed) ?? (sentAtOnce[0] as Exchange)))
      const other = sentAtOnce.find(exchange => exchange !== made)
      if (other) await keep(`${RACE} ${operation}`, Promise.resolve(other))
      for (const { step, body } of conflictsOf(context.profile, operation, json, chosen, anotherPayer))
        await keep(step, post(operation, body, idempotencyKey))
      if (chosen.has(OTHERS)) {
        const theirs = context.secondOrganization()
        const tried = theirs.then(({ merchant }) => merchant.request(operation, { json, idempotencyKey }))
        await keep(`${OTHERS} ${operation}`, tried).catch(() => undefined)
      }
      return made
    },
    /** Sends the first call of an operation again, now that its payment has changed. */
    again: async (operation: ProviderOperation): Promise<void> => {
      const known = sent.get(operation)
      if (known && chosen.has(LATER))
        await keep(`${LATER} ${operation}`, post(operation, known.json, known.idempotencyKey))
    },
  }
}

/**
 * Scenario with the grid rows of operation × key: replays after the payment changed, conflicts by each member (I3, I4).
 */
export const keyGrid: CheckScenario<CheckContext> = {
  name: 'every keyed operation again, later or otherwise',
  tier: 3,
  play: async (context, keep, chosen) => {
    const { profile, account } = context
    const { first, again } = createKeyedCalls(context, keep, chosen)
    await chargeAndReplay(context, keep, { first, again }, chosen.has(ANOTHER_PAYER)).catch(() => undefined)
    if (isByHand(context)) await first('cancel', cancelBody(account, await createAuthorizedPayment(profile, context)))
    const lookUp = createLookup(context, keep, chosen)
    const body = await preparePayment(context, { autoCapture: !isByHand(context) })
    const found = (step: LookedUpStep) => lookUp(step, body.clientTransactionId)
    const initiated = await first('initiate', body)
    await found('initiate')
    const transactionId = await letShopper(profile, context, initiated)
    await first('finalize', finalizeBody(account, transactionId))
    await readStatusUntil(profile, context, transactionId, AFTER_FINALIZE)
    await found('finalize')
    await again('initiate')
    if (isByHand(context)) {
      await first('capture', captureBody(account, transactionId, WHOLE))
      await found('capture')
      await again('finalize')
    }
    await waitForSettlement(profile, context, transactionId)
    await found('settlement')
    const isRefunded = chosen.has(LATER) && (await refundInParts(context, keep, transactionId))
    const refunded = isRefunded ? await createSettledPayment(profile, context) : transactionId
    await first('refund', refundBody(account, refunded, WHOLE))
    await found('refund')
    await again(isByHand(context) ? 'capture' : 'finalize')
  },
  checks: [
    gridRowCheck({
      ...GRID_CONTROL,
      id: LATER,
      clause: 'I3',
      title: 'a replay tells the stored result, also when the payment has changed since',
      otherColumns: NO_KEY,
      exemptCell: lackedOperation,
      cells: COLUMNS.map(column => (column === 'refund' ? partReplayCell : replayCell(column))),
    }),
    gridRowCheck({
      ...GRID_CONTROL,
      control: 'LIF-04', // else autoCapture may not be read where the calls have it (D-02)
      id: 'GRD-35',
      clause: '2.1, 3',
      title: 'with autoCapture false nothing is captured: the authorization can still be voided',
      otherColumns: 'it authorizes no payment',
      exemptCell: (profile, column) => lackedOperation(profile, 'capture') ?? lackedOperation(profile, column),
      cells: [
        { column: 'finalize', empty: 'LIF-04 and LIF-09 judge this cell' },
        {
          column: 'charge',
          clause: '3 seq 2, R2',
          judge: (evidence, expect) => {
            expectPremise(evidence.of('charge'), 'charge', expect)
            expectPremiseState(evidence.of('charge authorized'), expect, 'authorized', 'captured', 'settled')
            expect.served(evidence.of('charge voided'))
            const status = evidence.of('charge after the cancel')
            if (showsCategory(expect.profile, status, 'canceled') !== undefined) expect.inCategory(status, 'canceled')
            const late = evidence.of('charge captured after the cancel')
            expect.refused(late, { status: 422, or: 409, code: '5' })
          },
        },
      ],
    }),
    gridRowCheck({
      ...GRID_CONTROL,
      id: OTHERS,
      clause: 'I3, 7.1',
      title: 'no stored result is told to another organization under the same key',
      otherColumns: NO_KEY,
      needs: ['secondOrganization'],
      exemptCell: lackedOperation,
      cells: COLUMNS.map(column => ({
        column,
        clause: '7.1',
        judge: (evidence, expect) => {
          ensureServed(evidence.of(column))
          expect.refused(evidence.of(`${OTHERS} ${column}`))
        },
      })),
    }),
    RACE_ROW,
    LOOKUP_ROW,
    KEYED_READ_ROW,
    ...CONFLICT_ROWS,
  ],
}

/** Refunds a payment in two parts, and replays the first; returns whether any of it is refunded now. */
const refundInParts = async (
  { merchant, account, profile }: CheckContext,
  keep: KeepStep<string>,
  transactionId: string,
): Promise<boolean> => {
  if (!hasCapability(profile, 'partialRefunds')) return false
  const call = { json: refundBody(account, transactionId, PART_AMOUNT), idempotencyKey: randomUUID() }
  if (!isServed(await keep(PART, merchant.request('refund', call)))) return false
  const rest = refundBody(account, transactionId, WHOLE - PART_AMOUNT)
  await keep(`${PART}, and of the rest`, merchant.request('refund', { json: rest }))
  await keep(`${LATER} refund`, merchant.request('refund', call))
  return true
}

type KeyedCalls = ReturnType<typeof createKeyedCalls>

const chargeAndReplay = async (
  context: CheckContext,
  keep: KeepStep<string>,
  { first, again }: KeyedCalls,
  isOfAnother: boolean,
): Promise<void> => {
  const { profile, account, merchant } = context
  if (lackedOperation(profile, 'charge') !== undefined) return
  const payer = await mandatePayer(context)
  const another = isOfAnother ? await mandatePayer(context).catch(() => undefined) : undefined
  const made = await first('charge', chargeBody(account, payer, !isByHand(context)), another?.payerId)
  const transactionId = findField(profile, made, 'charge.transactionId')
  if (transactionId === undefined) return
  if (isByHand(context)) {
    await keep('charge authorized', readStatusUntil(profile, context, String(transactionId), AFTER_FINALIZE))
    await keep('charge voided', merchant.request('cancel', { json: cancelBody(account, String(transactionId)) }))
    await keep('charge after the cancel', readStatusUntil(profile, context, String(transactionId), ['canceled']))
    await keep('charge captured after the cancel', operationsOn(context, String(transactionId)).capture())
  } else await waitForSettlement(profile, context, String(transactionId))
  await again('charge')
}
