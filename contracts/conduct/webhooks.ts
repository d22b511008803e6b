import { isFinished, lastNewsOf } from './payments.ts'
import { type ConductRule, type Finding, idsOf, overEach, type Sight } from './rule.ts'
import {
  type ClientCall,
  type ClientDelivery,
  type Flaw,
  isMutating,
  isOverdue,
  isSameRequest,
  type Timing,
  type Traffic,
} from './traffic.ts'

/** How merchants receive webhooks (6, 9). */
export const WEBHOOKS: readonly ConductRule[] = [
  {
    id: 'CND-10',
    clause: '9',
    title: 'fields and event types that nobody knows yet are taken without complaint',
    why: 'A minor version may add both; whoever stumbles over them is down on the day of a release.',
    judge: traffic => mustBeTaken(traffic, ['unknown-type', 'extra-field']),
  },
  {
    id: 'CND-11',
    clause: '6',
    title: 'a webhook that is signed with a wrong key is turned away',
    why: 'Anybody can call a public address and say that an order is paid.',
    judge: traffic => mustBeRefused(traffic, 'wrong-key'),
  },
  {
    id: 'CND-12',
    clause: '6',
    title: 'a webhook with an old timestamp is turned away',
    why: 'What was recorded once can be played again for ever.',
    judge: traffic => mustBeRefused(traffic, 'stale-timestamp'),
  },
  {
    id: 'CND-13',
    clause: '6',
    title: 'webhooks are acknowledged in time with a 2xx',
    why: 'What is not acknowledged comes again, later and later, and then no more.',
    judge: ({ deliveries }) =>
      overEach(deliveries.filter(isUsual), delivery => {
        const failed = delivery.attempts.find(attempt => !isTaken(attempt))
        const how = failed?.status === undefined ? failed?.error : `with ${failed.status}`
        return failed && breach(delivery, `A webhook was not acknowledged: answered ${how}.`)
      }),
  },
  {
    id: 'CND-14',
    clause: '6',
    title: 'the same notification twice has one effect',
    why: 'Deliveries are repeated: goods must not be, and refunds neither.',
    judge: traffic => overEach(deliveredTwice(traffic), twice => repeatedEffect(traffic, twice)),
  },
  {
    id: 'CND-15',
    clause: '6',
    title: 'a webhook that comes before the answer to the call is understood',
    why: 'Networks keep no order: the news may be there before the id is stored.',
    judge: traffic => mustBeSurvived(traffic, 'before-answer'),
  },
  {
    id: 'CND-16',
    clause: '6',
    title: 'a webhook that comes before the shopper returns is understood',
    why: 'The order may be paid by the time the shopper is back.',
    judge: traffic => mustBeSurvived(traffic, 'before-return'),
  },
  {
    id: 'CND-17',
    clause: '6',
    title: 'webhooks that come out of order do no harm',
    why: 'An older state must not overwrite a newer one.',
    judge: traffic => mustBeSurvived(traffic, 'reorder'),
  },
]

type Attempt = ClientDelivery['attempts'][number]
const isTaken = ({ status = 0 }: Attempt): boolean => status >= 200 && status < 300

/** As they come every day; what came otherwise on purpose has a rule of its own. */
const isUsual = ({ deeds, attempts }: ClientDelivery): boolean =>
  attempts.length > 0 && deeds.every(deed => deed === 'duplicate')

const breach = ({ deliveryId }: ClientDelivery, said: string): Sight => ({ said, evidence: [deliveryId] })

const made = ({ deliveries }: Traffic, wished: readonly (Flaw | Timing)[]): readonly ClientDelivery[] =>
  deliveries.filter(({ deeds, attempts }) => attempts.length > 0 && deeds.some(deed => wished.includes(deed)))

const mustBeTaken = (traffic: Traffic, flaws: readonly Flaw[]): Finding =>
  overEach(made(traffic, flaws), delivery =>
    delivery.attempts.some(isTaken)
      ? undefined
      : breach(delivery, `A webhook with ${delivery.deeds.join(' and ')} was never acknowledged.`),
  )

const mustBeRefused = (traffic: Traffic, flaw: Flaw): Finding =>
  overEach(made(traffic, [flaw]), delivery => {
    const taken = delivery.attempts.find(isTaken)
    return taken && breach(delivery, `A webhook with ${flaw} was acknowledged with ${taken.status}.`)
  })

/** Such webhooks were acknowledged, and their payment went on to where its shopper wanted it. */
const mustBeSurvived = (traffic: Traffic, timing: Timing): Finding =>
  overEach(made(traffic, [timing]), delivery => {
    const failed = delivery.attempts.find(attempt => !isTaken(attempt))
    if (failed) return breach(delivery, `It was answered ${failed.status ?? failed.error}.`)
    const payment = traffic.payments.find(({ transactionId }) => transactionId === delivery.transactionId)
    if (!payment?.states.includes('AUTHENTICATED') || isFinished(payment)) return undefined
    if (!isOverdue(traffic, lastNewsOf(traffic, payment))) return undefined
    return breach(delivery, `Its payment stayed ${payment.states.at(-1)}: it was never finalized.`)
  })

const deliveredTwice = ({ deliveries }: Traffic): readonly ClientDelivery[][] =>
  [...Map.groupBy(deliveries, ({ notificationId }) => notificationId).values()].filter(
    same => same.flatMap(({ attempts }) => attempts.filter(isTaken)).length > 1,
  )

/** A request that was served, and came as it was under another key after the first delivery. */
const repeatedEffect = ({ calls }: Traffic, same: readonly ClientDelivery[]): Sight | undefined => {
  const [first] = same
  const since = first?.attempts[0]?.startedAt ?? 0
  const about = calls.filter(
    call => isMutating(call) && call.transactionId === first?.transactionId && call.startedAt >= since,
  )
  const twice = about.flatMap(call => {
    const again = call.status < 300 && about.find(later => isAgain(later, call))
    return again ? [[call, again]] : []
  })[0]
  if (twice === undefined) return undefined
  const said = `After a notification had come twice, ${twice[0]?.operation} was called under two keys.`
  return { said, evidence: [...idsOf(same), ...idsOf(twice)] }
}

const isAgain = (later: ClientCall, call: ClientCall): boolean =>
  later.startedAt >= call.startedAt && later.idempotencyKey !== call.idempotencyKey && isSameRequest(later, call)
