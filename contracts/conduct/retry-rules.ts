import { startsPayment } from '../operations.ts'
import { REFUSALS } from '../protocol/reason-codes.ts'
import { type ConductRule, evidenceIds, judgeOccasions } from './conduct-rule.ts'
import {
  type ClientCall,
  gotNoUsableResponse,
  isAmbiguous,
  isMutating,
  isOverdue,
  isPassingDecline,
  isRead,
  type MerchantTraffic,
} from './merchant-traffic.ts'
import {
  acknowledgedWebhook,
  callsUnderKey,
  earliest,
  findAfter,
  findRead,
  isSameRequest,
  sameSubject,
} from './related-calls.ts'
import { findNewAttempt, PROCESSES, retriesOf, waitOf } from './retries.ts'

/** Conduct rules on retries and idempotency keys (7.1, 7.4, I2). */
export const RETRY_RULES: readonly ConductRule[] = [
  {
    id: 'CND-01',
    clause: '7.4',
    title: 'after a lost or uncertain response the same key is sent again, or the state is read, before any new key',
    why: 'A new key is a new operation: the shopper may pay twice.',
    judge: traffic => {
      const seen = traffic.calls.filter(isAmbiguous).map(call => ({ ...call, ...findResolution(traffic, call) }))
      return judgeOccasions(
        seen.filter(({ next, reportedBy, endedAt }) => next || reportedBy || isOverdue(traffic, endedAt)),
        ({ operation, callId, next, isCleared, reportedBy }) => {
          if (reportedBy !== undefined) return { evidence: [callId, reportedBy] }
          if (next === undefined)
            return {
              said: `${operation} was left uncertain: nothing followed that tells its outcome.`,
              evidence: [callId],
            }
          const evidence = [callId, next.callId]
          return isCleared ? { evidence } : { said: `${operation} was sent again under a new key.`, evidence }
        },
      )
    },
  },
  {
    id: 'CND-02',
    clause: '7.4',
    title: 'a permanently refused or declined call is not repeated unchanged',
    why: 'Repeating does not change a decline; schemes count such attempts.',
    judge: traffic =>
      judgeOccasions(traffic.calls.filter(isRefusedForGood), call => {
        const again = findRepetition(traffic, call)
        const said = `${call.operation} was answered ${call.reasonCode} and sent again unchanged.`
        if (again && (isCorrected(call, again) || isReconciled(traffic, call, again))) return undefined
        return again && { said, evidence: [call.callId, again.callId] }
      }),
  },
  {
    id: 'CND-03',
    clause: '7.1',
    title: 'Retry-After is respected',
    why: 'A client that retries too early is refused again, and takes longer.',
    judge: traffic =>
      judgeOccasions(retriesOf(traffic, isRateLimited), ([call, next]) => {
        const waited = next.startedAt - call.endedAt
        const said = `${call.operation} came back after ${formatMs(waited)}; Retry-After said ${call.retryAfter} s.`
        return waited < waitOf(call) ? { said, evidence: [call.callId, next.callId] } : undefined
      }),
  },
  {
    id: 'CND-04',
    clause: '7.1',
    title: 'retries back off, and 423 is retried at most twice',
    why: 'Many clients that retry at a constant rate keep a recovering service down.',
    judge: traffic =>
      judgeOccasions(seriesOf(traffic), series => {
        const gaps = series.slice(1).map((call, index) => call.startedAt - (series[index]?.endedAt ?? 0))
        const locked = series.filter(({ status }) => status === 423).length
        const isBroken = locked > 3 || isAtOnce(gaps) || (locked < series.length - 1 && hasConstantDelay(gaps))
        if (!isBroken) return undefined
        const said = `${series[0]?.operation} was repeated after ${gaps.map(formatMs).join(', then ')}.`
        return { said, evidence: evidenceIds(series) }
      }),
  },
  {
    id: 'CND-05',
    clause: 'I2',
    title: 'a key belongs to one operation',
    why: 'Another operation under a used key is refused, or mistaken for the first.',
    judge: traffic =>
      judgeOccasions(firstOfEachKey(traffic), call => {
        const other = callsUnderKey(traffic, call.idempotencyKey).find(later => isOtherOperation(later, call))
        const said = `The key of ${call.operation} came again with another request.`
        return other && { said, evidence: [call.callId, other.callId] }
      }),
  },
  {
    id: 'CND-23',
    clause: '7.4',
    title: 'a call that was declined or refused for now is repeated under its key',
    why: 'Such a response leaves the key unused; under two keys a provider that recovers may act twice.',
    judge: traffic =>
      judgeOccasions(
        retriesOf(traffic, call => (isPassingDecline(call) && !traffic.replaysDeclines) || isRefusedForNow(call)),
        ([call, next]) => {
          const said = `${call.operation} was answered ${call.reasonCode} and sent again under a new key.`
          return call.idempotencyKey === next.idempotencyKey ? undefined : { said, evidence: evidenceIds([call, next]) }
        },
      ),
  },
]

/** Formats a duration in whole milliseconds. */
const formatMs = (milliseconds: number): string => `${Math.floor(milliseconds)} ms`

/** Delays in milliseconds below which no backoff is possible. */
const AT_ONCE = 10
const isAtOnce = (gaps: readonly number[]): boolean => gaps.every(gap => gap < AT_ONCE)

/**
 * Delays count as constant where at least so many differ from the first by no more than a share of it, in milliseconds.
 * From `slow` on a constant delay is acceptable.
 */
const CONSTANT_DELAY = { gaps: 3, share: 0.1, slow: 10_000 }

/**
 * Whether short delays are constant, without backoff. Delays that shrink are accepted as jitter, and long constant ones
 * as capped backoff.
 */
