import { type Exchange, isServed } from '../../client/http-exchange.ts'
import type { CheckScenario } from '../../harness/judge/check.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence, KeepStep } from '../../harness/judge/scenario-evidence.ts'
import { ACTS, type Act, type OperationName } from '../../operations.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import { findStep } from '../evidence/expect-refused-or-declined.ts'
import { chosenRefusal } from '../evidence/refusal-by-profile-decision.ts'
import { showsId } from '../evidence/shows-id.ts'
import { operationsOn } from '../given/calls-on-payment.ts'
import {
  createApprovedPayment,
  createAuthorizedPayment,
  createSettledPayment,
  preparePayment,
  waitForSettlement,
} from '../given/create-payments.ts'
import { searchFor } from '../given/harmless-calls.ts'
import { readStatusUntil } from '../given/read-until.ts'
import { chargeBody } from '../given/request-bodies.ts'
import {
  ensureSupported,
  expectRefusedUnlike,
  expectUnmoved,
  GRID_CONTROL,
  lackedOperation,
  readStanding,
  readSteadily,
} from './cell-judgments.ts'
import { createUnspoiled } from './payment-shared-by-forbidden-calls.ts'
import { expectChargeRefused, keepForbiddenCharge } from './refused-charge-grid.ts'
import { refusedCorrectCall } from './refused-correct-call.ts'
import { createMandate, isByHand, type MandateNames } from './signed-operation-columns.ts'

const THEIRS = 'GRD-22'
const OWN = 'GRD-23'
const UNMOVED = 'GRD-24'
/** Name of the step that keeps a stranger's charge by the token of our mandate. */
const BY_TOKEN = `${OWN} charge by token`
/** Stages in which an act of the owner shows: the next one begins there. */
const SHOWN: Readonly<Record<Act, readonly string[]>> = {
  finalize: ['authorized', 'captured', 'settled', 'refunded', 'declined', 'expired'],
  capture: ['captured', 'settled'],
  cancel: ['canceled'],
  refund: ['refunded'],
}
const READS = ['status', 'events'] as const
const STRANGER = { status: [400, 403, 404] }
/** How an account of another organization is refused at initiate, by the value of D-54. */
const REFUSED_ACCOUNT = { 'by-call': { status: 403 }, '403': { status: 403 }, '404': { status: 404 } }

/** A refusal of a stranger: 404 or 403 (7.1); 400 where the account is what is refused. */
const refusedCell = (row: string, column: OperationName): Cell => ({
  column,
  clause: '7.1',
  judge: (evidence, expect) => {
    const [forbidden, correct] = [evidence.of(`${row} ${column}`), () => evidence.of(column)]
    ensureSupported(forbidden, correct, expect)
    expectRefusedUnlike(forbidden, correct, expect, {
      ...STRANGER,
      ...(column === 'initiate' && chosenRefusal(expect.profile, 'D-54', REFUSED_ACCOUNT)),
    })
  },
})

/** Expects that a stranger is refused, or sees nothing of what the owner sees there. */
const unseenCell = (column: OperationName, markOf: (evidence: Evidence<string>, expect: Expect) => string): Cell => ({
  column,
  clause: '7.1',
  judge: (evidence, expect) => {
    const [theirs, ours] = [evidence.of(`${OWN} ${column}`), evidence.of(column)]
    const mark = markOf(evidence, expect)
    if (!isServed(theirs)) return void expect.refused(theirs)
    expect.holds(!showsId(theirs, mark), 'nothing of another organization', mark, theirs)
    expectSeen(ours, mark, expect)
  },
})

const expectSeen = (ours: Exchange, mark: string, expect: Expect): void => {
  expect.response(ours)
  if (!isServed(ours)) throw refusedCorrectCall('the owner is refused as well', ours, expect.profile)
  if (!showsId(ours, mark))
    throw new EmptyCell('the owner finds nothing there either, or an id too short to be told from other numbers')
}

type Play = { context: CheckContext; second: TestOrganization; keep: KeepStep<string>; chosen: ReadonlySet<string> }

const quietly = (call: Promise<unknown>): Promise<unknown> => call.catch(() => undefined)

/** Tries one act as a stranger, then as the owner; returns the payment after the owner's act. */
const tryAct = async (
  { context, second, keep, chosen }: Play,
  act: Act,
  create: () => Promise<string>,
  first = create(),
): Promise<string> => {
  const payment = createUnspoiled(create, first)
  const strangers = { [THEIRS]: { ...second, account: context.account }, [OWN]: second }
  const show = async (step: string, read: typeof readStanding) => {
    if (!chosen.has(UNMOVED)) return
    await quietly(
      keep(
        step,
        payment.current().then(id => read(context, id)),
      ),
    )
  }
  await show(`before ${act}`, readSteadily)
  for (const [row, stranger] of Object.entries(strangers))
    if (chosen.has(row))
      await quietly(
        keep(
          `${row} ${act}`,
          payment.attempt(id => operationsOn(stranger, id)[act]()),
        ),
      )
  await show(`after ${act}`, readStanding)
  const transactionId = await payment.current()
  await keep(act, operationsOn(context, transactionId)[act]())
  await readStatusUntil(context.profile, context, transactionId, SHOWN[act])
  return transactionId
}

