import { type ConductRule, overEach } from './rule.ts'
import {
  type ClientCall,
  callsAfter,
  concernsSame,
  gotNoAnswer,
  isAmbiguous,
  isMutating,
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
    title: 'after a lost or uncertain answer the same key is sent again, or the state is read, before any new key',
    why: 'A new key is a new operation: the shopper may pay twice.',
    judge: traffic =>
      overEach(traffic.calls.filter(isAmbiguous), call => {
        const next = callsAfter(traffic, call).find(later => clears(later, call) || isSameSubject(later, call))
        if (next === undefined)
          return { said: `${call.operation} was left uncertain: nothing followed.`, evidence: [call.callId] }
        if (clears(next, call)) return undefined
        return { said: `${call.operation} was sent again under a new key.`, evidence: [call.callId, next.callId] }
      }),
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
          const said = `${call.operation} came back after ${waited} ms; Retry-After said ${call.retryAfter} s.`
          return waited < wanted ? { said, evidence: [call.callId, next.callId] } : undefined
        },
      ),
  },
  {
    id: 'CND-04',
    clause: '7.1',
    title: 'retries wait longer each time, and 423 is tried again at most twice',
    why: 'Many clients that all knock at one pace keep down what is trying to get up.',
    judge: traffic =>
      overEach(seriesOf(traffic), series => {
        const gaps = series.slice(1).map((call, index) => call.startedAt - (series[index]?.endedAt ?? 0))
        const shrinks = gaps.some((gap, index) => index > 0 && gap < (gaps[index - 1] ?? 0) * GROWTH)
        const stubborn = series.filter(({ status }) => status === 423).length > 3
        if (!shrinks && !stubborn) return undefined
        const said = `${series[0]?.operation} was repeated after ${gaps.map(gap => `${gap} ms`).join(', then ')}.`
        return { said, evidence: series.map(({ callId }) => callId) }
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
          later => later.idempotencyKey === call.idempotencyKey && isMutating(later) && !isSameRequest(later, call),
        )
        const said = `The key of ${call.operation} came again with another request.`
        return other && { said, evidence: [call.callId, other.callId] }
      }),
  },
]

/** Timers may fire a little early. */
const TIMER_SLACK = 50
/** Waiting grows when each wait is clearly longer than the one before, whatever the calls took. */
const GROWTH = 1.1

/** Knowing how it stands, or asking for the remembered answer, ends the uncertainty. */
const clears = (later: ClientCall, call: ClientCall): boolean =>
  (later.idempotencyKey === call.idempotencyKey && isSameSubject(later, call)) ||
  (isRead(later) && concernsSame(later, call))

const WAITING: readonly number[] = [401, 423, 429]
const isRefusedForGood = (call: ClientCall): boolean =>
  isMutating(call) && !gotNoAnswer(call) && !WAITING.includes(call.status) && /^[1245]/.test(call.reasonCode ?? '')

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

const firstOfEachKey = ({ calls }: Traffic): readonly ClientCall[] => {
  const keyed = calls.filter(call => isMutating(call) && call.idempotencyKey !== undefined)
  return [...Map.groupBy(keyed, ({ idempotencyKey }) => idempotencyKey).values()].flatMap(([first]) => first ?? [])
}
