import { FORGED_ID } from '../protocol/forged-id.ts'
import { REFUSALS } from '../protocol/reason-codes.ts'
import { type Breach, type ConductRule, type Finding, overEach } from './rule.ts'
import { type ClientCall, callsAfter, isMutating, isRead, type Traffic } from './traffic.ts'

/** How merchants use tokens, keys and the reading calls, and whom they trust (5.2 to 5.4, 6). */
export const ACCESS: readonly ConductRule[] = [
  {
    id: 'CND-06',
    clause: '5.3',
    title: 'one token serves many calls',
    why: 'A token for every call doubles the traffic and meets the rate limit first.',
    judge: traffic => {
      const tokens = traffic.calls.filter(isGrantedToken)
      const served = traffic.calls.filter(call => call.operation !== 'token').length
      if (served < FEW_CALLS) return { occasions: 0, breaches: [] }
      const wasteful = tokens.length >= FEW_CALLS && served / tokens.length < 2
      const said = `${tokens.length} tokens were fetched for ${served} calls.`
      return { occasions: 1, breaches: wasteful ? [{ said, evidence: idsOf(tokens) }] : [] }
    },
  },
  {
    id: 'CND-07',
    clause: '5.3',
    title: 'a token is renewed before it ends, or at once when it is refused as ended',
    why: 'Else a shop stops paying two hours after it was started.',
    judge: traffic =>
      overEach(
        traffic.calls.filter(({ reasonCode }) => reasonCode === REFUSALS.TOKEN_EXPIRED.reasonCode),
        call => {
          const renewal = traffic.calls.find(later => isGrantedToken(later) && later.startedAt >= call.startedAt)
          const goesOn = traffic.calls.some(
            later => renewal && later !== renewal && later.startedAt >= renewal.endedAt && later.status !== 401,
          )
          const said = `${call.operation} was refused because its token had ended, and no new one was used.`
          return goesOn ? undefined : { said, evidence: [call.callId] }
        },
      ),
  },
  {
    id: 'CND-08',
    clause: '6',
    title: 'payments are not polled: webhooks tell',
    why: 'Polling is late, costs calls, and meets the rate limit on the busiest day.',
    judge: traffic => {
      const reads = traffic.calls.filter(call => isRead(call) && call.transactionId !== undefined)
      const byPayment = [...Map.groupBy(reads, ({ transactionId }) => transactionId).values()]
      return overEach(byPayment, ofOne => polledBreach(ofOne.filter(read => !isPrompted(read, traffic))))
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

const FEW_CALLS = 3

/** So many reads of one payment within so long are polling. */
const POLLED = { reads: 5, withinMs: 5_000 }
const MANY_READS = 25

const idsOf = (calls: readonly ClientCall[]): readonly string[] => calls.map(({ callId }) => callId)

const isGrantedToken = ({ operation, status }: ClientCall): boolean => operation === 'token' && status === 200

/** How long after a webhook a read may be its doing. */
const PROMPTED_WITHIN = 1_000

/** Looking because a webhook said that there is news is no polling. */
const isPrompted = ({ transactionId, startedAt }: ClientCall, { deliveries }: Traffic): boolean =>
  deliveries.some(
    delivery =>
      delivery.transactionId === transactionId &&
      delivery.attempts.some(({ startedAt: told }) => startedAt >= told && startedAt - told <= PROMPTED_WITHIN),
  )

const polledBreach = (reads: readonly ClientCall[]): Breach | undefined => {
  const dense = reads.findIndex((call, index) => {
    const fifth = reads[index + POLLED.reads - 1]
    return fifth !== undefined && fifth.startedAt - call.startedAt < POLLED.withinMs
  })
  if (dense < 0 && reads.length < MANY_READS) return undefined
  const evidence = idsOf(dense < 0 ? reads : reads.slice(dense, dense + POLLED.reads))
  return { said: `Payment ${reads[0]?.transactionId} was read ${reads.length} times.`, evidence }
}

/** Keys that came while calls were being made, and for a while beside one that had been in use. */
function rotation({ calls, keys }: Traffic): Finding {
  const [first] = calls
  const later = keys.filter(({ registeredAt }) => first !== undefined && registeredAt > first.startedAt)
  const rotated = later.flatMap(key => {
    const inOverlap = calls.filter(call => call.startedAt > key.registeredAt && (isMutating(call) || isRead(call)))
    return inOverlap.length === 0 ? [] : [{ key, inOverlap }]
  })
  return overEach(rotated, ({ key, inOverlap }) => {
    const said = `Key ${key.keyId} was registered, and ${inOverlap.length} calls after it used older ones.`
    return inOverlap.some(({ keyId }) => keyId === key.keyId) ? undefined : { said, evidence: idsOf(inOverlap) }
  })
}
