import { type Exchange, isServed } from '../../client/http-exchange.ts'
import { assumed, type Check } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { amountOf } from '../../harness/judge/compare-scalars.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import { lackedMethodReason } from '../../harness/profile/capabilities-that-checks-need.ts'
import { untakenReason } from '../../harness/profile/create-request-dialect.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import { WITH_STATES } from '../check-builders/lifecycle-checks.ts'
import { expectSum, findSum } from '../evidence/expect-captured-or-refunded-sum.ts'
import {
  expectCategoryUnlessDeclined,
  expectPremise,
  expectPremiseState,
  expectRefunds,
  expectServedByHand,
} from '../evidence/expect-premise.ts'
import { findStep } from '../evidence/expect-refused-or-declined.ts'
import { expectSettled } from '../evidence/expect-settled.ts'
import { REFUSED_AMOUNT } from '../evidence/refusal-by-profile-decision.ts'
import { isPartUnsupported, isUnsupported } from '../evidence/unsupported-operation.ts'
import { showsCategory } from '../given/read-until.ts'
import { lackedOperation } from './cell-judgments.ts'
import { refusedCorrectCall } from './refused-correct-call.ts'
import { expectFound, FOUND_NEEDS, idsIn, OTHERS_FOUND } from './search-rows.ts'

/** A charge that a call of capture captures; the other kinds are captured with their authorization (3 seq 2). */
export const BY_HAND = 'charge by hand'

/** Kinds of payment: one-time by each method, one that makes a mandate, and charges of a mandate (1). */
export const KINDS = ['BLIK', 'IRIS', 'RECURRING', 'charge', BY_HAND] as const
export type Kind = (typeof KINDS)[number]

export const isCharge = (kind: Kind): boolean => kind === 'charge' || kind === BY_HAND

/** The amount of every payment of this grid, and a refund of more than that. */
export const WHOLE = 1000
export const TOO_MUCH = WHOLE + 1

export const CAPTURED = ['captured', 'settled']

/** Returns why a deployment has no payments of a kind; undefined where it has. */
export const lackedKind = (profile: Profile, kind: string): string | undefined =>
  kind === 'BLIK' || kind === 'IRIS'
    ? lackedMethodReason(profile, kind)
    : (lackedOperation(profile, 'charge') ?? (kind === BY_HAND ? lackedOperation(profile, 'capture') : undefined))

/** Steps of the way of one payment: `of` throws where one was not reached. */
type Way = { of(step: string): Exchange; find(step: string): Exchange | undefined }

/** Returns the steps of the way of one payment. */
export const wayOf = (evidence: Evidence<string>, kind: Kind): Way => {
  const find = (step: string) => findStep(evidence, `${kind} ${step}`)
  return { find, of: step => find(step) ?? evidence.of(`${kind} ended early`) }
}

const cells = (
  clause: string,
  judge: (way: Way, expect: Expect, kind: Kind) => void,
  spots: Partial<Record<Kind, string>> = {},
): Cell[] =>
  KINDS.map(column =>
    spots[column] === undefined
      ? { column, clause, judge: (evidence, expect) => judge(wayOf(evidence, column), expect, column) }
      : { column, empty: `${spots[column]} judges this cell` },
  )

/** The refund of the whole; throws EmptyCell where this kind has no refunds (1, 7.1). */
const refundOf = ({ of }: Pick<Way, 'of'>, expect: Expect): Exchange => {
  const refund = of('refund')
  expect.response(refund)
  if (isUnsupported(expect.profile, refund)) throw new EmptyCell('the scheme has no refunds of it (1, 7.1)')
  return refund
}

/** What is captured is what was asked for; that it is captured at all rests on the place of autoCapture (2.1, D-02). */
const judgeCaptured = ({ of }: Way, expect: Expect, kind: Kind): void => {
  expectPremise(of('begun'), 'the first call', expect)
  if (kind === BY_HAND) expectServedByHand(of('capture'), of('authorized'), expect)
  if (showsCategory(expect.profile, of('captured'), 'authorized', 'declined') !== undefined)
    expectCategoryUnlessDeclined(of('captured'), expect, ...CAPTURED)
  const sum = of('captured sum')
  const judge = () => expectSum(sum, 'captured', WHOLE, expect)
  if (amountOf(expect.profile, findSum(expect.profile, sum, 'captured'))) expect.specified(judge)
  else judge()
}

/** More than the whole is refused; a service that takes no amount of a refund, and refunds the whole, is lawful (4). */
const judgeTooMuch = ({ of }: Way, expect: Expect): void => {
  const [tooMuch, { profile }] = [of('too much'), expect]
  expect.response(tooMuch)
  if (isServed(tooMuch)) {
    const sum = amountOf(profile, findSum(profile, of('sum of too much'), 'refunded'))
    if (sum === undefined || sum <= WHOLE)
      throw new EmptyCell('the refund was not seen to be of the amount that it names')
    expect.specified(() => expect.holds(false, `refunded sum ${WHOLE} at most`, sum, of('sum of too much')))
  }
  const refund = refundOf({ of }, expect)
  if (!isServed(refund)) throw refusedCorrectCall('the refund of the whole was refused as well', refund, profile)
  const refusal = isPartUnsupported(profile, 'refund', tooMuch) ? {} : REFUSED_AMOUNT.refund(profile)
  expect.refused(tooMuch, { core: true, ...refusal })
}

const judgeRefunded = ({ of, find }: Way, expect: Expect): void => {
  const tooMuch = find('too much')
  if (tooMuch && isServed(tooMuch)) throw new EmptyCell('it was refunded by the call before, which GRD-63 judges')
  expectPremise(refundOf({ of }, expect), 'refund', expect)
  expectSum(of('refunded sum'), 'refunded', WHOLE, expect)
}

