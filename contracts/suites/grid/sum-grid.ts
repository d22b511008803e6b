import { isServed } from '../../client/http-exchange.ts'
import { assumed, type Check, type CheckScenario } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { amountOf } from '../../harness/judge/compare-scalars.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence, KeepStep } from '../../harness/judge/scenario-evidence.ts'
import { untakenReason } from '../../harness/profile/create-request-dialect.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { profileLine } from '../../harness/profile/response-fields-and-line-advice.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { expectSum, findSum, readSumUntil } from '../evidence/expect-captured-or-refunded-sum.ts'
import { expectPremise } from '../evidence/expect-premise.ts'
import { expectRefusedOrDeclined } from '../evidence/expect-refused-or-declined.ts'
import { expectReplay } from '../evidence/expect-replay.ts'
import { REFUSED_AMOUNT } from '../evidence/refusal-by-profile-decision.ts'
import { isUnsupported } from '../evidence/unsupported-operation.ts'
import { repeatCall } from '../given/content-of-recorded-call.ts'
import { createAuthorizedPayment, createSettledPayment } from '../given/create-payments.ts'
import { captureBody, refundBody, withMember } from '../given/request-bodies.ts'
import { GRID_CONTROL, lackedOperation } from './cell-judgments.ts'
import { createUnspoiled, type Unspoiled } from './payment-shared-by-forbidden-calls.ts'
import { refusedCorrectCall } from './refused-correct-call.ts'

const ACTS = ['capture', 'refund'] as const
type Act = (typeof ACTS)[number]

/** The amount of every payment of this grid, and the part of it that a partial act takes. */
const WHOLE = 1000
const PART = 113

type SumRow = {
  id: string
  clause: string
  title: string
  amount: number | string
  /** Status of the refusal, where the amount itself is malformed. */
  status?: number
  afterPart?: true
  basis?: ReturnType<typeof assumed>
}

// biome-ignore format: a table reads by its columns
const ROWS: readonly SumRow[] = [
  { id: 'GRD-30', clause: '2.2, 7.1', title: 'nothing at all can be captured or refunded',              amount: 0 },
  { id: 'GRD-31', clause: '2.2, 7.1', title: 'less than nothing can be captured or refunded',           amount: -WHOLE },
  { id: 'GRD-32', clause: '4, R5',    title: 'no more can be captured or refunded than there is',       amount: WHOLE + 1, basis: assumed('D-41') },
  { id: 'GRD-33', clause: '4, R5',    title: 'two parts cannot be more than there is',                  amount: WHOLE - PART + 1, afterPart: true, basis: assumed('D-41') },
  { id: 'GRD-34', clause: '4, R5',    title: 'after a part no more can be taken than there was at all', amount: WHOLE + 1, afterPart: true, basis: assumed('D-41') },
  { id: 'GRD-88', clause: '2.2, 7.1', title: 'an amount that is a text can be neither captured nor refunded', amount: `${PART}`, status: 400, basis: assumed('D-45') },
]

const PARTS = { capture: 'capabilities.partialCaptures', refund: 'capabilities.partialRefunds' } as const

const AMOUNT = 'paymentDetails.amount'

const takesParts = (profile: Profile, act: Act): boolean => profileLine(profile, PARTS[act]) !== false

/** Returns why no amount can be named here: the act, or that member of it, is not offered. */
const unnamedAmount = (profile: Profile, column: string): string | undefined =>
  lackedOperation(profile, column) ?? untakenReason(profile, column as Act, AMOUNT)

const cellOf = ({ id, clause, afterPart, basis, status }: SumRow, column: Act): Cell => ({
  column,
  clause,
  judge: (evidence, expect) => {
    if (afterPart) ensurePart(evidence, column, expect)
    const forbidden = evidence.of(`${id} ${column}`)
    if (!afterPart && isServed(forbidden)) ensureHeard(evidence, column, expect)
    if (status !== undefined) expect.refused(forbidden, { status })
    else if (basis) expect.refused(forbidden, { core: true, ...REFUSED_AMOUNT[column](expect.profile) })
    else expectRefusedOrDeclined(forbidden, expect, { core: true })
    ensureTaken(evidence, column, expect)
  },
})

/** Throws EmptyCell where parts are not supported, which 501 says as well (1, 7.1). */
const ensurePart = (evidence: Evidence<string>, act: Act, expect: Expect): void => {
  const { profile } = expect
  if (!takesParts(profile, act)) throw new EmptyCell(`${profile.file} says ${PARTS[act]}: false`)
  const part = evidence.of(`${act} a part`)
  expect.response(part)
  if (isUnsupported(profile, part)) throw new EmptyCell('the scheme does not do it in parts (1)')
  if (!isServed(part)) throw refusedCorrectCall('a part was refused', part, profile)
}

/**
 * Throws EmptyCell unless the service was seen to tell amounts apart: it took a part and then the rest, or refused either
 * as not supported. One that captures or refunds the whole in any case takes no amount (4 shows no body).
 */
