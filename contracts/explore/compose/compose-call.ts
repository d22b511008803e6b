import type { Act } from '../../model/operations-on-payment.ts'
import { canonicalJson } from '../../protocol/canonical-json.ts'
import { cancelBody, captureBody, finalizeBody, refundBody } from '../../suites/given/request-bodies.ts'
import { invalidRequest } from '../invalid-requests.ts'
import { memberAt, withMemberAt } from '../members-that-repeated-calls-change.ts'
import type { SentCall, Stage } from '../organizations-and-values-of-play.ts'
import type { Step } from '../step.ts'
import { composeBeginning } from './compose-initiate-or-charge.ts'
import { composeMock } from './compose-mock.ts'
import { composeRepeat } from './compose-repeat.ts'
import { accountOf, type Compose, composed, idOf } from './parts-of-composed-call.ts'

/**
 * Composes the API call of an exploration step from what is known of the play so far; undefined where that is not
 * enough to make it.
 */
export const composeCall = async (stage: Stage, step: Step): Promise<SentCall | undefined> => {
  const codeMadeAt = stage.now()
  const made =
    step.do === 'repeat' ? composeRepeat(stage, step) : await COMPOSE[kindOf(step)](stage, step, accountOf(stage, step))
  const sent = made && step.wrong ? faulty(made, step) : made
  return sent && { ...sent, call: { codeMadeAt, ...sent.call } }
}

type Kind = 'begin' | 'act' | 'read' | 'search' | 'mockSet'
const kindOf = ({ do: what }: Step): Kind => {
  if (what === 'initiate' || what === 'charge') return 'begin'
  if (what === 'status' || what === 'events') return 'read'
  return what === 'search' || what === 'mockSet' ? what : 'act'
}

const BODIES = { finalize: finalizeBody, capture: captureBody, cancel: cancelBody, refund: refundBody } as const

const COMPOSE: Readonly<Record<Kind, Compose>> = {
  begin: composeBeginning,
  act: (stage, step, account) => {
    const transactionId = idOf(stage, step)
    if (transactionId === undefined) return undefined
    const act = step.do as Act
    const isSum = act === 'capture' || act === 'refund'
    const body = BODIES[act](account, transactionId)
    const named = 'clientTransactionId' in body ? { ...body, clientTransactionId: stage.valueOf(step.id) } : body
    const json = isSum ? withMemberAt(named, 'paymentDetails.amount', step.amount) : named
    return composed(stage, step, json, {
      account,
      payment: step.on ?? '',
      ...(isSum && step.amount !== undefined ? { amount: step.amount } : {}),
    })
  },
  read: (stage, step, account) => {
    const transactionId = idOf(stage, step)
    return transactionId === undefined
      ? undefined
      : composed(stage, step, undefined, { account, payment: step.on ?? '' })
  },
  search: (stage, step, account) => {
    const reference = stage.payments.get(step.on ?? '')?.reference
    return reference === undefined
      ? undefined
      : composed(stage, step, { clientTransactionId: reference }, { account, payment: step.on ?? '' })
  },
  mockSet: composeMock,
}

/** A call with one rule broken. */
const faulty = (sent: SentCall, { wrong }: Step): SentCall => {
  const { members = {}, broken } = invalidRequest(wrong ?? 'no token')
  const json = Object.entries(members).reduce<unknown>(
    (body, [path, value]) =>
      withMemberAt(body, path, typeof value === 'function' ? value(memberAt(body, path)) : value),
    sent.json,
  )
  return { ...sent, json, broken, call: { ...sent.call, payload: canonicalJson(json), broken } }
}
