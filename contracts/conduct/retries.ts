import { REFUSALS } from '../protocol/reason-codes.ts'
import { type ConductRule, idsOf, overEach } from './rule.ts'
import {
  type ClientCall,
  callsAfter,
  concernsSame,
  gotNoAnswer,
  isAmbiguous,
  isMutating,
  isOverdue,
  isRead,
  isSameRequest,
  isSameSubject,
  type Traffic,
} from './traffic.ts'

/** How merchants behave when a call does not simply succeed (7.1, 7.4). */
export const RETRIES: readonly ConductRule[] = [
  {
    id: 'CND-01',
    clause: '7.4',
    title: 'after a lost or uncertain answer the same key is sent again, or the state is learned, before any new key',
    why: 'A new key is a new operation: the shopper may pay twice.',
    judge: traffic => {
      const seen = traffic.calls.filter(isAmbiguous).map(call => ({ ...call, ...whatFollowed(traffic, call) }))
      return overEach(
        seen.filter(({ next, toldBy, endedAt }) => next || toldBy || isOverdue(traffic, endedAt)),
        ({ operation, callId, next, isCleared, toldBy }) => {
          if (toldBy !== undefined) return { evidence: [callId, toldBy] }
          if (next === undefined)
            return { said: `${operation} was left uncertain: nothing followed.`, evidence: [callId] }
          const evidence = [callId, next.callId]
          return isCleared ? { evidence } : { said: `${operation} was sent again under a new key.`, evidence }
        },
      )
    },
  },
  {
    id: 'CND-02',
    clause: '7.4',
    title: 'what was refused or declined for good is not sent again as it was',
    why: 'A decline does not change by repetition; schemes count such tries.',
    judge: traffic =>
      overEach(traffic.calls.filter(isRefusedForGood), call => {
        const again = callsAfter(traffic, call).find(later => isSameRequest(later, call))
        const said = `${call.operation} was answered ${call.reasonCode} and sent again unchanged.`
        return again && { said, evidence: [call.callId, again.callId] }
      }),
  },
  {
    id: 'CND-03',
    clause: '7.1',
    title: 'Retry-After is waited out',
    why: 'Whoever comes back too soon is turned away again, and stays longer.',
    judge: traffic =>
      overEach(
        retriesOf(traffic).filter(([{ status, retryAfter }]) => status === 429 && retryAfter !== undefined),
        ([call, next]) => {
          const waited = next.startedAt - call.endedAt
          const wanted = (call.retryAfter ?? 0) * 1000 - TIMER_SLACK
          const said = `${call.operation} came back after ${wholeMs(waited)}; Retry-After said ${call.retryAfter} s.`
          return waited < wanted ? { said, evidence: [call.callId, next.callId] } : undefined
        },
      ),
  },
  {
    id: 'CND-04',
    clause: '7.1',
    title: 'retries wait longer and longer, and 423 is tried again at most twice',
    why: 'Many clients that all knock at one pace keep down what is trying to get up.',
    judge: traffic =>
      overEach(seriesOf(traffic), series => {
        const gaps = series.slice(1).map((call, index) => call.startedAt - (series[index]?.endedAt ?? 0))
        const locked = series.filter(({ status }) => status === 423).length
        const isBroken = locked > 3 || (locked < series.length - 1 && isOnePace(gaps))
        if (!isBroken) return undefined
        const said = `${series[0]?.operation} was repeated after ${gaps.map(wholeMs).join(', then ')}.`
        return { said, evidence: idsOf(series) }
      }),
  },
  {
    id: 'CND-05',
    clause: 'I2',
    title: 'a key belongs to one operation',
    why: 'Another operation under a used key is refused, or taken for the first.',
    judge: traffic =>
      overEach(firstOfEachKey(traffic), call => {
        const other = traffic.calls.find(
          later => later.idempotencyKey === call.idempotencyKey && isOtherOperation(later, call),
        )
        const said = `The key of ${call.operation} came again with another request.`
        return other && { said, evidence: [call.callId, other.callId] }
      }),
  },
]

/** Timers may fire a little early. */
const TIMER_SLACK = 50

/** Clocks tell parts of a millisecond; nobody wants to read them. */
const wholeMs = (milliseconds: number): string => `${Math.floor(milliseconds)} ms`

