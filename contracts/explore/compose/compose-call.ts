import { choiceOf } from '../../dialect/decision-choices.ts'
import { takesMember } from '../../dialect/request-lens.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import type { Act } from '../../operations.ts'
import { canonicalJson } from '../../protocol/canonical-json.ts'
import { BODIES_OF_ACTS, withMember } from '../../suites/given/request-bodies.ts'
import { invalidRequest } from '../invalid-requests.ts'
import { memberAt, withMemberAt } from '../members-that-repeated-calls-change.ts'
import type { SentCall, Stage } from '../organizations-and-values-of-play.ts'
import type { Step } from '../step.ts'
import { composeBeginning } from './compose-initiate-or-charge.ts'
import { composeMock } from './compose-mock.ts'
import { composeRepeat } from './compose-repeat.ts'
import { accountOf, type Compose, composed, idOf, partyOf } from './parts-of-composed-call.ts'

/**
 * Composes the API call of an exploration step from what is known of the play so far; undefined where that is not
 * enough to make it.
 */
export const composeCall = async (stage: Stage, step: Step): Promise<SentCall | undefined> => {
  const codeMadeAt = stage.now()
  const made =
    step.do === 'repeat' ? composeRepeat(stage, step) : await COMPOSE[kindOf(step)](stage, step, accountOf(stage, step))
  const sent = made && step.wrong ? faulty(stage.profile, made, step) : made
  return sent && { ...sent, call: { codeMadeAt, ...sent.call } }
}

type Kind = 'begin' | 'act' | 'read' | 'search' | 'mockSet'
const kindOf = ({ do: what }: Step): Kind => {
  if (what === 'initiate' || what === 'charge') return 'begin'
  if (what === 'status' || what === 'events') return 'read'
  return what === 'search' || what === 'mockSet' ? what : 'act'
}

const COMPOSE: Readonly<Record<Kind, Compose>> = {
  begin: composeBeginning,
  act: (stage, step, account) => {
    const transactionId = idOf(stage, step)
    const act = step.do as Act
    const takes = (member: string): boolean => takesMember(stage.profile, act, member)
    const isNamed = takes('processingAccountId')
    if (transactionId === undefined || (step.account && !isNamed)) return undefined
    const isSum = act === 'capture' || act === 'refund'
    if (step.amount !== undefined && !takes(AMOUNT)) return undefined
    const body = BODIES_OF_ACTS[act](account, transactionId)
    const named = 'clientTransactionId' in body ? { ...body, clientTransactionId: stage.valueOf(step.id) } : body
    const json = isSum ? withSum(stage.profile, named, step) : named
    const known = stage.payments.get(step.on ?? '')
    return composed(stage, step, json, {
      account: !isNamed && known?.owner === partyOf(step) ? known.account : account,
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

const AMOUNT = 'paymentDetails.amount'

/** A body with the sum of its step; a capture of all that is left has no `paymentDetails` where it needs none (D-47). */
const withSum = (profile: Profile, body: object, { do: act, amount }: Step): object => {
  const isBare = act === 'capture' && amount === undefined && choiceOf(profile, 'D-47') === 'optional'
  return withMember(body, isBare ? 'paymentDetails' : AMOUNT, amount)
}

/**
 * A call with one rule broken; undefined where requests lack the member by which it would be. A wrong sum of a capture or
 * refund is a part too: that parts are not offered may be told before the sum is looked at (1, 7.1).
 */
const faulty = (profile: Profile, sent: SentCall, { wrong }: Step): SentCall | undefined => {
  const row = invalidRequest(wrong ?? 'no token')
  const { broken } = row
  const members: Readonly<Record<string, unknown>> = row.members ?? {}
  if (Object.keys(members).some(path => !takesMember(profile, sent.operation, path))) return undefined
  const json = Object.entries(members).reduce<unknown>(
    (body, [path, value]) =>
      withMemberAt(body, path, typeof value === 'function' ? value(memberAt(body, path)) : value),
    sent.json,
  )
  const sum: unknown = members[AMOUNT]
  const isPart = sent.operation === 'capture' || sent.operation === 'refund'
  const amount = isPart && typeof sum === 'number' ? { amount: sum } : {}
  return { ...sent, json, broken, call: { ...sent.call, ...amount, payload: canonicalJson(json), broken } }
}