const ensureHeard = (evidence: Evidence<string>, act: Act, expect: Expect): void => {
  const steps = takesParts(expect.profile, act) ? [`${act} a part`, `${act} the rest`] : []
  const tried = steps.map(step => evidence.of(step))
  const isHeard = tried.some(it => isUnsupported(expect.profile, it)) || tried.every(isServed)
  if (steps.length === 0 || !isHeard) throw new EmptyCell(`no ${act} was seen to be of the amount that it names`)
}

/** The control: a lawful amount of the same payment was taken. */
const ensureTaken = (evidence: Evidence<string>, act: Act, expect: Expect): void => {
  const rest = evidence.of(`${act} the rest`)
  expect.response(rest)
  const isPartTaken = takesParts(expect.profile, act) && isServed(evidence.of(`${act} a part`))
  if (!isPartTaken && !isServed(rest))
    throw refusedCorrectCall('a lawful amount was refused as well', rest, expect.profile)
}

const ADDING_UP = 'GRD-69'
const PART_ONCE = 'GRD-87'
const SUMS = { capture: 'captured', refund: 'refunded' } as const

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
    expectSum(evidence.of(`${column} sum`), SUMS[column], WHOLE, expect)
  },
})

/** A part taken once more under its key leaves the sum as it was. */
const onceCell = (column: Act): Cell => ({
  column,
  clause: 'I3',
  judge: (evidence, expect) => {
    ensurePart(evidence, column, expect)
    const [before, after] = [evidence.of(`${column} a part, sum`), evidence.of(`${column} a part again, sum`)]
    expectReplay(evidence.of(`${column} a part again`), evidence.of(`${column} a part`), expect)
    const sum = amountOf(expect.profile, findSum(expect.profile, before, SUMS[column]))
    expectSum(after, SUMS[column], sum ?? PART, expect)
  },
})

type Play = { context: CheckContext; keep: KeepStep<string>; rows: readonly SumRow[]; chosen: ReadonlySet<string> }

const BODIES = { capture: captureBody, refund: refundBody } as const

/** Tries the amounts of all rows on payments of one act, then takes a part twice under two keys, and the rest. */
const tryAmounts = async ({ context, keep, rows, chosen }: Play, act: Act): Promise<void> => {
  const { profile, merchant, account } = context
  const take = (id: string, amount?: number | string) =>
    merchant.request(act, { json: withMember(BODIES[act](account, id), AMOUNT, amount ?? WHOLE) })
  const keepSum = (step: string, id: Promise<string>, amount: number) =>
    keep(
      step,
      id.then(it => readSumUntil(context, it, SUMS[act], amount)),
    ).catch(() => undefined)
  const create = () => (act === 'capture' ? createAuthorizedPayment : createSettledPayment)(profile, context)
  const tryRows = async (payment: Unspoiled<string>, afterPart: boolean) => {
    for (const row of rows.filter(it => (it.afterPart ?? false) === afterPart))
      await keep(
        `${row.id} ${act}`,
        payment.attempt(id => take(id, row.amount)),
      ).catch(() => undefined)
    return payment.current()
  }
  const createOpened = async () => {
    const id = await create()
    await take(id, PART)
    return id
  }
  const takeRest = async (payment: Promise<string>, amount = WHOLE): Promise<void> =>
    void (await keep(
      `${act} the rest`,
      payment.then(id => take(id, amount)),
    ).catch(() => undefined))
  const whole = tryRows(createUnspoiled(create), false)
  if (!takesParts(profile, act)) return takeRest(whole)
  const part = await keep(
    `${act} a part`,
    whole.then(id => take(id, PART)),
  ).catch(() => undefined)
  if (part && isServed(part) && chosen.has(PART_ONCE)) {
    await keepSum(`${act} a part, sum`, whole, PART)
    await keep(`${act} a part again`, merchant.request(act, repeatCall(part))).catch(() => undefined)
    await keepSum(`${act} a part again, sum`, whole, PART)
  }
  const opened = tryRows(createUnspoiled(createOpened, whole), true)
  const equal = part && isServed(part) ? await opened.then(id => take(id, PART)).catch(() => undefined) : undefined
  const parts = [part, equal].filter(it => it !== undefined && isServed(it))
  await takeRest(opened, WHOLE - PART * parts.length)
  await keepSum(`${act} sum`, opened, WHOLE)
}

/** Scenario with the grid rows of amount × capture and refund: more than there is, or not more than zero (2.2, R5). */
export const sumGrid: CheckScenario<CheckContext> = {
  name: 'captures and refunds of each amount',
  tier: 3,
  play: async (context, keep, chosen) => {
    const rows = ROWS.filter(({ id }) => chosen.has(id))
    for (const act of ACTS)
      if (unnamedAmount(context.profile, act) === undefined) await tryAmounts({ context, keep, rows, chosen }, act)
  },
  checks: [
    ...ROWS.map(
      (row): Check =>
        gridRowCheck({
          ...GRID_CONTROL,
          ...row.basis,
          id: row.id,
          clause: row.clause,
          title: row.title,
          exemptCell: unnamedAmount,
          cells: ACTS.map(act => cellOf(row, act)),
        }),
    ),
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
  ],
}
