import {
  type ConductResult,
  type ConductRule,
  evidenceIds,
  judgeOccasions,
  type OccasionJudgment,
} from './conduct-rule.ts'
import {
  type ClientCall,
  type ClientDelivery,
  isMutating,
  isOverdue,
  type MerchantTraffic,
  REACTION_TIME_MS,
  type WebhookDefect,
  type WebhookTiming,
} from './merchant-traffic.ts'
import { isFinalized, isInDoubt, lastEventAt } from './payment-rules.ts'
import { callsOn, isSameRequest } from './related-calls.ts'

/** Conduct rules on receiving webhooks (6, 9). */
export const WEBHOOK_RULES: readonly ConductRule[] = [
  {
    id: 'CND-10',
    clause: '9',
    title: 'unknown fields and event types are accepted',
    why: 'A minor version may add both; a shop that rejects them fails on the day of a release.',
    judge: traffic => judgeAcknowledged(traffic, ['unknown-type', 'extra-field']),
  },
  {
    id: 'CND-11',
    clause: '6',
    title: 'a webhook signed with a wrong key is refused',
    why: 'Anybody can call a public address and claim that an order is paid.',
    judge: traffic => judgeRefused(traffic, 'wrong-key'),
  },
  {
    id: 'CND-12',
    clause: '6',
    title: 'a webhook with an old timestamp is refused',
    why: 'A recorded webhook could be replayed at any time.',
    judge: traffic => judgeRefused(traffic, 'stale-timestamp'),
  },
  {
    id: 'CND-13',
    clause: '6',
    title: 'webhooks are acknowledged in time with a 2xx',
    why: 'A webhook without acknowledgment is repeated at growing intervals, and then dropped.',
    judge: ({ deliveries }) =>
      judgeOccasions(deliveries.filter(isUnmodified), delivery => {
        const failed = delivery.attempts.find(attempt => !isAcknowledged(attempt))
        const how = failed?.status === undefined ? failed?.error : `with ${failed.status}`
        return failed && breach(delivery, `A webhook was not acknowledged: answered ${how}.`)
      }),
  },
  {
    id: 'CND-14',
    clause: '6',
    title: 'the same notification twice has one effect',
    why: 'Deliveries are repeated: goods and refunds must not be.',
    judge: traffic => judgeOccasions(deliveredTwice(traffic), twice => repeatedEffect(traffic, twice)),
  },
  {
    id: 'CND-15',
    clause: '6',
    title: 'a webhook that arrives before the response to the call is handled',
    why: 'Networks do not keep order: the webhook may arrive before the id is stored.',
    judge: traffic => judgeUnharmed(traffic, 'before-response'),
  },
  {
    id: 'CND-16',
    clause: '6',
    title: 'a webhook that arrives before the shopper returns is handled',
    why: 'The order may be paid by the time the shopper is back.',
    judge: traffic => judgeUnharmed(traffic, 'before-return'),
  },
  {
    id: 'CND-17',
    clause: '6',
    title: 'webhooks out of order do no harm',
    why: 'An older state must not overwrite a newer one.',
    judge: traffic => judgeUnharmed(traffic, 'reorder'),
  },
]

type ClientAttempt = ClientDelivery['attempts'][number]
const isAcknowledged = ({ status = 0 }: ClientAttempt): boolean => status >= 200 && status < 300

/** Whether a delivery was attempted without injected defects other than duplication; those have their own rules. */
const isUnmodified = ({ injected, attempts }: ClientDelivery): boolean =>
  attempts.length > 0 && injected.every(deviation => deviation === 'duplicate')

const breach = ({ deliveryId }: ClientDelivery, said: string): OccasionJudgment => ({ said, evidence: [deliveryId] })

const deliveriesWith = (
  { deliveries }: MerchantTraffic,
  deviations: readonly (WebhookDefect | WebhookTiming)[],
): readonly ClientDelivery[] =>
  deliveries.filter(
    ({ injected, attempts }) => attempts.length > 0 && injected.some(deviation => deviations.includes(deviation)),
  )

