import type { ApiCall } from '../../simulator/http/api-call.ts'
import type { Reply } from '../../simulator/store/unit-of-work.ts'
import type { Mutation } from './mutants/mutant.ts'
import {
  bodyTextOf,
  isCallTo,
  mutateServedJson,
  refuseCalls,
  withFreshState,
} from './mutants/mutations-of-matching-calls.ts'
import { mutateReply } from './mutants/simulator-mutations.ts'

type Body = Record<string, unknown>

const transactionIdOf = ({ incoming }: ApiCall): string => incoming.url?.split('/').at(-2) ?? ''

/**
 * Creates a lawful variation of the simulator: a change shows only at the second look; the first read after it still
 * gives what was read last.
 */
export const lateReads = (word: 'status' | 'events'): Mutation =>
  withFreshState(() => {
    const shown = new Map<string, string>()
    const real = new Map<string, string>()
    return mutateReply((reply, call) => {
      if (!isCallTo(word)(call) || reply.http >= 300) return undefined
      const id = transactionIdOf(call)
      const before = shown.get(id)
      shown.set(id, real.get(id) ?? reply.body)
      real.set(id, reply.body)
      const isNews = before !== undefined && before !== reply.body && shown.get(id) !== reply.body
      return isNews ? { ...reply, body: before } : undefined
    })
  })

/** Lawful variation of the simulator: a status that is not there at once: the first read of each payment is 404. */
export const lateStatus = withFreshState(() => {
  const asked = new Set<string>()
  return mutateReply((reply, call) => {
    const id = transactionIdOf(call)
    if (!isCallTo('status')(call) || reply.http >= 300 || asked.has(id)) return undefined
    asked.add(id)
    return { http: 404, body: '{"status":"DECLINED","statusInfo":{"reasonCode":"4001"}}' }
  })
})

/**
 * Lawful variation of the simulator: an index that a payment reaches a moment later: the first search for each text
 * finds nothing.
 */
export const lateSearch = withFreshState(() => {
  const asked = new Set<string>()
  return mutateServedJson(isCallTo('/payments/search'), (body, call) => {
    const text = bodyTextOf(call)
    if (asked.has(text)) return undefined
    asked.add(text)
    return { ...body, payments: [] }
  })
})

/** Lawful variation of the simulator: a search that finds nothing leaves its list out. */
export const noEmptyList = mutateServedJson(isCallTo('/payments/search'), ({ payments, ...body }) =>
  Array.isArray(payments) && payments.length === 0 ? body : undefined,
)

const withCode = (body: Body, reasonCode: string) => ({
  ...body,
  statusInfo: { ...(body.statusInfo as object | undefined), reasonCode },
})

/** Lawful variation of the simulator: initiate only accepts a payment; its end shows in the status (S44). */
export const declinesInStatus = mutateServedJson(isCallTo('/payments/initiate'), body =>
  body.status === 'DECLINED' ? { ...withCode(body, '-1'), status: 'PENDING' } : undefined,
)

/** Lawful variation of the simulator: the reason of an end shows in the events only (S44). */
export const reasonsInEvents = mutateServedJson(isCallTo('status'), body => withCode(body, '-1'))

/** Lawful variation of the simulator: the events of a capture show its sum at once, and its event at the second read. */
export const sumBeforeEvent = withFreshState(() => {
  const shown = new Set<string>()
  return mutateServedJson(isCallTo('events'), ({ timeline, ...body }, call) => {
    const sum = (body.paymentDetails as { capturedAmount?: number } | undefined)?.capturedAmount ?? 0
    const id = transactionIdOf(call)
    if (sum === 0 || shown.has(id) || !Array.isArray(timeline)) return undefined
    shown.add(id)
    return { ...body, timeline: timeline.slice(0, 1) }
  })
})

/** Lawful variation of the simulator: sums are written as texts. */
export const sumsAsText = mutateServedJson(isCallTo('events'), body => {
  const details = body.paymentDetails as Record<string, unknown> | undefined
  if (details === undefined) return undefined
  const texts = Object.entries(details).map(([name, value]) => [name, typeof value === 'number' ? `${value}` : value])
  return { ...body, paymentDetails: Object.fromEntries(texts) }
})

/**
 * Lawful variation of the simulator: each read adds the time of reading (`asOf`), so coarse that several reads in a row
 * show the same one.
 */
export const asOfInReads = withFreshState(() => {
  let reads = 0
  return mutateServedJson(
    ({ incoming }) => incoming.method === 'GET' && (incoming.url?.startsWith('/payments/') ?? false),
    body => {
      reads += 1
      return { ...body, asOf: Math.floor(reads / 5) }
    },
  )
})

/** Lawful variation of the simulator: a read says how old the payment is, and each of its events, by a count that only grows. */
export const agesInReads = withFreshState(() => {
  let reads = 0
  return mutateServedJson(
    ({ incoming: { url = '' } }) => /^\/payments\/(.*\/(status|events)|search|providers)$/.test(url),
    ({ timeline, ...body }) => {
      reads += 1
      const aged = (item: object) => ({ ...item, age: reads })
      return aged(Array.isArray(timeline) ? { ...body, timeline: timeline.map(aged) } : body)
    },
  )
})

const isPart = (call: ApiCall): boolean => /"amount":(?!1000\b)/.test(bodyTextOf(call))

/**
 * Lawful variation of the simulator: captures and refunds of a part of an amount are refused as unsupported, before the
 * idempotency key is looked at (1, 7.1).
 */
export const wholeAmountsOnly = refuseCalls(
  call => isCallTo('/payments/capture', '/payments/refund')(call) && isPart(call),
  'OPERATION_UNSUPPORTED',
)

/**
 * Lawful variation of the simulator: a provider's fault is hidden, as the service tries again by itself and serves the
 * call.
 */
export const hiddenFaults = mutateReply((reply, call): Reply | undefined => {
  const isFault = isCallTo('/payments/capture')(call) && [423, 429, 500, 502, 504].includes(reply.http)
  return isFault ? { http: 200, body: '{"status":"APPROVED","statusInfo":{"reasonCode":"-1"}}' } : undefined
})
