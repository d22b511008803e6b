import { REFUSALS } from '../protocol/reason-codes.ts'
import { TAMPERED_ID_PREFIX } from '../protocol/verify-response.ts'
import {
  type ConductResult,
  type ConductRule,
  evidenceIds,
  judgeOccasions,
  type OccasionJudgment,
} from './conduct-rule.ts'
import { type ClientCall, isOverdue, isRead, type MerchantTraffic } from './merchant-traffic.ts'
import { elapsedBetween, findAfter } from './related-calls.ts'

/** Conduct rules on access tokens, polling, response signatures and the rotation of signing keys (5.2 to 5.4, 6). */
export const TOKEN_POLLING_AND_SIGNATURE_RULES: readonly ConductRule[] = [
  {
    id: 'CND-06',
    clause: '5.3',
    title: 'one token serves many calls',
    why: 'A token for every call doubles the traffic and reaches the rate limit sooner.',
    judge: ({ calls }) =>
      judgeOccasions(
        lifetimesOf(calls).filter(within => within.filter(needsToken).length >= ENOUGH_CALLS),
        within => {
          const tokens = within.filter(isGrantedToken)
          const served = within.filter(needsToken)
          const said = `${tokens.length} tokens were fetched for ${served.length} calls.`
          return tokens.length >= MANY_TOKENS && served.length / tokens.length < 2
            ? { said, evidence: evidenceIds(tokens) }
            : { evidence: evidenceIds([...tokens, ...served].slice(0, 2)) }
        },
      ),
  },
  {
    id: 'CND-07',
    clause: '5.3',
    title: 'a token is renewed before it expires, or at once when it is refused as expired',
    why: 'Otherwise payments fail two hours after the shop was started.',
    judge: traffic => {
      const ended = traffic.calls.filter(({ reasonCode }) => reasonCode === REFUSALS.TOKEN_EXPIRED.reasonCode)
      const served = traffic.calls.filter(isServed)
      const byOperation = Map.groupBy(served, ({ operation }) => operation)
      const seen = ended.map(call => {
        // A new token in use: a call of the same operation, or any call after a read.
        const shown = isRead(call) ? served : (byOperation.get(call.operation) ?? [])
        return { ...call, next: findAfter(traffic, call, shown) }
      })
      return judgeOccasions(
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
    title: 'payments are not polled: webhooks report changes',
    why: 'Polling is late, costs calls, and reaches the rate limit on the busiest day.',
    judge: traffic => {
      const orders = Map.groupBy(traffic.payments, ({ clientTransactionId }) => clientTransactionId)
      const paymentOf = ({ transactionId, clientTransactionId = '' }: ClientCall): string | undefined => {
        const [payment, ...others] = orders.get(clientTransactionId) ?? []
        return transactionId ?? (others.length > 0 ? undefined : payment?.transactionId)
      }
      const reads = traffic.calls.filter(call => isRead(call) && paymentOf(call) !== undefined)
      return judgeOccasions([...Map.groupBy(reads, paymentOf).values()], ofOne =>
        judgePolling(ofOne, paymentOf(ofOne[0] as ClientCall), traffic),
      )
    },
  },
  {
    id: 'CND-09',
    clause: '5.4',
    title: 'a response whose signature does not verify is not used',
    why: 'An attacker who can change a response could make a shop deliver without payment.',
    judge: traffic =>
      judgeOccasions(
        traffic.calls.filter(({ injectedFault }) => injectedFault === 'tampered'),
        call => {
          const used = findAfter(traffic, call, traffic.calls, ({ transactionId = '' }) =>
            transactionId.toLowerCase().startsWith(TAMPERED_ID_PREFIX),
          )
          const said = `The answer to ${call.operation} had been tampered with; a call used the id in it.`
          return used && { said, evidence: [call.callId, used.callId] }
        },
      ),
  },
  {
    id: 'CND-19',
    clause: '5.2',
    title: 'a new signing key is used while the old one is still valid',
    why: 'Changing keys only after the old one has expired causes an outage.',
    judge: judgeKeyRotation,
  },
]

/** The fewest calls from which token use is judged, and the fewest tokens that can be wasteful. */
const ENOUGH_CALLS = 6
const MANY_TOKENS = 6

/** For so long a token is sure to serve: two hours, less the five minutes before its end in which to renew it (5.3). */
const TOKEN_SERVES_MS = 6_900_000

/** Divides calls into spans in which one token serves: the organization's clock, which tests move, ends tokens. */
const lifetimesOf = (calls: readonly ClientCall[]): readonly (readonly ClientCall[])[] => {
  const lifetimes: [ClientCall, ...ClientCall[]][] = []
  for (const call of calls) {
    const current = lifetimes.at(-1)
    if (current && elapsedBetween(current[0], call) < TOKEN_SERVES_MS) current.push(call)
    else lifetimes.push([call])
  }
  return lifetimes
}

const needsToken = ({ operation }: ClientCall): boolean => operation !== 'token' && operation !== 'keySet'
const isGrantedToken = ({ operation, status }: ClientCall): boolean => operation === 'token' && status === 200
const isServed = ({ operation, status }: ClientCall): boolean => operation !== 'token' && status !== 401

/** Limits of reads of one payment per time window; `withoutWebhook` is the window where no webhook reports on the payment. */
const POLLING_LIMITS = [
  { reads: 5, withinMs: 5_000, withoutWebhook: 3_000 },
  { reads: 25, withinMs: 60_000, withoutWebhook: 0 },
] as const

/** Reads that a webhook may prompt, as by two processes, and the time window after it. */
const PROMPTED_READS = { reads: 2, withinMs: 1_000 }

/** Reads that were not prompted by a webhook. */
const findUnpromptedReads = (reads: readonly ClientCall[], notifiedAt: readonly number[]): readonly ClientCall[] => {
  const left = notifiedAt.map(at => ({ at, reads: PROMPTED_READS.reads }))
  return reads.filter(({ startedAt }) => {
    const by = left.find(({ at, reads }) => reads > 0 && startedAt >= at && startedAt - at <= PROMPTED_READS.withinMs)
    if (by) by.reads -= 1
    return by === undefined
  })
}

/** Judges the reads of one payment: a breach where too many fall into a time window. */
const judgePolling = (
  reads: readonly ClientCall[],
  transactionId: string | undefined,
  { deliveries }: MerchantTraffic,
): OccasionJudgment | undefined => {
  const about = deliveries.filter(delivery => delivery.transactionId === transactionId)
  const notifiedAt = about.flatMap(({ attempts }) => attempts.map(({ startedAt }) => startedAt))
  const own = findUnpromptedReads(reads, notifiedAt)
  for (const limit of POLLING_LIMITS) {
    const withinMs = notifiedAt.length > 0 ? limit.withinMs : limit.withoutWebhook
    const dense = own.findIndex((call, index) => {
      const last = own[index + limit.reads - 1]
      return last !== undefined && elapsedBetween(call, last) < withinMs
    })
    const said = `Payment ${transactionId} was read ${reads.length} times.`
    if (dense >= 0) return { said, evidence: evidenceIds(own.slice(dense, dense + limit.reads)) }
  }
  return undefined
}

/** Judges key rotation: keys that replaced older ones in time, and keys used after they had ended. */
function judgeKeyRotation({ calls, keys }: MerchantTraffic): ConductResult {
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
  return judgeOccasions([...first, ...late.values()], group => {
    const key = group[0]?.endedKey
    const said = `Key ${key} had ended, and still signed ${group.length === 1 ? 'a call' : `${group.length} calls`}.`
    return key === undefined ? undefined : { said, evidence: evidenceIds(group) }
  })
}
