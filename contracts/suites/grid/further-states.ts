import type { Exchange } from '../../client/http-exchange.ts'
import { amountOf } from '../../harness/judge/compare-scalars.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import { lackedMethodReason } from '../../harness/profile/capabilities-that-checks-need.ts'
import { untakenReason } from '../../harness/profile/create-request-dialect.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import type { CheckContext } from '../context/check-context.ts'
import { findSum, readSumUntil } from '../evidence/expect-captured-or-refunded-sum.ts'
import { isUnsupported } from '../evidence/unsupported-operation.ts'
import { operationsOn } from '../given/calls-on-payment.ts'
import { createMandatePayment, isAfterFinalize, waitForToken } from '../given/create-mandate-payments.ts'
import {
  createApprovedPayment,
  createAuthorizedPayment,
  createSettledPayment,
  ensureServed,
  initiate,
  readTransactionId,
} from '../given/create-payments.ts'
import { chargeBody } from '../given/request-bodies.ts'
import { lackedOperation, lackedPart, standingRead } from './cell-judgments.ts'
import { authorize } from './kinds-of-payment-grid.ts'
import { isByHand, mandatePayer } from './signed-operation-columns.ts'
import type { Hooks, StateRow } from './states-and-their-acts.ts'

const PART = 400
const SUMS = { capture: 'captured', refund: 'refunded' } as const

const consented = (context: CheckContext) => createApprovedPayment(context.profile, context, !isByHand(context))

const showsPart = (act: keyof typeof SUMS) => (profile: Profile, standing: Exchange) =>
  (amountOf(profile, findSum(profile, standing, SUMS[act])) ?? 0) >= PART

/** Creates a payment of which a part was captured, or refunded; throws EmptyCell where the scheme does none of it in parts. */
const inPart =
  (act: 'capture' | 'refund', create: typeof createSettledPayment) =>
  async (context: CheckContext): Promise<string> => {
    const { profile } = context
    const id = await create(profile, context)
    const part = await operationsOn(context, id)[act](PART)
    if (isUnsupported(profile, part)) throw new EmptyCell('the scheme does not do it in parts (1)')
    await ensureServed(profile, Promise.resolve(part))
    await readSumUntil(context, id, SUMS[act], PART)
    return id
  }

/** Creates a payment of TOKEN_ONLY that is finalized: it makes a mandate, and takes nothing (1, D-62). */
const tokenized = async (context: CheckContext): Promise<string> => {
  const { profile } = context
  const id = await createMandatePayment(profile, context, 'TOKEN_ONLY')
  await ensureServed(profile, operationsOn(context, id).finalize())
  await waitForToken(context, id)
  return id
}

const tokenShows = (profile: Profile, standing: Exchange) =>
  isAfterFinalize(profile, findField(profile, standing, `${standingRead(profile)}.state`))

const charged =
  (autoCapture: boolean) =>
  async (context: CheckContext, { payer = () => mandatePayer(context) }: Hooks = {}): Promise<string> => {
    const { profile, account, merchant } = context
    const call: Promise<Exchange> = merchant.request('charge', {
      json: chargeBody(account, await payer(), autoCapture),
    })
    await ensureServed(profile, call)
    return String(findField(profile, await call, 'charge.transactionId'))
  }

const takenByIris = async (context: CheckContext): Promise<string> => {
  const initiated = await initiate(context, { method: 'IRIS', autoCapture: true })
  await authorize(context, initiated, 'IRIS')
  return readTransactionId(context.profile, initiated)
}

const lackedCharge = (profile: Profile) => lackedOperation(profile, 'charge')
const lackedIris = (profile: Profile) => lackedMethodReason(profile, 'IRIS')

/** A refund without an amount is of what has settled of the part, which may be all of it at once (R4, D-120). */
const lackedInPart = (profile: Profile, act: string) =>
  lackedPart(profile, 'capture') ??
  (act === 'refund' ? untakenReason(profile, 'refund', 'paymentDetails.amount') : undefined)

const BY_LIF_21 = 'open: LIF-21 judges it'

// biome-ignore format: a table reads by its columns
/** States that a payment passes on its way, or that another kind of payment comes to, and what they say to each act (3, R1 to R5). */
export const FURTHER_STATES: readonly StateRow[] = [
  { id: 'GRD-71', clause: '3, R1, R5', title: 'nothing is taken of a consent that is not finalized',    stages: ['authenticated', 'waiting'], create: consented,                                     finalize: 'allowed',        capture: 'forbidden',         cancel: 'open: LIF-31 judges it (D-39)', refund: 'named in R5' },
  { id: 'GRD-72', clause: 'R1, R2, R5', title: 'what is captured in part cannot be voided, nor refunded before it has settled', stages: ['captured', 'authorized'],  create: inPart('capture', createAuthorizedPayment), byHand: true, settles: true, lacked: lackedInPart, hasShown: showsPart('capture'), finalize: 'without effect', capture: 'allowed', cancel: 'forbidden by D-39', refund: 'named in R5, or too much' },
  { id: 'GRD-73', clause: 'R2, R5',    title: 'what is refunded in part can neither be captured nor voided', stages: ['refunded', 'settled'], create: inPart('refund', createSettledPayment), lacked: profile => lackedPart(profile, 'refund'), hasShown: showsPart('refund'), finalize: 'without effect', capture: 'named in R5',       cancel: 'forbidden',                     refund: 'open: GRD-69 judges it' },
  { id: 'GRD-74', clause: '1, R1, R5', title: 'a payment that asked for a token has nothing to refund', stages: [],        create: tokenized, lacked: lackedCharge, hasShown: tokenShows,               finalize: 'without effect', capture: 'open: what it would take is not stated', cancel: 'open: what it would end is not stated', refund: 'forbidden by D-62' },
  { id: 'GRD-75', clause: 'R1, R2, R5', title: 'a charge that is captured and not settled can neither be voided nor refunded', stages: ['captured'], create: charged(true), settles: true, lacked: lackedCharge, finalize: BY_LIF_21, capture: 'named in R5', cancel: 'forbidden by D-39', refund: 'named in R5' },
  { id: 'GRD-76', clause: 'R1, R2, R5', title: 'a payment of IRIS that is captured and not settled can neither be voided nor refunded', stages: ['captured'], create: takenByIris, settles: true, ofAnyMethod: true, lacked: lackedIris, finalize: 'without effect', capture: 'named in R5', cancel: 'forbidden by D-39', refund: 'named in R5' },
  { id: 'GRD-77', clause: 'R1, R5',    title: 'a charge that is authorized cannot be refunded',          stages: ['authorized'],              create: charged(false), byHand: true, lacked: lackedCharge, finalize: BY_LIF_21,   capture: 'allowed',           cancel: 'allowed',                       refund: 'named in R5' },
]