/** A search finds the payment, and alone: the repeated first call has made no other (I3). */
const judgeFound = ({ of }: Way, expect: Expect, kind: Kind): void => {
  const operation = isCharge(kind) ? 'charge' : 'initiate'
  expectPremise(of('begun'), 'the first call', expect)
  const transactionId = String(expect.field(of('begun'), `${operation}.transactionId`))
  const found = expectFound(of('found'), transactionId, expect)
  if (found.length > 1) throw new EmptyCell(OTHERS_FOUND)
  const again = idsIn(of('found again'), expect)
  expect.holds(again.length <= 1, 'the same payment alone after a replay', again, of('found again'))
}

/** Expects an act that a settled payment forbids to be refused. */
const judgeForbidden =
  (step: string) =>
  ({ of }: Way, expect: Expect): void => {
    expectPremiseState(of('settled'), expect, 'settled')
    const forbidden = of(step)
    expect.response(forbidden)
    if (isUnsupported(expect.profile, forbidden)) throw new EmptyCell('the scheme does not do it at all (1, 7.1)')
    expect.refused(forbidden, { status: 422, or: 409, code: '5' })
  }

const lackedActOf =
  (act: string) =>
  (profile: Profile, kind: string): string | undefined =>
    lackedKind(profile, kind) ?? lackedOperation(profile, act)

const noAmountOfRefund = (profile: Profile, kind: string): string | undefined =>
  lackedKind(profile, kind) ?? untakenReason(profile, 'refund', 'paymentDetails.amount')

const OF_CHARGE = ['blik.approve', 'fields.charge.transactionId']

const judgeSettled = ({ of }: Way, expect: Expect): void => {
  expectPremiseState(of('captured'), expect, ...CAPTURED)
  expectSettled(of('settled'), expect)
}

/** Checks of the way of a charge (3 sequence 2). */
const CHARGE_CHECKS: readonly Check[] = [
  {
    id: 'LIF-35',
    clause: '3 seq 2, R4',
    title: 'a charge that is captured settles with no further call',
    control: 'LIF-03',
    needs: [...OF_CHARGE, ...WITH_STATES.needs],
    judge: (evidence, expect) => judgeSettled(wayOf(evidence, 'charge'), expect),
  },
  {
    id: 'LIF-36',
    clause: '3 seq 2, R1',
    title: 'a charge that has settled can be refunded',
    control: 'LIF-35',
    needs: OF_CHARGE,
    judge: (evidence, expect) => {
      const { of, find } = wayOf(evidence, 'charge')
      const tooMuch = find('too much')
      if (tooMuch && isServed(tooMuch)) throw new Blocked('it was refunded by a call for more than the whole', tooMuch)
      expectRefunds(of('refund'), expect)
      expect.served(of('refund'))
    },
  },
]

/** Grid rows of rule × kind of payment (1, 2.2, 3, R1, R4, R5, I3). */
export const KINDS_OF_PAYMENT_ROWS: readonly Check[] = [
  ...CHARGE_CHECKS,
  gridRowCheck({
    ...assumed('D-02'),
    id: 'GRD-62',
    clause: '2.2, 3',
    title: 'every kind of payment is captured for the amount that it names',
    control: 'LIF-02',
    needs: ['sum.captured'],
    exemptCell: lackedKind,
    cells: cells('2.2, 3', judgeCaptured),
  }),
  gridRowCheck({
    id: 'GRD-65',
    clause: 'R4',
    title: 'every kind of payment that is captured settles with no further call',
    control: 'LIF-05',
    ...WITH_STATES,
    exemptCell: lackedKind,
    cells: cells('R4', judgeSettled, { BLIK: 'LIF-05', IRIS: 'IRS-11', charge: 'LIF-35' }),
  }),
  gridRowCheck({
    id: 'GRD-67',
    clause: 'R5',
    title: 'no kind of payment is captured again once it has settled',
    control: 'LIF-05',
    ...WITH_STATES,
    exemptCell: lackedActOf('capture'),
    cells: cells('R5', judgeForbidden('capture again'), { BLIK: 'GRD-17' }),
  }),
  gridRowCheck({
    id: 'GRD-68',
    clause: 'R1, R2',
    title: 'no kind of payment is voided once it has settled',
    control: 'LIF-05',
    ...WITH_STATES,
    exemptCell: lackedActOf('cancel'),
    cells: cells('R1, R2', judgeForbidden('cancel'), { BLIK: 'GRD-17' }),
  }),
  gridRowCheck({
    ...assumed('D-41'),
    id: 'GRD-63',
    clause: 'R5',
    title: 'of no kind of payment more can be refunded than was captured',
    control: 'LIF-08',
    exemptCell: noAmountOfRefund,
    cells: cells('R5', judgeTooMuch),
  }),
  gridRowCheck({
    id: 'GRD-64',
    clause: '1, R1',
    title: 'of every kind of payment a refund of the whole refunds it',
    control: 'LIF-08',
    needs: ['sum.refunded'],
    exemptCell: lackedKind,
    cells: cells('1, R1', judgeRefunded),
  }),
  gridRowCheck({
    id: 'GRD-66',
    clause: '2.1, 8, I3',
    title: 'every kind of payment is found by its clientTransactionId, and is one after a replay',
    control: 'RDS-09',
    needs: FOUND_NEEDS,
    exemptCell: lackedKind,
    cells: cells('2.1, 8, I3', judgeFound),
  }),
]
