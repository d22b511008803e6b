import { REFUSALS } from '../protocol/reason-codes.ts'
import { FORGED_ID } from '../protocol/untrusted.ts'
import { type ConductRule, type Finding, idsOf, NO_OCCASION, overEach, type Sight } from './rule.ts'
import { type ClientCall, callsAfter, isOverdue, isRead, type Traffic } from './traffic.ts'

/** How merchants use tokens, keys and the reading calls, and whom they trust (5.2 to 5.4, 6). */
export const ACCESS: readonly ConductRule[] = [
  {
    id: 'CND-06',
    clause: '5.3',
    title: 'one token serves many calls',
    why: 'A token for every call doubles the traffic and meets the rate limit first.',
    judge: traffic => {
      const tokens = traffic.calls.filter(isGrantedToken)
      const served = traffic.calls.filter(({ operation = '' }) => !['token', 'keySet'].includes(operation))
      if (served.length < ENOUGH_CALLS) return NO_OCCASION
      const isWasteful = tokens.length >= MANY_TOKENS && served.length / tokens.length < 2
      const said = `${tokens.length} tokens were fetched for ${served.length} calls.`
      return overEach([[...tokens, ...served]], () =>
        isWasteful ? { said, evidence: idsOf(tokens) } : { evidence: idsOf([...tokens, ...served].slice(0, 2)) },
      )
    },
  },
  {
    id: 'CND-07',
    clause: '5.3',
    title: 'a token is renewed before it ends, or at once when it is refused as ended',
    why: 'Else a shop stops paying two hours after it was started.',
    judge: traffic => {
      const ended = traffic.calls.filter(({ reasonCode }) => reasonCode === REFUSALS.TOKEN_EXPIRED.reasonCode)
      const seen = ended.map(call => ({ ...call, next: withNewToken(traffic, call) }))
      return overEach(
        seen.filter(({ next, endedAt }) => next || isOverdue(traffic, endedAt)),
        ({ operation, callId, next }) => {
          if (next) return { evidence: [callId, next.callId] }
          const said = `${operation} was refused because its token had ended, and no new one was used.`
          return { said, evidence: [callId] }
        },
      )
    },
  },
  {
    id: 'CND-08',
    clause: '6',
    title: 'payments are not polled: webhooks tell',
    why: 'Polling is late, costs calls, and meets the rate limit on the busiest day.',
    judge: traffic => {
      const reads = traffic.calls.filter(call => isRead(call) && call.transactionId !== undefined)
      const byPayment = [...Map.groupBy(reads, ({ transactionId }) => transactionId).values()]
      return overEach(byPayment, ofOne => polled(ofOne, traffic))
    },
  },
  {
    id: 'CND-09',
    clause: '5.4',
    title: 'an answer whose signature does not verify is not acted upon',
    why: 'Whoever can change an answer could have a shop deliver for nothing.',
    judge: traffic =>
      overEach(
        traffic.calls.filter(({ spoiled }) => spoiled === 'tampered'),
        call => {
          const used = callsAfter(traffic, call).find(({ transactionId }) => transactionId?.startsWith(FORGED_ID))
          const said = `The answer to ${call.operation} had been tampered with; a call used the id in it.`
          return used && { said, evidence: [call.callId, used.callId] }
        },
      ),
  },
  {
    id: 'CND-19',
    clause: '5.2',
    title: 'a new signing key is used while the old one still holds',
    why: 'Whoever changes keys only when the old one has ended has an outage in between.',
    judge: rotation,
  },
]

/** Fewer calls do not show how tokens are used; so many tokens are more than a shop's processes each begin with. */
const ENOUGH_CALLS = 6
const MANY_TOKENS = 6

const isGrantedToken = ({ operation, status }: ClientCall): boolean => operation === 'token' && status === 200
const isServed = ({ operation, status }: ClientCall): boolean => operation !== 'token' && status !== 401

/** What shows that a new token came into use, whichever process fetched it; who only reads may read something else next. */
const withNewToken = (traffic: Traffic, call: ClientCall): ClientCall | undefined =>
  callsAfter(traffic, call).find(later => isServed(later) && (isRead(call) || later.operation === call.operation))

/** So many reads of one payment within so long are polling; more is let pass where no webhook tells of it. */
const POLLED = [
  { reads: 5, withinMs: 5_000, untold: 3_000 },
  { reads: 25, withinMs: 60_000, untold: 0 },
] as const

/** So many reads within so long after a webhook are its doing: a shop may have two processes that look. */
const PROMPTED = { reads: 2, withinMs: 1_000 }

/** Reads that no webhook prompted: looking because one said that there is news is no polling. */
const unprompted = (reads: readonly ClientCall[], told: readonly number[]): readonly ClientCall[] => {
  const left = told.map(at => ({ at, reads: PROMPTED.reads }))
  return reads.filter(({ startedAt }) => {
    const by = left.find(({ at, reads }) => reads > 0 && startedAt >= at && startedAt - at <= PROMPTED.withinMs)
    if (by) by.reads -= 1
    return by === undefined
  })
}

/** Reads of one payment, of which some were too close to one another. */
const polled = (reads: readonly ClientCall[], { deliveries }: Traffic): Sight | undefined => {
  const transactionId = reads[0]?.transactionId
  const about = deliveries.filter(delivery => delivery.transactionId === transactionId)
  const told = about.flatMap(({ attempts }) => attempts.map(({ startedAt }) => startedAt))
  const own = unprompted(reads, told)
  for (const limit of POLLED) {
    const withinMs = told.length > 0 ? limit.withinMs : limit.untold
    const dense = own.findIndex((call, index) => {
      const last = own[index + limit.reads - 1]
      return last !== undefined && last.startedAt - call.startedAt < withinMs
    })
    const said = `Payment ${transactionId} was read ${reads.length} times.`
    if (dense >= 0) return { said, evidence: idsOf(own.slice(dense, dense + limit.reads)) }
  }
  return undefined
}

/** Keys that took over from older ones, and keys that were still used when they had ended. */
function rotation({ calls, keys }: Traffic): Finding {
  const registered = new Map(keys.map(({ keyId, registeredAt }) => [keyId, registeredAt]))
  const ageOf = ({ keyId = '' }: ClientCall): number => registered.get(keyId) ?? Number.NaN
  const signed = calls.filter(({ keyId, status }) => keyId !== undefined && status < 400)
  const oldest = signed[0]
  const takenOver = oldest ? signed.filter(call => ageOf(call) > ageOf(oldest)) : []
  const late = Map.groupBy(
    calls.filter(({ endedKey }) => endedKey !== undefined),
    ({ endedKey }) => endedKey,
  )
  const first = takenOver
    .slice(0, 1)
    .map(call => [
      signed.findLast(before => before.endedAt <= call.startedAt && ageOf(before) < ageOf(call)) ?? call,
      call,
    ])
  return overEach([...first, ...late.values()], group => {
    const key = group[0]?.endedKey
    const said = `Key ${key} had ended, and still signed ${group.length === 1 ? 'a call' : `${group.length} calls`}.`
    return key === undefined ? undefined : { said, evidence: idsOf(group) }
  })
}
