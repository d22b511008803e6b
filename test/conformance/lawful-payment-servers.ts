import { randomUUID } from 'node:crypto'
import { isKeyedCall } from './conformant-variations.ts'
import type { Mutation } from './mutants/mutant.ts'
import {
  bodyTextOf,
  isCallTo,
  mutateServedJson,
  refuseCalls,
  replaceReplies,
  requestHeader,
  withFreshState,
  withStatusAndCode,
} from './mutants/mutations-of-matching-calls.ts'
import { mutateJsonReply, mutateReply } from './mutants/simulator-mutations.ts'

type Shown = { state: unknown; body: Record<string, unknown>; isOld?: true }

const isInitiate = isCallTo('/payments/initiate')

/** Lawful server to certify: a status shows a new state only at the second read after it came about (1, E5). */
export const laggingStatus = withFreshState((): Mutation => {
  const shown = new Map<string, Shown>()
  return mutateServedJson(isCallTo('status'), (body, { incoming: { url = '' } }) => {
    const { state } = (body.lifecycle ?? {}) as { state?: unknown }
    const last = shown.get(url)
    if (last && last.state !== state && !last.isOld) {
      last.isOld = true
      return last.body
    }
    shown.set(url, { state, body })
    return undefined
  })
})

/**
 * Lawful server to certify: finalize always captures, and a payment that is to wait for its capture is refused with 501
 * (1, 7.1).
 */
export const withoutManualCapture = refuseCalls(
  call => isInitiate(call) && bodyTextOf(call).includes('"autoCapture":false'),
  'OPERATION_UNSUPPORTED',
)

/** Lawful server to certify: no capture is supported. */
export const withoutCaptures = refuseCalls(isCallTo('/payments/capture'), 'OPERATION_UNSUPPORTED')

/**
 * Lawful server to certify: a replay has 200 for 201, a mark, and a time and a trace of its own; results are the same
 * (I3).
 */
export const markedReplays = withFreshState((): Mutation => {
  const seen = new Set<string>()
  return mutateReply((reply, call) => {
    const key = requestHeader(call, 'idempotency-key')
    if (!isKeyedCall(call) || reply.http >= 300) return undefined
    const isReplay = seen.has(key)
    seen.add(key)
    const own = { respondedAt: new Date().toISOString(), traceId: randomUUID(), ...(isReplay && { replayed: true }) }
    return { http: isReplay ? 200 : 201, body: JSON.stringify({ ...JSON.parse(reply.body), ...own }) }
  })
})

/** Lawful server to certify: captures and refunds name their amount. */
export const amountRequired = refuseCalls(
  call => isCallTo('/payments/capture', '/payments/refund')(call) && !bodyTextOf(call).includes('"amount"'),
)

/** Lawful server to certify: what the provider has to judge is accepted, and declined a moment later (7.5, E5). */
export const declinedLater = withFreshState((): Mutation => {
  const late = new Set<string>()
  return mutateReply((reply, call) => {
    const { url = '' } = call.incoming
    const id = decodeURIComponent(url.split('/').at(-2) ?? '')
    if (late.has(id)) return { http: 200, body: DECLINED }
    const isJudged = isInitiate(call) && [400, 501].includes(reply.http) && OF_PROVIDER.test(bodyTextOf(call))
    if (!isJudged) return undefined
    const transactionId = `late-${late.size}`
    late.add(transactionId)
    return { http: 200, body: JSON.stringify({ transactionId, status: 'PENDING' }) }
  })
})

const DECLINED = JSON.stringify({ lifecycle: { state: 'DECLINED' }, statusInfo: { reasonCode: '4000' } })

/** Sums, currencies, codes and types that only a provider knows to be wrong. */
const OF_PROVIDER =
  /"amount":(0|-1000)\b|"ZZZ"|"EUR".*"BLIK"|"PLN".*"IRIS"|"GR".*"BLIK"|"PL".*"IRIS"|"oneTimeCode":"(12345|1234567|12a456)"|"(RECURRING|TOKEN_ONLY)".*"IRIS"/

/** Lawful server to certify: shoppers return to the hosts of the merchant alone (D-110). */
export const registeredHosts = refuseCalls(
  call => isInitiate(call) && /"returnUrl":"(?!https:\/\/ours\.example\/)/.test(bodyTextOf(call)),
)

/** Lawful server to certify: no refund is supported, whatever the payment (1, 7.1). */
export const withoutRefunds = refuseCalls(isCallTo('/payments/refund'), 'OPERATION_UNSUPPORTED')

/** Lawful server to certify: what follows the end of a payment is refused by the reason of that end (7.2, 7.3). */
export const reasonOfEnd = withFreshState((): Mutation => {
  const ends = new Map<string, string>()
  return mutateReply((reply, call) => {
    if (isCallTo('status')(call) && reply.http === 200) {
      const { statusInfo } = JSON.parse(reply.body) as { statusInfo: { reasonCode: string } }
      const id = decodeURIComponent(call.incoming.url?.split('/').at(-2) ?? '')
      if (/^200[01]$/.test(statusInfo.reasonCode)) ends.set(id, statusInfo.reasonCode)
    }
    if (!isCallTo('/payments/capture')(call) || reply.http !== 422) return undefined
    const end = ends.get(String((JSON.parse(bodyTextOf(call)) as { transactionId?: string }).transactionId))
    return end === undefined ? undefined : withStatusAndCode(422, end)(reply)
  })
})

/** Lawful server to certify: a decline is a 402, of which 7.1 does not speak. */
export const declinesAs402 = replaceReplies(
  (call, { http, body }) => http === 200 && isKeyedCall(call) && body.includes('"status":"DECLINED"'),
  ({ body }) => ({ http: 402, body }),
)

/** Lawful server to certify: the token call refuses as OAuth does, without a reasonCode. */
export const oauthErrors = mutateJsonReply((_body, { http }, call) =>
  http >= 400 && isCallTo('/auth/token')(call) ? { error: 'invalid_request' } : undefined,
)

/** Lawful server to certify: the first search of the run meets a failure that passes. */
export const passingFailure = withFreshState((): Mutation => {
  let isFirst = true
  return mutateReply((reply, call) => {
    if (!isFirst || !isCallTo('/payments/search')(call)) return undefined
    isFirst = false
    return { ...reply, http: 500 }
  })
})

/** Lawful server to certify: keys are UUIDs, as 2.6 calls them. */
export const uuidKeys = refuseCalls(call => {
  const key = requestHeader(call, 'idempotency-key')
  return isInitiate(call) && key !== '' && !/^[0-9a-f-]{36}$/i.test(key)
})
