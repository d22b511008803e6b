import { startsPayment } from '../../operations.ts'
import { canonicalJson } from '../../protocol/canonical-json.ts'
import { changeableMembers, withMemberAt } from '../members-that-repeated-calls-change.ts'
import type { SentCall, Stage } from '../organizations-and-values-of-play.ts'
import type { Step } from '../step.ts'
import { FOREIGN_ACCOUNT, keyOf, partyOf, WHOLE } from './parts-of-composed-call.ts'

/**
 * Composes the call of an earlier step again: the same body and key, unless the step changes a member, or lets another
 * party send it.
 */
export const composeRepeat = (stage: Stage, step: Step): SentCall | undefined => {
  const first = stage.sent.get(step.again ?? '')
  if (!first || (step.change && (first.broken || !changeableMembers(stage.profile, first).includes(step.change))))
    return undefined
  const { json, call } = changed(stage, step, first)
  const { fault: _, broken: __, ...rest } = call
  const by = partyOf(step)
  const begins = startsPayment(first.operation)
  const isForeign = begins && !stage.organizations[by].merchant.credentials.processingAccountIds.includes(call.account)
  const rule = isForeign ? FOREIGN_ACCOUNT : first.broken
  const key = step.key === 'new' ? keyOf(stage, step) : first.key
  return {
    ...first,
    json,
    key,
    call: {
      ...rest,
      ...(key === undefined ? {} : { key }),
      by,
      payload: canonicalJson(json),
      ...(begins && { payment: step.id }),
      ...(rule && { broken: rule }),
    },
  }
}

const changed = (stage: Stage, { id, change }: Step, { json, call }: SentCall): Pick<SentCall, 'json' | 'call'> => {
  if (change === undefined) return { json, call }
  if (change === 'transactionId') {
    const [name = 'unknown', other] =
      [...stage.payments].find(([one, { transactionId }]) => one !== call.payment && transactionId !== undefined) ?? []
    return {
      json: withMemberAt(json, change, other?.transactionId ?? stage.unknownId),
      call: { ...call, payment: name },
    }
  }
  if (change === 'paymentDetails.amount') {
    const amount = call.amount === WHOLE ? WHOLE - 1 : WHOLE
    return { json: withMemberAt(json, change, amount), call: { ...call, amount } }
  }
  if (change === 'paymentDetails.description') return { json: withMemberAt(json, change, 'Another description'), call }
  return { json: withMemberAt(json, change, stage.valueOf(id)), call: { ...call, reference: stage.valueOf(id) } }
}