/** Waits that differ by no more than this are equal; those that are this long are nobody's knocking. */
const PACE = { share: 0.1, milliseconds: 25, slow: 10_000 }

/**
 * One wait is like the first, so quickly that it is knocking. Waits that shrink by chance are not: backoff may be
 * spread at random (jitter), and it may stop to grow where it is long.
 */
const isOnePace = ([first = 0, ...more]: readonly number[]): boolean =>
  first < PACE.slow && more.every(gap => Math.abs(gap - first) <= Math.max(PACE.milliseconds, first * PACE.share))

type Followed = { next?: ClientCall; isCleared?: boolean; toldBy?: string }

/** What came first after an uncertain call: a call that clears it up or tries anew, or a webhook that says how it stands. */
const whatFollowed = (traffic: Traffic, call: ClientCall): Followed => {
  const next = callsAfter(traffic, call).find(later => clears(traffic, later, call) || isSameSubject(later, call))
  const told = traffic.deliveries.find(
    delivery =>
      concernsSame(traffic, delivery, call) &&
      delivery.attempts.some(
        ({ startedAt, endedAt, status = 0 }) =>
          startedAt >= call.startedAt && endedAt <= (next?.startedAt ?? Infinity) && status >= 200 && status < 300,
      ),
  )
  const isCleared = next !== undefined && clears(traffic, next, call)
  if (told && !isCleared) return { toldBy: told.deliveryId }
  return next ? { next, isCleared } : {}
}

/** Knowing how it stands, or asking for the remembered answer, ends the uncertainty. */
const clears = (traffic: Traffic, later: ClientCall, call: ClientCall): boolean =>
  (later.idempotencyKey === call.idempotencyKey && isSameSubject(later, call)) ||
  (isRead(later) && concernsSame(traffic, later, call))

const WAITING: readonly number[] = [401, 403, 423, 429]
/** What guards refuse before the request itself is looked at is mended in its headers; the body may stay. */
const GUARDS: readonly string[] = ['http', 'certificate', 'signature', 'token', 'rate', 'version']
/** The shopper did not finish in time: the table of codes says that another try is fine. */
const WORTH_ANOTHER_TRY = '2000'

const isRefusedForGood = (call: ClientCall): boolean =>
  isMutating(call) &&
  !gotNoAnswer(call) &&
  !WAITING.includes(call.status) &&
  !GUARDS.includes(call.refusedBy ?? '') &&
  call.idempotencyKey !== undefined &&
  call.reasonCode !== WORTH_ANOTHER_TRY &&
  /^[1245]/.test(call.reasonCode ?? '')

/** Each call that was repeated under its key, with its repetition. */
const retriesOf = (traffic: Traffic): readonly (readonly [ClientCall, ClientCall])[] =>
  traffic.calls.filter(isMutating).flatMap(call => {
    const next = callsAfter(traffic, call).find(later => later.idempotencyKey === call.idempotencyKey)
    return next ? [[call, next] as const] : []
  })

/** Calls under one key that went out three times or more, and not because Retry-After said when. */
const seriesOf = ({ calls }: Traffic): readonly (readonly ClientCall[])[] => {
  const byKey = Map.groupBy(calls.filter(isMutating), ({ idempotencyKey }) => idempotencyKey)
  byKey.delete(undefined)
  return [...byKey.values()].filter(
    series => series.length > 2 && series.slice(0, -1).every(call => call.status === 423 || isAmbiguous(call)),
  )
}

/** A request that was refused and then mended may keep its key: only one that the service did not take for the first counts. */
const isOtherOperation = (later: ClientCall, call: ClientCall): boolean =>
  isMutating(later) && (later.operation !== call.operation || isReused(later))

const isReused = ({ status, reasonCode }: ClientCall): boolean =>
  status === REFUSALS.KEY_REUSED.http && reasonCode === REFUSALS.KEY_REUSED.reasonCode

const firstOfEachKey = ({ calls }: Traffic): readonly ClientCall[] => {
  const keyed = calls.filter(call => isMutating(call) && call.idempotencyKey !== undefined)
  return [...Map.groupBy(keyed, ({ idempotencyKey }) => idempotencyKey).values()].flatMap(([first]) => first ?? [])
}