const hasConstantDelay = (gaps: readonly number[]): boolean => {
  const [first = 0] = gaps
  const isConstant = gaps.every(gap => Math.abs(gap - first) <= first * CONSTANT_DELAY.share)
  return gaps.length >= CONSTANT_DELAY.gaps && first < CONSTANT_DELAY.slow && isConstant
}

type AmbiguityResolution = { next?: ClientCall; isCleared?: boolean; reportedBy?: string }

/** Finds what first followed an ambiguous call: a call that resolves or repeats it, or a webhook with the state. */
const findResolution = (traffic: MerchantTraffic, call: ClientCall): AmbiguityResolution => {
  const next = earliest(traffic, [findAfter(traffic, call, sameSubject(traffic, call)), findRead(traffic, call)])
  const webhook = acknowledgedWebhook(traffic, call, next?.startedAt)
  const isCleared = next !== undefined && (isRead(next) || next.idempotencyKey === call.idempotencyKey)
  if (webhook && !isCleared) return { reportedBy: webhook.deliveryId }
  return next ? { next, isCleared } : {}
}

const RETRYABLE_REFUSALS: readonly number[] = [401, 403, 423, 429]
/** Layers that refuse a call for its headers or connection: the body may be sent again unchanged. */
const HEADER_LAYERS: readonly string[] = ['http', 'certificate', 'signature', 'token', 'rate', 'version']
/** The reasonCode for a shopper who did not finish in time; 7.3 allows a new attempt. */
const WORTH_ANOTHER_TRY = '2000'

const isRefusedForGood = (call: ClientCall): boolean =>
  isMutating(call) &&
  !gotNoUsableResponse(call) &&
  !RETRYABLE_REFUSALS.includes(call.status) &&
  !HEADER_LAYERS.includes(call.refusedBy ?? '') &&
  call.idempotencyKey !== undefined &&
  call.reasonCode !== WORTH_ANOTHER_TRY &&
  /^[1245]/.test(call.reasonCode ?? '')

/**
 * Finds the repetition of a call that was refused for good: under a new key. Under its own key the stored response is
 * sought (7.4.4), by a client that gave up waiting or by another process: only more often than that explains is it one.
 */
const findRepetition = (traffic: MerchantTraffic, call: ClientCall): ClientCall | undefined => {
  const own = callsUnderKey(traffic, call.idempotencyKey)
  return findNewAttempt(traffic, call) ?? findAfter(traffic, call, own, later => isSameRequest(later, call), PROCESSES)
}

/**
 * Whether a call that was refused as invalid was corrected where the same body was sent: in its headers, as a request that
 * is sent again unchanged meets the same refusal.
 */
const isCorrected = (call: ClientCall, again: ClientCall): boolean =>
  call.refusedBy === 'validation' && (again.refusedBy !== 'validation' || again.refusal !== call.refusal)

/**
 * Whether a call was repeated with reason: another payment was started and served (2.1); or a business rule had refused
 * it (5xxx, 7.4.1), and a read or a webhook between reported on the payment, or the repeated call was served.
 */
const isReconciled = (traffic: MerchantTraffic, call: ClientCall, again: ClientCall): boolean =>
  call.reasonCode?.startsWith('5') === true
    ? isServed(again) ||
      acknowledgedWebhook(traffic, call, again.startedAt) !== undefined ||
      findRead(traffic, call, read => read.endedAt <= again.startedAt) !== undefined
    : startsPayment(call.operation) && isServed(again)

const isServed = ({ status, reasonCode = '' }: ClientCall): boolean => status < 300 && !/^[1-9]/.test(reasonCode)

/**
 * Whether a call on a payment was refused for now (423, 429), so that its repetition is no new operation (I2). Two that
 * start a payment may be two payments, whatever their bodies (2.1).
 */
const isRefusedForNow = (call: ClientCall): boolean =>
  isMutating(call) && [423, 429].includes(call.status) && !startsPayment(call.operation)

const isRateLimited = ({ status, retryAfter }: ClientCall): boolean => status === 429 && retryAfter !== undefined

/** Returns the series of three or more calls, each the retry of the one before, that were not timed by Retry-After. */
const seriesOf = (traffic: MerchantTraffic): readonly (readonly ClientCall[])[] => {
  const next = new Map(retriesOf(traffic, isRetriedByBackoff))
  const later = new Set(next.values())
  const first = [...next.keys()].filter(call => !later.has(call))
  return first.map(call => seriesFrom(call, next)).filter(series => series.length > 2)
}

const seriesFrom = (call: ClientCall, next: ReadonlyMap<ClientCall, ClientCall>): readonly ClientCall[] => {
  const series: ClientCall[] = []
  for (let each: ClientCall | undefined = call; each; each = next.get(each)) series.push(each)
  return series
}

const isRetriedByBackoff = (call: ClientCall): boolean =>
  isMutating(call) &&
  call.idempotencyKey !== undefined &&
  (call.status === 423 || isAmbiguous(call) || isPassingDecline(call))

/** Whether a later call reuses the key for another operation or payload (409); a corrected request may keep its key. */
const isOtherOperation = (later: ClientCall, call: ClientCall): boolean =>
  isMutating(later) && (later.operation !== call.operation || isReused(later))

const isReused = ({ status, reasonCode }: ClientCall): boolean =>
  status === REFUSALS.KEY_REUSED.http && reasonCode === REFUSALS.KEY_REUSED.reasonCode

const firstOfEachKey = ({ calls }: MerchantTraffic): readonly ClientCall[] => {
  const keyed = calls.filter(call => isMutating(call) && call.idempotencyKey !== undefined)
  return [...Map.groupBy(keyed, ({ idempotencyKey }) => idempotencyKey).values()].flatMap(([first]) => first ?? [])
}
