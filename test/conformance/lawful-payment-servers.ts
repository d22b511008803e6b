import { randomUUID } from 'node:crypto'
import type { ApiCall } from '../../simulator/http/api-call.ts'
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
import {
  mutateJsonReply,
  mutateReply,
  mutateVerifiedBody,
  mutateVerifiedBodyAt,
} from './mutants/simulator-mutations.ts'

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

/** Lawful server to certify: an initiate that is declined at once names no payment (2.9). */
export const namelessDeclines = mutateServedJson(isInitiate, ({ transactionId: _, ...body }) =>
  body.status === 'DECLINED' ? body : undefined,
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

const paymentIn = (call: ApiCall): string => (JSON.parse(bodyTextOf(call)) as { transactionId: string }).transactionId

/** Lawful server to certify: 409 where a state forbids an act that R5 does not name (7.1). */
export const stateConflicts = withFreshState((): Mutation => {
  const captured = new Set<string>()
  return mutateReply((reply, call) => {
    if (!isCallTo('/payments/capture', '/payments/cancel')(call)) return undefined
    const isCapture = isCallTo('/payments/capture')(call)
    if (isCapture && reply.http === 200) captured.add(paymentIn(call))
    const isNamed = isCapture && captured.has(paymentIn(call))
    return reply.http === 422 && !isNamed ? withStatusAndCode(409)(reply) : undefined
  })
})

/** Lawful server to certify: what is captured and not settled can be canceled (R1). */
export const cancelBeforeSettlement = replaceReplies(
  (call, { http }) => http === 422 && isCallTo('/payments/cancel')(call),
  () => ({ http: 200, body: '{"status":"CANCELED","statusInfo":{"reasonCode":"-1"}}' }),
)

/** Creates a lawful server to certify: a refund of more than is left is 400 (D-41), also where nothing is left or its state alone. */
export const sumsOfRefundsAs400 = (whereNothingIsLeft: boolean) =>
  withFreshState((): Mutation => {
    const refunded = new Set<string>()
    return mutateReply((reply, call) => {
      if (!isCallTo('/payments/refund')(call)) return undefined
      if (reply.http === 200) refunded.add(paymentIn(call))
      const isSum = reply.body.includes(' is more than ') || (whereNothingIsLeft && refunded.has(paymentIn(call)))
      return reply.http === 422 && isSum ? withStatusAndCode(400, '4000')(reply) : undefined
    })
  })

/** Lawful server to certify: a cancel voids an authorization, and nothing before it: 501 (1, R2, 7.1). */
export const withoutEarlyCancels = withFreshState((): Mutation => {
  const finalized = new Set<string>()
  return refuseCalls(call => {
    if (isCallTo('/payments/finalize')(call)) finalized.add(paymentIn(call))
    return isCallTo('/payments/cancel')(call) && !finalized.has(paymentIn(call))
  }, 'OPERATION_UNSUPPORTED')
})

/** Lawful server to certify: a TOKEN_ONLY payment, of which nothing is taken, has no amount (2.2). */
export const tokensWithoutAmount = refuseCalls(
  call => isInitiate(call) && /"amount".*"TOKEN_ONLY"|"TOKEN_ONLY".*"amount"/.test(bodyTextOf(call)),
)

/** Creates a lawful server to certify: what was captured in part is captured once: the rest is refused so (1, 7.1, R5). */
export const capturesOnce = (refusal: 'OPERATION_UNSUPPORTED' | 'TRANSITION_NOT_ALLOWED') =>
  withFreshState((): Mutation => {
    const captured = new Set<string>()
    return refuseCalls(call => {
      if (!isCallTo('/payments/capture')(call)) return false
      const isAgain = captured.has(paymentIn(call))
      captured.add(paymentIn(call))
      return isAgain
    }, refusal)
  })

/** Lawful server to certify: a page of a search holds one payment, and says that there are more (4). */
export const pagesOfOne = mutateServedJson(isCallTo('/payments/search'), ({ payments, ...body }) =>
  Array.isArray(payments) ? { ...body, total: payments.length, payments: payments.slice(0, 1) } : undefined,
)

const capturesOfIrisUnsupported = withFreshState((): Mutation => {
  const iris = new Set<string>()
  return mutateReply((reply, call) => {
    if (isInitiate(call) && reply.http === 200 && bodyTextOf(call).includes('"IRIS"'))
      iris.add((JSON.parse(reply.body) as { transactionId: string }).transactionId)
    return isCallTo('/payments/capture')(call) && iris.has(paymentIn(call))
      ? { http: 501, body: '{"status":"DECLINED","statusInfo":{"reasonCode":"8003"}}' }
      : undefined
  })
})

/** Lawful server to certify: payments of IRIS are always captured with their authorization; a capture of one is a 501 (1). */
export const irisWithoutCaptures: Mutation = async (dataDir, hits) => {
  const automatic = mutateVerifiedBodyAt('/payments/initiate')(body =>
    body.includes('"IRIS"') ? body.replace('"autoCapture":false', '"autoCapture":true') : body,
  )
  const [one, other] = [await automatic(dataDir, hits), await capturesOfIrisUnsupported(dataDir, hits)]
  return { ...one, layers: { ...one.layers, ...other.layers } }
}

const AFTER_RISK = { statusInfo: { reasonCode: '1003', message: 'No.' } }

/** Creates a lawful server to certify: risk rejects every charge, at once or a moment later (7.2, E5). */
export const declinesCharges = (when: 'at once' | 'later') =>
  withFreshState((): Mutation => {
    const declined = new Set<string>()
    return mutateJsonReply((body, { http }, call) => {
      const id = String(body.transactionId)
      if (isCallTo('/payments/charge')(call) && http === 200) {
        declined.add(id)
        return when === 'later' ? { ...body, status: 'PENDING' } : { ...body, status: 'DECLINED', ...AFTER_RISK }
      }
      if (!isCallTo('status', 'events')(call) || !declined.has(id)) return undefined
      return { ...body, status: 'DECLINED', ...AFTER_RISK, lifecycle: { state: 'DECLINED' } }
    })
  })

/** Lawful server to certify: a charge is authorized only a moment later, shown at the third read (E5). */
export const authorizesChargesLater = withFreshState((): Mutation => {
  const reads = new Map<string, number>()
  return mutateReply((reply, call) => {
    const body = JSON.parse(reply.body || '{}')
    const id = isCallTo('/payments/cancel')(call) ? paymentIn(call) : String(body.transactionId)
    if (isCallTo('/payments/charge')(call) && reply.http === 200) reads.set(id, 0)
    const count = reads.get(id) ?? 2
    if (count >= 2) return undefined
    if (isCallTo('/payments/cancel')(call)) return { http: 422, body: '{"statusInfo":{"reasonCode":"5002"}}' }
    if (!isCallTo('status')(call)) return undefined
    reads.set(id, count + 1)
    return { http: 200, body: JSON.stringify({ ...body, status: 'PENDING', lifecycle: { state: 'AUTHENTICATED' } }) }
  })
})

/** Lawful server to certify: finalize is carried out a moment later, shown at the third read by a state of its own before (E5). */
export const finalizesLater = withFreshState((): Mutation => {
  const [reads, payers] = [new Map<string, number>(), new Map<string, string>()]
  const isUnderWay = (id: string | undefined): boolean => (reads.get(id ?? '') ?? 2) < 2
  const payerIn = (call: ApiCall): string => String(JSON.parse(bodyTextOf(call)).payerDetails?.payerId)
  const waiting = mutateReply((reply, call) => {
    const { status, ...body } = JSON.parse(reply.body || '{}')
    const id = String(body.transactionId)
    if (reply.http !== 200) return undefined
    if (isInitiate(call)) payers.set(payerIn(call), id)
    const isFinalize = isCallTo('/payments/finalize')(call) && status === 'APPROVED'
    if (isFinalize && !reads.has(id)) reads.set(id, 0)
    if (!isFinalize && !(isCallTo('status', 'events')(call) && isUnderWay(id))) return undefined
    if (isCallTo('status')(call)) reads.set(id, (reads.get(id) ?? 0) + 1)
    return { ...reply, body: JSON.stringify({ ...body, status: 'PENDING', lifecycle: { state: 'PROCESSING' } }) }
  })
  const refusing = refuseCalls(
    call =>
      (isCallTo('/payments/capture', '/payments/cancel')(call) && isUnderWay(paymentIn(call))) ||
      (isCallTo('/payments/charge')(call) && isUnderWay(payers.get(payerIn(call)))),
    'TRANSITION_NOT_ALLOWED',
  )
  return async (dataDir, hits) => {
    const [one, other] = [await waiting(dataDir, hits), await refusing(dataDir, hits)]
    return { ...other, layers: { ...other.layers, ...one.layers } }
  }
})

/** Creates a lawful server to certify: what shopper or mock decided shows at the third read of the status, or never (E5). */
export const outcomesShownLater = (never = false) =>
  withFreshState((): Mutation => {
    const reads = new Map<string, number>()
    const isUnderWay = (id: string): boolean => never || (reads.get(id) ?? 0) < 3
    const waiting = mutateServedJson(isCallTo('status'), body => {
      const id = String(body.transactionId)
      reads.set(id, (reads.get(id) ?? 0) + 1)
      return isUnderWay(id) ? { ...body, status: 'PENDING', lifecycle: { state: 'AWAITING_SHOPPER' } } : undefined
    })
    const refusing = refuseCalls(
      call => isCallTo('/payments/finalize')(call) && isUnderWay(paymentIn(call)),
      'TRANSITION_NOT_ALLOWED',
    )
    return async (dataDir, hits) => {
      const [one, other] = [await waiting(dataDir, hits), await refusing(dataDir, hits)]
      return { ...other, layers: { ...other.layers, ...one.layers } }
    }
  })

/** Creates a lawful server to certify: the provider declines every call to a path (7.2). */
export const declines =
  (path: string): Mutation =>
  async (dataDir, hits) => {
    const refused = await refuseCalls(isCallTo(path), 'PROVIDER_ERROR')(dataDir, hits)
    const told = await replaceReplies(
      (call, { http }) => http === 502 && isCallTo(path)(call),
      () => ({
        http: 200,
        body: '{"transactionId":"declined","status":"DECLINED","statusInfo":{"reasonCode":"8004"}}',
      }),
    )(dataDir, hits)
    return { ...refused, layers: { ...refused.layers, ...told.layers } }
  }

/** Lawful server to certify: each event says whether its webhook is still to come, as that of the last one is, and since when. */
export const changingEvents = mutateServedJson(isCallTo('events'), ({ timeline, ...body }) =>
  Array.isArray(timeline)
    ? {
        ...body,
        timeline: timeline.map((event, at) => ({
          ...event,
          pendingWebhooks: at === timeline.length - 1 ? 1 : 0,
          changedAt: timeline.at(-1).at,
        })),
      }
    : undefined,
)

/** Lawful server to certify: a search does not know the reference, and lists the latest payments (2.9). */
export const searchesTheLatest = mutateVerifiedBodyAt('/payments/search')(body => {
  const { clientTransactionId: _, ...rest } = JSON.parse(body)
  return JSON.stringify({ ...rest, limit: 3 })
})

/** Lawful server to certify: the payment that a call names is looked up before its key (7.1). */
export const paymentBeforeKey = withFreshState((): Mutation => {
  const known = new Set<string>()
  return mutateReply((reply, call) => {
    const body = JSON.parse(reply.body || '{}')
    if (reply.http < 300 && body.transactionId) known.add(body.transactionId)
    const isUnknown = reply.http === 409 && isKeyedCall(call) && !isInitiate(call) && !known.has(paymentIn(call))
    return isUnknown ? { http: 404, body: '{"status":"DECLINED","statusInfo":{"reasonCode":"4001"}}' } : undefined
  })
})

/** Lawful server to certify: a mock is one of the caller's organization, whatever account it names (2.7). */
export const mocksOfAnyAccount = replaceReplies(
  (call, { http }) => isCallTo('/mock/set')(call) && [403, 404].includes(http),
  () => ({ http: 200, body: '{"status":"APPROVED","statusInfo":{"reasonCode":"-1"}}' }),
)

/** Lawful server to certify: a call without a signature lacks a field: 400 (7.1). */
export const missingSignatureAs400 = replaceReplies(
  (call, { http }) => http === 401 && requestHeader(call, 'signature') === '',
  withStatusAndCode(400),
)
/** Lawful server to certify: two retries after a 504 still meet the first attempt (7.4.3). */
export const busyAfterTimeout = withFreshState((): Mutation => {
  const retries = new Map<string, number>()
  return mutateReply((reply, call) => {
    if (!isCallTo('/payments/capture')(call)) return undefined
    const key = requestHeader(call, 'idempotency-key')
    const made = retries.get(key)
    if (reply.http === 504 || made !== undefined) retries.set(key, (made ?? -1) + 1)
    return made !== undefined && made < 2 ? BUSY : undefined
  })
})

const BUSY = { http: 409, body: '{"status":"DECLINED","statusInfo":{"reasonCode":"3003"}}' }

/** Lawful server to certify: `scope` has words that have nothing to do with this interface. */
export const furtherScopes = mutateServedJson(isCallTo('/auth/token'), body => ({
  ...body,
  scope: `openid ${body.scope} profile`,
}))

/** Lawful server to certify: a finalize has its payment in its path, and no account. */
export const finalizeInPath = withFreshState((): Mutation => {
  let account = ''
  return mutateVerifiedBody((body, { incoming: { url = '' } }) => {
    account = /"processingAccountId":\s*"([^"]+)"/.exec(body)?.[1] ?? account
    const [transactionId, operation] = url.split('/').slice(-2)
    return operation === 'finalize' ? JSON.stringify({ processingAccountId: account, transactionId }) : body
  })
})

/** Lawful server to certify: who approves by a fixed code does so by themselves, while a refund is refused. */
export const approvesMeanwhile = withFreshState((): Mutation => {
  const [approving, approved] = [new Set<string>(), new Set<string>()]
  return mutateJsonReply((body, { http }, call) => {
    if (isInitiate(call) && bodyTextOf(call).includes('"990001"')) approving.add(String(body.transactionId))
    if (isCallTo('/payments/refund')(call) && http === 422) approved.add(paymentIn(call))
    const { transactionId, lifecycle, timeline } = body as Record<string, { state?: string }>
    const isShown = lifecycle?.state === 'AWAITING_SHOPPER' && isCallTo('status', 'events')(call)
    const id = String(transactionId)
    if (!isShown || !approving.has(id) || !approved.has(id)) return undefined
    const more = Array.isArray(timeline) && { timeline: [...timeline, {}] }
    return { ...body, lifecycle: { ...lifecycle, state: 'AUTHENTICATED' }, ...more }
  })
})
