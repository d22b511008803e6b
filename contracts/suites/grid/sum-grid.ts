import { isServed } from '../../client/http-exchange.ts'
import { assumed, type Check, type CheckScenario } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence, KeepStep } from '../../harness/judge/scenario-evidence.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { readSumUntil } from '../evidence/expect-captured-or-refunded-sum.ts'
import { expectRefusedOrDeclined, findStep } from '../evidence/expect-refused-or-declined.ts'
import { REFUSED_AMOUNT } from '../evidence/refusal-by-profile-decision.ts'
import { isPartUnsupported, isUnsupported, takesParts } from '../evidence/unsupported-operation.ts'
import { repeatCall } from '../given/content-of-recorded-call.ts'
import { createAuthorizedPayment, createSettledPayment } from '../given/create-payments.ts'
import { captureBody, refundBody, withMember } from '../given/request-bodies.ts'
import { GRID_CONTROL } from './cell-judgments.ts'
import { createUnspoiled, type Unspoiled } from './payment-shared-by-forbidden-calls.ts'
import { refusedCorrectCall } from './refused-correct-call.ts'
import {
  ACTS,
  type Act,
  AMOUNT,
  BEYOND,
  ensurePart,
  PART,
  PART_ONCE,
  PART_ROWS,
  SUMS,
  unnamedAmount,
  WHOLE,
} from './sums-of-parts.ts'

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

const cellOf = ({ id, clause, afterPart, basis, status }: SumRow, column: Act): Cell => ({
  column,
  clause,
  judge: (evidence, expect) => {
    if (afterPart) ensurePart(evidence, column, expect)
    const forbidden = evidence.of(`${id} ${column}`)
    if (!afterPart && isServed(forbidden)) ensureHeard(evidence, column, expect)
    if (isPartUnsupported(expect.profile, column, forbidden, findStep(evidence, `${column} a part`)))
      expect.refused(forbidden)
    else if (status !== undefined) expect.refused(forbidden, { status })
    else if (basis) expect.refused(forbidden, { core: true, ...REFUSED_AMOUNT[column](expect.profile) })
    else expectRefusedOrDeclined(forbidden, expect, { core: true })
    ensureTaken(evidence, column, expect)
  },
})

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
  const takeEqual = () =>
    keep(
      `${act} an equal part`,
      opened.then(id => take(id, PART)),
    ).catch(() => undefined)
  const equal = part && isServed(part) ? await takeEqual() : undefined
  const parts = [part, equal].filter(it => it !== undefined && isServed(it))
  await takeRest(opened, WHOLE - PART * parts.length)
  await keepSum(`${act} sum`, opened, WHOLE)
  if (chosen.has(BEYOND))
    await keep(
      `${act} beyond the parts`,
      opened.then(id => take(id, PART)),
    ).catch(() => undefined)
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
    ...PART_ROWS,
  ],
}
