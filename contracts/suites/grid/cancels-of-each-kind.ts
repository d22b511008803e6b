import { isServed } from '../../client/http-exchange.ts'
import type { Check, CheckScenario } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence, KeepStep } from '../../harness/judge/scenario-evidence.ts'
import { lackedMethodReason } from '../../harness/profile/capabilities-that-checks-need.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { isDecline } from '../../harness/profile/response-fields-and-line-advice.ts'
import { chargeUntilServed } from '../charges-without-mandate.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import { lastingMandate } from '../check-builders/lasting-mandate.ts'
import { WITH_STATES } from '../check-builders/lifecycle-checks.ts'
import type { CheckContext } from '../context/check-context.ts'
import { expectServedByHand } from '../evidence/expect-premise.ts'
import { findStep } from '../evidence/expect-refused-or-declined.ts'
import { isUnsupported } from '../evidence/unsupported-operation.ts'
import { operationsOn } from '../given/calls-on-payment.ts'
import { createMandatePayment, initiateMandate } from '../given/create-mandate-payments.ts'
import { AFTER_FINALIZE, ensureServed, initiate, letShopper, readTransactionId } from '../given/create-payments.ts'
import { readStatusUntil, showsCategory } from '../given/read-until.ts'
import { uniqueReference } from '../given/request-bodies.ts'
import { APPROVED, bankSeconds } from '../shopper-decisions.ts'
import { lackedOperation } from './cell-judgments.ts'
import { CAPTURED } from './kinds-of-payment-rows.ts'

type Kind = 'RECURRING' | 'TOKEN_ONLY' | 'IRIS'
type Stage = 'waiting' | 'consented' | 'authorized'
type Canceled = { kind: Kind; stage: Stage }

/** Kinds of payment beside one-time ones of BLIK and charges, each in the states in which a cancel may be lawful. */
const CANCELED: readonly Canceled[] = [
  { kind: 'RECURRING', stage: 'waiting' },
  { kind: 'RECURRING', stage: 'consented' },
  { kind: 'RECURRING', stage: 'authorized' },
  { kind: 'TOKEN_ONLY', stage: 'waiting' },
  { kind: 'TOKEN_ONLY', stage: 'consented' },
  { kind: 'IRIS', stage: 'consented' },
  { kind: 'IRIS', stage: 'authorized' },
]

const columnOf = ({ kind, stage }: Canceled): string => `${kind}, ${stage}`

const BY_HAND = 'initiate, captured by hand'
/** Step that shows whether a payment whose cancel was refused had only not shown its capture yet (E5). */
const REFUSED = 'after the refusal'

type Begun = { kind: Kind; stage: Stage; payerId: string; keep: KeepStep<string> }

/** Initiates a payment of a kind, which its shopper approves unless it is to wait; undefined where that is refused. */
const begin = async (context: CheckContext, { kind, stage, payerId, keep }: Begun): Promise<string | undefined> => {
  const { profile } = context
  if (kind === 'IRIS') {
    const choice = { method: 'IRIS', ...(stage === 'authorized' && { autoCapture: false }) } as const
    const initiated = await initiate(context, choice)
    if (stage === 'authorized' && !isServed(await keep(BY_HAND, Promise.resolve(initiated)))) return undefined
    return letShopper(profile, context, initiated, choice)
  }
  const choice = { payerId, ...(kind === 'RECURRING' && { autoCapture: false }) }
  if (stage !== 'waiting') return createMandatePayment(profile, context, kind, choice)
  return readTransactionId(profile, await initiateMandate(context, kind, { ...choice, will: 'lapse' }))
}

/** Brings a payment to its state and cancels it; tries to capture what was authorized, and to charge its payer. */
const cancelOne = async (context: CheckContext, canceled: Canceled, keep: KeepStep<string>): Promise<void> => {
  const { profile } = context
  const payerId = uniqueReference()
  const id = await begin(context, { ...canceled, payerId, keep })
  if (id === undefined) return
  const { finalize, cancel, capture } = operationsOn(context, id)
  if (canceled.stage !== 'waiting')
    await readStatusUntil(profile, context, id, [...APPROVED, 'declined'], { withinSeconds: bankSeconds(profile) })
  if (canceled.stage === 'authorized') {
    await ensureServed(profile, keep('finalize', finalize()))
    await keep('authorized', readStatusUntil(profile, context, id, AFTER_FINALIZE))
  }
  if (!isServed(await keep('cancel', cancel()))) {
    if (canceled.stage === 'authorized') await keep(REFUSED, readStatusUntil(profile, context, id, CAPTURED))
    return
  }
  await keep('status', readStatusUntil(profile, context, id, ['canceled']))
  if (canceled.stage !== 'authorized') return
  await keep('capture', capture())
  if (canceled.kind === 'RECURRING') await keep('charge', chargeUntilServed(context, id, { payerId }))
}

