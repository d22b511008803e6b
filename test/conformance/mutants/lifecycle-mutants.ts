import type { ProviderOperation } from '../../../contracts/operations.ts'
import type { ApiCall } from '../../../simulator/http/api-call.ts'
import type { Payment, PaymentChange } from '../../../simulator/payments/payment.ts'
import { mutatePaymentFor } from './grid-mutations-besides-layers.ts'
import type { Mutant } from './mutant.ts'
import {
  bodyTextOf,
  isCallTo,
  mutateServedJson,
  replaceReplies,
  withFreshState,
  withStatusAndCode,
} from './mutations-of-matching-calls.ts'
import { mutateLoaded, mutateReply, mutateVerifiedBodyAt, mutateWriteSet } from './simulator-mutations.ts'

const isStatus = isCallTo('status')

/** A state goes by the name of another. */
const naming = (from: string, to: string) =>
  mutateServedJson(isStatus, body => {
    const { state, ...lifecycle } = (body.lifecycle ?? {}) as Record<string, unknown>
    return state === from ? { ...body, lifecycle: { ...lifecycle, state: to } } : undefined
  })

/** A reason in the status goes by the code of another. */
const explaining = (from: string, to: string) =>
  mutateServedJson(isStatus, body => {
    const { reasonCode, ...statusInfo } = (body.statusInfo ?? {}) as Record<string, unknown>
    return reasonCode === from ? { ...body, statusInfo: { ...statusInfo, reasonCode: to } } : undefined
  })

/** Says no to an act, although it was done. */
const denying = (path: string, part = '') =>
  replaceReplies(
    (call, { http }) => http < 300 && isCallTo(path)(call) && bodyTextOf(call).includes(part),
    withStatusAndCode(422, '5002'),
  )

/** Says no to the cancel of a payment that no finalize has named. */
const denyingEarlyCancels = () => {
  const finalized = new Set<unknown>()
  const idOf = (call: ApiCall) => JSON.parse(bodyTextOf(call)).transactionId as unknown
  return mutateReply((reply, call) => {
    if (isCallTo('finalize')(call) && reply.http !== 400) finalized.add(idOf(call))
    const isEarly = isCallTo('cancel')(call) && reply.http < 300 && !finalized.has(idOf(call))
    return isEarly ? withStatusAndCode(422, '5002')(reply) : undefined
  })
}

/** Some payments wait for their settlement for ever. */
export const neverSettling = (isMeant: (payment: Payment) => boolean) =>
  mutateWriteSet(save => {
    const { change } = save
    if (!change?.deadlines.some(({ name }) => name === 'settlement') || !isMeant(change.payment)) return undefined
    return { ...save, change: { ...change, deadlines: change.deadlines.filter(({ name }) => name !== 'settlement') } }
  })

/** An act finds some payments in another state. */
export const asIf = (act: ProviderOperation, isMeant: (payment: Payment) => boolean, instead: Partial<Payment>) =>
  mutatePaymentFor(act, payment => (isMeant(payment) ? { ...payment, ...instead } : undefined))

export const isCharge = ({ provider }: Payment) => provider.expiresAt === undefined
/** A payment is saved otherwise than an operation has decided. */
const saving = (
  isMeant: (change: PaymentChange) => boolean,
  change: (payment: Payment, before: Payment | undefined) => Payment,
) =>
  mutateWriteSet((save, _unit, { payment }) =>
    save.change && isMeant(save.change)
      ? { ...save, change: { ...save.change, payment: change(save.change.payment, payment) } }
      : undefined,
  )

/** What the provider declines is told as approved. */
const approving = (path: string) =>
  replaceReplies(
    (call, { http, body }) => http === 200 && isCallTo(path)(call) && body.includes('"DECLINED"'),
    reply => ({ ...reply, body: reply.body.replace('"status":"DECLINED"', '"status":"APPROVED"') }),
  )

/** A part that the provider declined counts as taken. */
const countingDeclined = (list: 'captures' | 'refunds') =>
  mutateLoaded((loaded, hits) => {
    const { payment } = loaded
    const declined = payment?.[list].find(one => one.declined)
    if (!payment || !declined) return loaded
    hits.count += 1
    const all = { captured: payment.amount, refunded: payment.amount }
    const state = list === 'captures' ? 'CAPTURED' : 'REFUNDED'
    const sums = list === 'captures' ? { captured: all.captured } : { refunded: all.refunded }
    return { ...loaded, payment: { ...payment, ...sums, state } }
  })

