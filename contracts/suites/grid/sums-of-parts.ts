import { type Exchange, isServed } from '../../client/http-exchange.ts'
import { assumed, type Check } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { amountOf } from '../../harness/judge/compare-scalars.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { untakenReason } from '../../harness/profile/create-request-dialect.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { isDecline } from '../../harness/profile/response-fields-and-line-advice.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import { expectSum, findSum } from '../evidence/expect-captured-or-refunded-sum.ts'
import { expectPremise } from '../evidence/expect-premise.ts'
import { expectReplay } from '../evidence/expect-replay.ts'
import { isUnsupported, partsLine, takesParts } from '../evidence/unsupported-operation.ts'
import { GRID_CONTROL, lackedOperation } from './cell-judgments.ts'
import { refusedCorrectCall } from './refused-correct-call.ts'

export const ACTS = ['capture', 'refund'] as const
export type Act = (typeof ACTS)[number]

/** The amount of every payment of this grid, and the part of it that a partial act takes. */
export const WHOLE = 1000
export const PART = 113

export const AMOUNT = 'paymentDetails.amount'

/** Returns why no amount can be named here: the act, or that member of it, is not offered. */
export const unnamedAmount = (profile: Profile, column: string): string | undefined =>
  lackedOperation(profile, column) ?? untakenReason(profile, column as Act, AMOUNT)

/** Throws EmptyCell where parts are not supported, which 501 says as well (1, 7.1). */
export const ensurePart = (evidence: Evidence<string>, act: Act, expect: Expect): void => {
  const { profile } = expect
  if (!takesParts(profile, act)) throw new EmptyCell(`${profile.file} says ${partsLine(act)}: false`)
  const part = evidence.of(`${act} a part`)
  expect.response(part)
  if (isUnsupported(profile, part)) throw new EmptyCell('the scheme does not do it in parts (1)')
  if (!isServed(part)) throw refusedCorrectCall('a part was refused', part, profile)
}

const ADDING_UP = 'GRD-69'
export const BEYOND = 'GRD-91'
export const PART_ONCE = 'GRD-87'
export const SUMS = { capture: 'captured', refund: 'refunded' } as const

/** Parts and the rest, all taken, are the whole. */
const addingUpCell = (column: Act): Cell => ({
  column,
  clause: '1, 4',
  judge: (evidence, expect) => {
    ensurePart(evidence, column, expect)
    const rest = evidence.of(`${column} the rest`)
    if (isUnsupported(expect.profile, rest)) throw new EmptyCell('the scheme takes no rest after a part (1)')
    expectPremise(evidence.of(`${column} a part`), 'a part', expect)
    expect.served(rest)
    const sum = evidence.of(`${column} sum`)
    const judge = () => expectSum(sum, SUMS[column], WHOLE, expect)
    if ((amountOf(expect.profile, findSum(expect.profile, sum, SUMS[column])) ?? 0) > 0) expect.specified(judge)
    else judge()
  },
})

/** Once several parts are the whole, a further one is more than there is: limits go by all of them, and not by the last. */
const beyondCell = (column: Act): Cell => ({
  column,
  clause: 'R5',
  judge: (evidence, expect) => {
    ensurePart(evidence, column, expect)
    for (const step of [`${column} an equal part`, `${column} the rest`]) {
      expect.response(evidence.of(step))
      if (!isServed(evidence.of(step)) || isDecline(expect.profile, evidence.of(step)))
        throw new EmptyCell(`not all parts were taken, which ${ADDING_UP} judges`)
    }
    expect.refused(evidence.of(`${column} beyond the parts`), { core: true })
  },
})

/** A part taken once more under its key leaves the sum as it was; the part may show only after that (E5). */
const onceCell = (column: Act): Cell => ({
  column,
  clause: 'I3',
  judge: (evidence, expect) => {
    ensurePart(evidence, column, expect)
    const [before, after] = [evidence.of(`${column} a part, sum`), evidence.of(`${column} a part again, sum`)]
    expectReplay(evidence.of(`${column} a part again`), evidence.of(`${column} a part`), expect)
    const sumIn = (read: Exchange) => amountOf(expect.profile, findSum(expect.profile, read, SUMS[column])) ?? PART
    if (Math.max(sumIn(before), sumIn(after)) < PART) {
      expect.maybeLater(`${SUMS[column]} sum ${sumIn(after)}`, after)
      throw new EmptyCell(`no sum shows the part, which ${ADDING_UP} judges`)
    }
    expectSum(after, SUMS[column], Math.max(sumIn(before), PART), expect)
  },
})

/** Grid rows of what several captures or refunds of one payment come to (1, 4, R5, I3). */
export const PART_ROWS: readonly Check[] = [
  gridRowCheck({
    ...GRID_CONTROL,
    id: PART_ONCE,
    clause: 'I3',
    title: 'a part that is captured or refunded again under its key is taken once',
    needs: ['sum.captured', 'sum.refunded'],
    exemptCell: unnamedAmount,
    cells: ACTS.map(onceCell),
  }),
  gridRowCheck({
    ...GRID_CONTROL,
    ...assumed('D-47', 'D-119'),
    id: ADDING_UP,
    clause: '1, 4',
    title:
      'after a part an equal one and the rest are captured or refunded too, or refused with 501, and all are the whole',
    needs: ['sum.captured', 'sum.refunded'],
    exemptCell: unnamedAmount,
    cells: ACTS.map(addingUpCell),
  }),
  gridRowCheck({
    ...GRID_CONTROL,
    ...assumed('D-41'),
    id: BEYOND,
    clause: 'R5',
    title: 'once several parts are the whole, no further one is captured or refunded',
    exemptCell: unnamedAmount,
    cells: ACTS.map(beyondCell),
  }),
]
