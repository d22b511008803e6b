import { isDeepStrictEqual } from 'node:util'
import { type Exchange, isServed } from '../../client/http-exchange.ts'
import type { Expect, ExpectedRefusal } from '../../harness/judge/check-assertions.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { Blocked, Untestable } from '../../harness/judge/verdict-errors.ts'
import { lackedMethodReason } from '../../harness/profile/capabilities-that-checks-need.ts'
import { untakenReason } from '../../harness/profile/create-request-dialect.ts'
import { readLifecycleStages } from '../../harness/profile/lifecycle-stages-of-status-response.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField, isOfDeclines, profileLine } from '../../harness/profile/response-fields-and-line-advice.ts'
import type { OperationName } from '../../operations.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import { readThatShows } from '../evidence/expect-captured-or-refunded-sum.ts'
import { expectSameStage } from '../evidence/expect-same-stage.ts'
import { isUnsupported } from '../evidence/unsupported-operation.ts'
import { operationsOn } from '../given/calls-on-payment.ts'
import { readUntil } from '../given/read-until.ts'
import { refusedCorrectCall } from './refused-correct-call.ts'

/** Member `control` of grid rows whose cells have controls of their own: a check of a call with everything in place. */
export const GRID_CONTROL = { control: 'MTLS-01' }

/** Reason why a grid row about idempotency keys has no cell for reads and for what comes by itself. */
export const NO_KEY = 'it is no call with an Idempotency-Key'

/** Statuses of a call that was let in: 2xx, and those by which an operation itself may answer a correct call. */
const isLetIn = (exchange: Exchange, also: readonly number[]): boolean =>
  isServed(exchange) || also.includes(exchange.response?.status ?? 0)

/**
 * Expects that a forbidden call was refused, and that the same call made correctly was served (rule 2): a forbidden
 * call that was served is a mismatch whatever became of its control.
 */
export const expectRefusedUnlike = (
  forbidden: Exchange,
  control: () => Exchange,
  expect: Expect,
  refusal: ExpectedRefusal = {},
  alsoLetIn: readonly number[] = [],
): void => {
  expect.refused(forbidden, refusal)
  const correct = control()
  expect.response(correct)
  if (!isLetIn(correct, alsoLetIn))
    throw refusedCorrectCall('the same call made correctly was refused as well', correct, expect.profile)
}

/** Throws EmptyCell where a forbidden call was refused as one that the scheme lacks, and the correct one as well (1, 7.1). */
export const ensureSupported = (forbidden: Exchange, control: () => Exchange, { profile }: Expect): void => {
  if (isUnsupported(profile, forbidden) && isUnsupported(profile, control()))
    throw new EmptyCell('the scheme lacks this operation: the correct call was refused so as well')
}

/** Whether a response is no refusal: a success, or one with the status by which declines are told here (D-07). */
export const tellsHowItStands = (profile: Profile, exchange: Exchange): boolean =>
  isServed(exchange) || isOfDeclines(profile, exchange.response?.status ?? 0)

/** How a payment stands: its state and sums, as far as the profile knows them. */
const STANDING = ['state', 'captured', 'refunded'] as const

/**
 * Returns the read that shows a payment's state and sums: events, or status where only that has them by the profile.
 */
export const standingRead = (profile: Profile): 'events' | 'status' => readThatShows(profile, ...STANDING)

type PaymentReader = TestOrganization & { profile: Profile }

/** Reads how a payment stands. */
export const readStanding = (context: PaymentReader, transactionId: string): Promise<Exchange> =>
  operationsOn(context, transactionId)[standingRead(context.profile)]()

/**
 * Reads how a payment stands for a check that it stays so, until two reads agree and show the state of its status: reads
 * may lag (E5).
 */