/** A finalize while the shopper has not decided spoils every later one of its payment. */
const spoiltByEarlyFinalize = withFreshState(() => {
  const spoilt = new Set<unknown>()
  const idOf = (call: ApiCall) => JSON.parse(bodyTextOf(call)).transactionId as unknown
  return mutateReply((reply, call) => {
    if (!isCallTo('/payments/finalize')(call) || reply.http !== 200) return undefined
    if (reply.body.includes('"PENDING"')) spoilt.add(idOf(call))
    return spoilt.has(idOf(call)) && !reply.body.includes('"PENDING"')
      ? withStatusAndCode(422, '5002')(reply)
      : undefined
  })
})

/** A cancel of some payments is told, and done nothing for. */
const cancelingNothing = (isMeant: (payment: Payment) => boolean) =>
  mutateWriteSet((save, { needs }, { payment }) =>
    needs.providerCall === 'cancel' && save.change && payment && isMeant(payment)
      ? { ...save, change: undefined }
      : undefined,
  )

const isInParts = ({ captures }: Payment) => captures.length > 1
const isIris = ({ providerId }: Payment) => providerId === 'IRIS'
const isIrisIn = (wanted: Payment['state']) => (payment: Payment) => isIris(payment) && payment.state === wanted

// biome-ignore format: a table reads by its columns
export const LIFECYCLE_MUTANTS: readonly Mutant[] = [
  { does: 'captures immediately, ignoring autoCapture',  caughtBy: ['LIF-04'], stopsOthers: true, mutation: mutateVerifiedBodyAt('/payments/initiate')(body => body.replace('"autoCapture":false', '"autoCapture":true')) },
  { does: 'refuses every capture',                        caughtBy: ['LIF-01', 'MAP-21'], stopsOthers: true, mutation: denying('/payments/capture') },
  { does: 'refuses partial captures',                        caughtBy: ['LIF-17'], mutation: denying('/payments/capture', '"amount":400') },
  { does: 'captures the whole for a part',                 caughtBy: ['LIF-32'], stopsOthers: true, mutation: mutateVerifiedBodyAt('/payments/capture')(body => body.replace('"amount":400', '"amount":1000')) },
  { does: 'refunds the whole for a part',                  caughtBy: ['LIF-33'], stopsOthers: true, mutation: mutateVerifiedBodyAt('/payments/refund')(body => body.replace('"amount":400', '"amount":1000')) },
  { does: 'refunds as much as was authorized',             caughtBy: ['LIF-37'], mutation: mutatePaymentFor('refund', payment => (payment.settled > 0 && payment.settled < payment.amount ? { ...payment, settled: payment.amount } : undefined)) },
  { does: 'lets a payment wait that initiate declined',  caughtBy: ['MAP-15', 'MAP-16', 'MAP-18'], mutation: saving(({ isNew, payment }) => isNew === true && payment.state === 'DECLINED', payment => ({ ...payment, state: 'AWAITING_SHOPPER' })) },
  { does: 'authorizes what the provider declines at finalize', caughtBy: ['MAP-17'], mutation: saving(({ payment, events }) => payment.state === 'DECLINED' && events.some(({ cause }) => cause === 'finalize'), payment => ({ ...payment, state: 'AUTHORIZED' })) },
  { does: 'authorizes what the provider declines at charge', caughtBy: ['MAP-18'], mutation: saving(({ isNew, payment }) => isNew === true && payment.state === 'DECLINED' && isCharge(payment) && payment.transactionType === 'RECURRING', payment => ({ ...payment, state: 'AUTHORIZED' })) },
  { does: 'tells a declined capture as approved',       caughtBy: ['MAP-19'], mutation: approving('/payments/capture') },
  { does: 'takes a declined capture for made',          caughtBy: ['MAP-19'], mutation: countingDeclined('captures') },
  { does: 'takes a declined refund for made',           caughtBy: ['MAP-20'], mutation: countingDeclined('refunds') },
  { does: 'tells a declined refund as approved',        caughtBy: ['MAP-20'], mutation: approving('/payments/refund') },
  { does: 'tells a declined cancel as approved',        caughtBy: ['MAP-21'], mutation: approving('/payments/cancel') },
  { does: 'refunds the first of two captures alone',    caughtBy: ['LIF-38'], mutation: mutatePaymentFor('refund', payment => (isInParts(payment) ? { ...payment, settled: payment.captures[0]?.amount ?? 0 } : undefined)) },
  { does: 'spoils a payment by an early finalize',      caughtBy: ['LIF-39'], mutation: spoiltByEarlyFinalize },
  { does: 'tells a cancel of IRIS and does nothing',    caughtBy: ['IRS-15'], mutation: cancelingNothing(isIris) },
  { does: 'refuses every cancel',                         caughtBy: ['LIF-09'], stopsOthers: true, mutation: denying('/payments/cancel') },
  { does: 'refuses a cancel before the authorization',  caughtBy: ['IRS-15', 'LIF-30', 'LIF-31'], mutation: withFreshState(denyingEarlyCancels) },
  { does: 'refuses every refund',                         caughtBy: ['IRS-12', 'LIF-08', 'LIF-36', 'LIF-38', 'RDS-22'], stopsOthers: true, mutation: denying('/payments/refund') },
  { does: 'never settles charges',                        caughtBy: ['LIF-35'], mutation: neverSettling(isCharge) },
  { does: 'refuses refunds of charges',                   caughtBy: ['LIF-36'], mutation: asIf('refund', isCharge, { state: 'AUTHORIZED' }) },
  { does: 'never settles what is captured in parts',      caughtBy: ['LIF-34'], stopsOthers: true, mutation: neverSettling(isInParts) },
  { does: 'finalizes payments of IRIS before the consent', caughtBy: ['IRS-09'], mutation: asIf('finalize', isIrisIn('AWAITING_SHOPPER'), { state: 'AUTHENTICATED' }) },
  { does: 'never captures payments of IRIS',              caughtBy: ['IRS-10'], mutation: asIf('finalize', isIris, { autoCapture: false }) },
  { does: 'never settles payments of IRIS',               caughtBy: ['IRS-11'], mutation: neverSettling(isIris) },
  { does: 'refuses refunds of IRIS',                      caughtBy: ['IRS-12'], stopsOthers: true, mutation: asIf('refund', isIrisIn('SETTLED'), { state: 'AUTHORIZED' }) },
  { does: 'refunds payments of IRIS twice',               caughtBy: ['IRS-13'], mutation: asIf('refund', isIrisIn('REFUNDED'), { state: 'SETTLED', refunded: 0, refunds: [] }) },
  { does: 'refunds payments of IRIS before the consent',  caughtBy: ['IRS-14'], mutation: mutatePaymentFor('refund', payment => (isIrisIn('AWAITING_SHOPPER')(payment) ? { ...payment, state: 'SETTLED', settled: payment.amount } : undefined)) },
  { does: 'refuses partial refunds',                         caughtBy: ['LIF-16'], stopsOthers: true, mutation: denying('/payments/refund', '"amount":400') },
  { does: 'refunds more than it has captured',       caughtBy: ['LIF-15', 'LIF-16'], stopsOthers: true, mutation: mutateVerifiedBodyAt('/payments/refund')(body => body.replace('"amount":1001', '"amount":1000')) },
  { does: 'keeps calling a refunded payment settled', caughtBy: ['LIF-22'], mutation: naming('REFUNDED', 'SETTLED') },
  { does: 'shows a canceled payment as AUTHORIZED', caughtBy: ['LIF-09'], stopsOthers: true, mutation: naming('CANCELED', 'AUTHORIZED') },
  { does: 'shows an authorized payment as AUTHENTICATED',     caughtBy: ['LIF-04', 'LIF-22', 'RDS-21', 'RDS-22'], stopsOthers: true, mutation: naming('AUTHORIZED', 'AUTHENTICATED') },
  { does: 'shows an authenticated payment as AWAITING_SHOPPER',    caughtBy: ['IRS-05', 'LIF-29'], stopsOthers: true, mutation: naming('AUTHENTICATED', 'AWAITING_SHOPPER') },
  { does: 'reports a shopper decline as a timeout',     caughtBy: ['BLK-02', 'IRS-04'], mutation: explaining('2001', '2000') },
  { does: 'reports a shopper timeout as a decline', caughtBy: ['BLK-03', 'BLK-07', 'BLK-08', 'IRS-03', 'MAP-17', 'MAP-18'], mutation: explaining('2000', '2001') },
  { does: 'returns only the first event',              caughtBy: ['RDS-07', 'RDS-15', 'RDS-16'], mutation: mutateServedJson(isCallTo('events'), body => (Array.isArray(body.timeline) ? { ...body, timeline: body.timeline.slice(0, 1) } : undefined)) },
  { does: 'returns 422 for calls on unknown payments',      caughtBy: ['LIF-27', 'LIF-28'], mutation: replaceReplies((call, { http }) => http === 404 && call.incoming.method === 'POST' && isCallTo('capture', 'cancel', 'refund')(call), withStatusAndCode(422, '5002')) },
  { does: 'says 4002 where a cancel comes too late', caughtBy: ['ERR-05', 'LIF-10'], mutation: replaceReplies((call, { http }) => http === 422 && isCallTo('cancel')(call), withStatusAndCode(422, '4002')) },
]