/** Whether a delivery is to be refused whatever else is unusual in it. */
const isForged = ({ injected }: ClientDelivery): boolean =>
  injected.includes('wrong-key') || injected.includes('stale-timestamp')

const genuine: typeof deliveriesWith = (traffic, deviations) =>
  deliveriesWith(traffic, deviations).filter(delivery => !isForged(delivery))

const judgeAcknowledged = (traffic: MerchantTraffic, flaws: readonly WebhookDefect[]): ConductResult =>
  judgeOccasions(genuine(traffic, flaws), delivery =>
    delivery.attempts.some(isAcknowledged)
      ? undefined
      : breach(delivery, `A webhook with ${delivery.injected.join(' and ')} was never acknowledged.`),
  )

const judgeRefused = (traffic: MerchantTraffic, flaw: WebhookDefect): ConductResult =>
  judgeOccasions(deliveriesWith(traffic, [flaw]), delivery => {
    const taken = delivery.attempts.find(isAcknowledged)
    return taken && breach(delivery, `A webhook with ${flaw} was acknowledged with ${taken.status}.`)
  })

/** Judges deliveries with injected timing: they were acknowledged, and approved payments were finalized. */
const judgeUnharmed = (traffic: MerchantTraffic, timing: WebhookTiming): ConductResult =>
  judgeOccasions(genuine(traffic, [timing]), delivery => {
    const failed = delivery.attempts.find(attempt => !isAcknowledged(attempt))
    if (failed) return breach(delivery, `It was answered ${failed.status ?? failed.error}.`)
    const payment = traffic.payments.find(({ transactionId }) => transactionId === delivery.transactionId)
    if (!payment?.states.includes('AUTHENTICATED') || isFinalized(traffic, payment)) return undefined
    if (isInDoubt(traffic, payment) || !isOverdue(traffic, lastEventAt(traffic, payment))) return undefined
    return breach(delivery, `Its payment stayed ${payment.states.at(-1)}: it was never finalized.`)
  })

/** Deliveries of a notification to one endpoint, which acknowledged it twice or more. */
const deliveredTwice = ({ deliveries }: MerchantTraffic): readonly ClientDelivery[][] =>
  [...Map.groupBy(deliveries, ({ endpointId, notificationId }) => `${endpointId} ${notificationId}`).values()].filter(
    same => arrivalsOf(same).length > 1,
  )

/** Returns when a notification arrived and was acknowledged, oldest first. */
const arrivalsOf = (same: readonly ClientDelivery[]): readonly number[] =>
  same
    .flatMap(({ attempts }) => attempts.filter(isAcknowledged).map(({ startedAt }) => startedAt))
    .sort((a, b) => a - b)

const isReaction = ({ startedAt }: ClientCall, arrivals: readonly number[]): boolean =>
  arrivals.some(at => startedAt >= at && startedAt - at < REACTION_TIME_MS)

/** Returns a breach where a request that followed a notification was sent again, under a second key, after its repetition. */
const repeatedEffect = (traffic: MerchantTraffic, same: readonly ClientDelivery[]): OccasionJudgment | undefined => {
  const arrivals = arrivalsOf(same)
  const about = callsOn(traffic, same[0]?.transactionId).filter(call => isMutating(call) && isReaction(call, arrivals))
  const repetitions = about.filter(call => isReaction(call, arrivals.slice(1)))
  const twice = about.flatMap(call => {
    const again = call.status < 300 && repetitions.find(later => isAgain(later, call))
    return again ? [[call, again]] : []
  })[0]
  if (twice === undefined) return undefined
  const said = `After a notification had come twice, ${twice[0]?.operation} was called under two keys.`
  return { said, evidence: [...evidenceIds(same), ...evidenceIds(twice)] }
}

const isAgain = (later: ClientCall, call: ClientCall): boolean =>
  later.startedAt >= call.startedAt && later.idempotencyKey !== call.idempotencyKey && isSameRequest(later, call)