export const readSteadily = async (context: PaymentReader, transactionId: string): Promise<Exchange> => {
  const { profile } = context
  const find = (exchange: Exchange, name: string) => findField(profile, exchange, `${standingRead(profile)}.${name}`)
  const state = findField(profile, await operationsOn(context, transactionId).status(), 'status.state')
  let last: unknown[] | undefined
  const isSteady = (exchange: Exchange): boolean => {
    const before = last
    last = STANDING.map(name => find(exchange, name))
    const shown = find(exchange, 'state')
    return isDeepStrictEqual(before, last) && (state === undefined || shown === undefined || shown === state)
  }
  return readUntil(profile, () => readStanding(context, transactionId), isSteady, context)
}

/**
 * Expects a payment to stand as before in two reads of `standingRead`: same state, same sums captured and refunded; of
 * two payments nothing is judged.
 */
export const expectUnmoved = (evidence: Evidence<string>, expect: Expect, before: string, after: string): void => {
  const [one, other] = [evidence.of(before), evidence.of(after)]
  for (const read of [one, other]) {
    expect.response(read)
    if (!isServed(read)) throw new Blocked('how the payment stands could not be read', read)
  }
  if (one.request.url !== other.request.url)
    throw new EmptyCell(
      'a forbidden call on the payment was served, which its own row judges, and another took its place',
    )
  const { profile } = expect
  const shown = standingRead(profile)
  const known = STANDING.filter(name => findField(profile, one, `${shown}.${name}`) !== undefined)
  if (known.length === 0)
    throw new Untestable(`nothing tells how a payment stands: add to ${profile.file} the line fields.events.captured`)
  for (const name of known) {
    const [then, now] = [one, other].map(read => String(findField(profile, read, `${shown}.${name}`)))
    if (name === 'state') expectSameStage(then, now, other, expect)
    else expect.equal(name, now, then, other)
  }
}

/**
 * Throws Blocked unless a premise of a grid cell was observed: a payment in one of these lifecycle categories, as far
 * as its word and sums tell. Returns what says so.
 */
export const ensureStage = (
  evidence: Evidence<string>,
  expect: Expect,
  step: string,
  stages: readonly string[],
): string => {
  const read = evidence.of(step)
  expect.response(read)
  const { states, file } = expect.profile
  if (states === undefined || findField(expect.profile, read, 'status.state') === undefined)
    throw new Untestable(`the state of the payment is unknown: add to ${file} the lines fields.status.state and states`)
  const found = readLifecycleStages(expect.profile, read)
  if (found.stages.some(name => stages.includes(name))) return found.shown
  if (stages.includes('captured') && found.stages.includes('settled'))
    throw new EmptyCell('payments settle at once here')
  throw new Blocked(`the payment is not ${stages.join(' or ')}, but ${found.shown}`, read)
}

/** Profile line by which a deployment says that it lacks an operation. */
const LACKING: Readonly<Partial<Record<OperationName, string>>> = {
  charge: 'capabilities.recurring',
  reports: 'capabilities.reports',
  downloadReport: 'capabilities.reports',
  mockSet: 'capabilities.mocks',
  capture: 'capabilities.manualCapture',
  cancel: 'capabilities.manualCapture',
}

/** Returns why an operation has no cells in a grid: the profile says that the deployment lacks it. */
export const lackedOperation = (profile: Profile, column: string): string | undefined => {
  const line = LACKING[column as OperationName]
  if (line !== undefined && profileLine(profile, line) === false) return `${profile.file} says ${line}: false`
  if (column === 'charge') return lackedMethodReason(profile, 'BLIK')
  return column === 'mockSet' && profile.target.environment === 'production' ? 'production has no mocks (1)' : undefined
}

/** Returns why a deployment does not capture, or refund, in parts; undefined where it does. */
export const lackedPart = (profile: Profile, act: 'capture' | 'refund'): string | undefined => {
  const line = act === 'capture' ? 'capabilities.partialCaptures' : 'capabilities.partialRefunds'
  if (profileLine(profile, line) === false) return `${profile.file} says ${line}: false`
  return lackedOperation(profile, act) ?? untakenReason(profile, act, 'paymentDetails.amount')
}