/** Calls of a stranger beside the acts on payments, each followed by the same call of its owner. */
const tryOthers = async ({ context, second, keep, chosen }: Play): Promise<void> => {
  const { account } = context
  const both = async (
    column: OperationName,
    rows: readonly string[],
    call: (organization: TestOrganization) => Promise<Exchange>,
  ) => {
    for (const row of rows) if (chosen.has(row)) await quietly(keep(`${row} ${column}`, call(second)))
    await quietly(keep(column, call(context)))
  }
  const path = { transactionId: await context.given.payment() }
  for (const column of READS) await both(column, [OWN], organization => organization.merchant.request(column, { path }))
  const body = await preparePayment(context)
  await both('initiate', [THEIRS], organization => organization.merchant.request('initiate', { json: body }))
  const { clientTransactionId } = body
  await both('search', [OWN], organization => searchFor(organization, clientTransactionId))
  if (lackedOperation(context.profile, 'charge') !== undefined) return
  const mandate = createMandate(context)
  const charge = async ({ merchant }: TestOrganization, of: string, payer?: { paymentToken: string }) => {
    const { payerId } = await mandate
    return merchant.request('charge', { json: chargeBody(of, payer ?? { payerId }, !isByHand(context)) })
  }
  if (chosen.has(OWN)) {
    const theirs = { ...context, ...second }
    await quietly(keepForbiddenCharge(theirs, keep, `${OWN} charge`, charge(second, second.account)))
    const { paymentToken } = await mandate.catch((): Partial<MandateNames> => ({}))
    if (paymentToken !== undefined)
      await quietly(keepForbiddenCharge(theirs, keep, BY_TOKEN, charge(second, second.account, { paymentToken })))
  }
  await both('charge', [THEIRS], organization => charge(organization, account))
}

const OTHER = { ...GRID_CONTROL, clause: '7.1', needs: ['secondOrganization'], exemptCell: lackedOperation }

/**
 * Scenario with grid rows of operation × role: what another organization gets of our account and of our payments (7.1).
 */
export const roleGrid: CheckScenario<CheckContext> = {
  name: 'every operation by another organization',
  tier: 3,
  play: async (context, keep, chosen) => {
    const { profile } = context
    const play = { context, second: await context.secondOrganization(), keep, chosen }
    await tryOthers(play)
    const approved = () => createApprovedPayment(profile, context, !isByHand(context))
    const authorized = () => createAuthorizedPayment(profile, context)
    if (isByHand(context)) await quietly(tryAct(play, 'cancel', authorized))
    const finalized = tryAct(play, 'finalize', approved)
    const captured = isByHand(context) ? tryAct(play, 'capture', authorized, finalized) : finalized
    const settled = captured.then(async id => {
      await waitForSettlement(profile, context, id)
      return id
    })
    await quietly(tryAct(play, 'refund', () => createSettledPayment(profile, context), settled))
  },
  checks: [
    gridRowCheck({
      ...OTHER,
      id: THEIRS,
      title: 'an account of ours is closed to another organization',
      otherColumns: 'its request names no account',
      cells: [
        ...(['initiate', ...ACTS, 'charge'] as const).map(column => refusedCell(THEIRS, column)),
        { column: 'mockSet', empty: 'MCK-26 judges whose payments a mock is for' },
      ],
    }),
    gridRowCheck({
      ...OTHER,
      id: OWN,
      title: 'another organization neither sees nor moves a payment of ours',
      otherColumns: 'its request is about no payment that is there before',
      cells: [
        ...([...READS, ...ACTS] as const).map(column => refusedCell(OWN, column)),
        unseenCell('search', (evidence, expect) =>
          String(expect.field(evidence.of('initiate'), 'initiate.transactionId')),
        ),
        {
          column: 'charge',
          clause: '1, 7.1',
          judge: (evidence, expect) => {
            expectChargeRefused(evidence, expect, `${OWN} charge`)
            if (findStep(evidence, BY_TOKEN)) expectChargeRefused(evidence, expect, BY_TOKEN)
          },
        },
        { column: 'reports', empty: 'GRD-49 judges this cell' },
      ],
    }),
    gridRowCheck({
      ...OTHER,
      id: UNMOVED,
      title: 'calls of another organization leave payments as they were',
      otherColumns: 'it moves no payment that is there before',
      cells: ACTS.map(
        (column): Cell => ({
          column,
          clause: '7.1',
          judge: (evidence, expect) => expectUnmoved(evidence, expect, `before ${column}`, `after ${column}`),
        }),
      ),
    }),
  ],
}
