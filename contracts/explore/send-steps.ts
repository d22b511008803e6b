import type { Exchange } from '../client/http-exchange.ts'
import { nowSeconds } from '../client/wall-clock.ts'
import { isUnclear } from '../model/expectation.ts'
import type { Call, JudgedResponse } from '../model/model-call-and-judged-response.ts'
import { OPERATIONS } from '../operations.ts'
import { readUntil } from '../suites/given/read-until.ts'
import { withoutHeader } from '../suites/request-mutations/tamper-with-requests.ts'
import { invalidRequest } from './invalid-requests.ts'
import type { SentCall, Stage } from './organizations-and-values-of-play.ts'
import { faultToInject } from './provider-faults.ts'
import { readResponse } from './read-response.ts'
import type { Step } from './step.ts'

/** An exploration step and the call that it makes. */
export type Sending = { step: Step; sent: SentCall }

/** An exploration step whose call was made, with its response. */
export type Made = { step: Step; call: Call; response: JudgedResponse; exchange: Exchange }

/**
 * Sends the calls of exploration steps at once. What a call did may show a little later where no control moves time (1,
 * E5): a read that nothing explains is repeated.
 */
export const sendAll = async (
  stage: Stage,
  sending: readonly Sending[],
  isExplained: (made: readonly Made[]) => boolean,
  limits: { withinSeconds?: number } = {},
): Promise<Made[]> => {
  const sendOnce = () => Promise.all(sending.map(one => send(stage, one.step, one.sent)))
  const [only, ...others] = sending
  const { profile, organizations } = stage
  if (profile.control || !only || others.length > 0 || isKeyed(only.sent)) return sendOnce()
  let made: Made[] = []
  const read = async (): Promise<Exchange> => {
    made = await sendOnce()
    return (made[0] as Made).exchange
  }
  await readUntil(profile, read, () => isExplained(made), { clock: organizations.first.clock, ...limits })
  return made
}

const isKeyed = ({ operation }: SentCall): boolean => OPERATIONS[operation].keyed || operation === 'mockSet'

/** A repeated call is signed at another time than the first, which is no part of its payload (I3). */
const EARLIER_SECONDS = 2

const send = async (stage: Stage, step: Step, sent: SentCall): Promise<Made> => {
  const { profile, organizations } = stage
  const { operation, json, key } = sent
  const organization = organizations[sent.call.by]
  const { alter = {}, scope } = step.wrong ? invalidRequest(step.wrong) : {}
  await arm(stage, step, sent)
  const isGet = operation === 'status' || operation === 'events'
  const transactionId = stage.payments.get(sent.call.payment ?? '')?.transactionId ?? stage.unknownId
  const parts = isGet ? { path: { transactionId } } : { json }
  const keyed = key === undefined ? {} : { idempotencyKey: key, headers: { 'idempotency-key': key } }
  const keyless = key === undefined ? { afterSigning: withoutHeader('idempotency-key') } : {}
  const signing = step.do === 'repeat' ? { signing: { created: nowSeconds() - EARLIER_SECONDS } } : {}
  const sentAt = stage.now()
  const exchange = await organization.merchant.request(
    operation,
    { ...parts, ...keyed, ...(scope !== undefined && { scope }) },
    { retry: [429], ...keyless, ...signing, ...alter },
  )
  const call = { ...sent.call, sentAt, receivedAt: stage.now() }
  const response = readResponse(profile, exchange)
  return { step, call, exchange, response: step.lost && !isUnclear(response) ? { http: 0 } : response }
}

/** Makes the provider meet the call of a step with its fault, where it has one. */
const arm = async (
  { organizations, payments }: Stage,
  { fault }: Step,
  { operation, call }: SentCall,
): Promise<void> => {
  if (fault === undefined) return
  const payment = payments.get(call.payment ?? '')
  const transactionId = payment?.transactionId // other payments may have the same reference
  const match = transactionId ? { transactionId } : { clientTransactionId: payment?.reference ?? call.reference ?? '' }
  const method = payment?.method ?? call.method ?? 'BLIK'
  await organizations[call.by].control.arm({
    operation,
    ...faultToInject(fault, method),
    match,
  })
}