const stepOf = (evidence: Evidence<string>, canceled: Canceled, step: string) =>
  findStep(evidence, `${columnOf(canceled)} ${step}`) ?? evidence.of(`${columnOf(canceled)} ended early`)

/** A cancel that was told is done; whether one is served before the authorization is a choice (D-39). */
const judgeCanceled = (evidence: Evidence<string>, expect: Expect, canceled: Canceled): void => {
  const [{ profile }, of] = [expect, (step: string) => stepOf(evidence, canceled, step)]
  const byHand = findStep(evidence, `${columnOf(canceled)} ${BY_HAND}`)
  if (byHand) {
    expect.response(byHand)
    if (!isServed(byHand)) throw new EmptyCell('no payment of IRIS is captured by hand here (1)')
  }
  const cancel = of('cancel')
  expect.response(cancel)
  if (isUnsupported(profile, cancel)) throw new EmptyCell('the scheme cancels none of it (1, 7.1)')
  if (canceled.stage === 'authorized') {
    const reads = isServed(cancel) ? [of('authorized')] : [of('authorized'), of(REFUSED)]
    for (const read of reads) expect.response(read)
    const other = reads.find(read => showsCategory(profile, read, 'authorized') === false)
    if (canceled.kind === 'IRIS' && other) throw new EmptyCell('no payment of IRIS is captured by hand here (1)')
    expectServedByHand(cancel, other ?? of('authorized'), expect)
  } else if (!isServed(cancel)) throw new EmptyCell('its cancel is refused: LIF-30 and LIF-31 judge that (D-39)')
  const status = of('status')
  if (isDecline(profile, cancel) && showsCategory(profile, status, 'canceled') === false)
    throw new EmptyCell('its cancel was declined')
  expect.inCategory(status, 'canceled')
  if (canceled.stage === 'authorized') expect.refused(of('capture'), { status: 422, or: 409, code: '5' })
}

const cellOf = (canceled: Canceled): Cell => ({
  column: columnOf(canceled),
  clause: canceled.stage === 'authorized' ? 'R2' : 'R1, R2',
  judge: (evidence, expect) => judgeCanceled(evidence, expect, canceled),
})

const lackedColumn = (profile: Profile, column: string): string | undefined =>
  lackedOperation(profile, 'cancel') ??
  (column.startsWith('IRIS') ? lackedMethodReason(profile, 'IRIS') : lackedOperation(profile, 'charge'))

const CHECKS: readonly Check[] = [
  gridRowCheck({
    id: 'GRD-90',
    clause: 'R1, R2',
    title: 'a cancel that is told is done, of every kind of payment in every state before its capture',
    control: 'LIF-09',
    ...WITH_STATES,
    exemptCell: lackedColumn,
    cells: [
      { column: 'BLIK', empty: 'LIF-09, LIF-30 and LIF-31 judge these cells' },
      { column: 'IRIS, waiting', empty: 'IRS-15 judges this cell' },
      { column: 'charge', empty: 'GRD-35 judges this cell' },
      ...CANCELED.map(cellOf),
    ],
  }),
  lastingMandate({
    id: 'VAL-64',
    after: 'the payment that made it was voided',
    premises: ['finalize', 'cancel'],
    charge: 'charge',
    find: (evidence, step) => stepOf(evidence, { kind: 'RECURRING', stage: 'authorized' }, step),
  }),
]

/** Scenario with the grid row of kind of payment × state in which it is canceled (R1, R2, D-39). */
export const cancelGrid: CheckScenario<CheckContext> = {
  name: 'cancels of every kind of payment',
  tier: 3,
  needs: ['fields.initiate.transactionId'],
  play: async (context, keep, chosen) => {
    for (const canceled of CANCELED) {
      if (lackedColumn(context.profile, columnOf(canceled)) !== undefined) continue
      if (!chosen.has('GRD-90') && columnOf(canceled) !== 'RECURRING, authorized') continue
      const keepOne: KeepStep<string> = (step, exchange) => keep(`${columnOf(canceled)} ${step}`, exchange)
      await cancelOne(context, canceled, keepOne).catch(why =>
        keepOne('ended early', Promise.reject(why)).catch(() => undefined),
      )
    }
  },
  checks: CHECKS,
}
