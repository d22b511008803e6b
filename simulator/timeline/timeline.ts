import { type OperationName, startsPayment } from '../../contracts/operations.ts'
import { LANES, type Mark, type Tone } from '../../hosted-pages/portal/timeline/timeline-mark-types.ts'
import { documentBodies, type JournalEntry } from '../journal/journal-entry.ts'
import { DEADLINES, deadlinesOfState } from '../payments/deadline-kinds.ts'
import { STATES } from '../payments/lifecycle.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import type { ScheduledItem } from '../store/schedule-store.ts'
import type { Activity } from '../store/shopper-click-and-clock-move-store.ts'
import type { DeliveryWithAttempts, Message } from '../store/webhook-store.ts'
import { parseInstant } from '../support/clock.ts'
import { traceOf } from '../support/trace-context.ts'
import { mayTell } from '../webhooks/notification-body.ts'

/** Everything stored about a payment: events, calls, deliveries, messages, activities and scheduled items. */
export type PaymentHistory = {
  payment: Payment
  events: readonly PaymentEvent[]
  /** Journal entries of the organization, oldest first. */
  calls: readonly JournalEntry[]
  deliveries: readonly DeliveryWithAttempts[]
  /** Messages of the inbox about it that are due by now. */
  inbox: readonly Message[]
  activities: readonly Activity[]
  coming: readonly ScheduledItem[]
}

/** A timeline mark and its real time, which orders marks while the clock is frozen. */
type Dated = { mark: Mark; real: number }

/** Creates the marks of a payment's timeline in order of time: everything that happened, then what is scheduled. */
export const buildTimeline = (record: PaymentHistory): Mark[] => {
  const { payment, events, calls, deliveries, inbox, activities, coming } = record
  const sent = new Set(deliveries.map(({ message }) => message.messageId))
  const happened: Dated[] = [
    ...events.map(ofEvent),
    ...calls.filter(concernsPayment(payment)).map(ofCall),
    ...deliveries.flatMap(ofDelivery),
    ...ofInbox(inbox, events).filter((_, at) => !sent.has(inbox[at]?.messageId ?? '')),
    ...activities.flatMap(activity => (activity.kind === 'shopper' ? [ofClick(activity)] : [])),
  ]
  const first = Math.min(...happened.map(({ mark }) => mark.at))
  const moves = activities.flatMap(activity =>
    activity.kind === 'clock' && activity.until >= first ? [ofClockMove(activity)] : [],
  )
  const planned = coming.filter(appliesTo(payment)).map(item => ofScheduled(item, deliveries))
  const marks = [...happened, ...moves].sort(inOrder).map(({ mark }) => mark)
  return planned.length > 0 ? [...marks, ...planned] : withoutLaterMoves(marks)
}

/** Leaves out the clock moves after everything of a payment: they ran nothing of it, and each would make it longer. */
const withoutLaterMoves = (marks: readonly Mark[]): Mark[] =>
  marks.slice(0, marks.findLastIndex(({ lane }) => lane !== 'clock') + 1)

/** Whether a scheduled item still applies: deadlines of a state that the payment has left do not. */
const appliesTo =
  ({ state }: Payment) =>
  ({ name }: ScheduledItem): boolean =>
    !(name in DEADLINES) || deadlinesOfState(state).some(one => one === name)

const laneOf = ({ mark }: Dated): number => LANES.indexOf(mark.lane)

const inOrder = (a: Dated, b: Dated): number => a.mark.at - b.mark.at || a.real - b.real || laneOf(a) - laneOf(b)

const FAILED: readonly string[] = ['DECLINED', 'EXPIRED']

const ofEvent = ({ type, cause, at, state, statusInfo, amount, real = at }: PaymentEvent): Dated => {
  const isBad = type.endsWith('-declined') || FAILED.includes(state)
  return {
    real,
    mark: {
      lane: 'state',
      at,
      tone: isBad ? 'bad' : STATES[state].status === 'APPROVED' ? 'good' : 'plain',
      name: type,
      cause,
      state,
      ...statusInfo,
      ...(amount === undefined ? {} : { amount }),
    },
  }
}

/** Operations whose responses list many payments. */
const LISTING: readonly (OperationName | undefined)[] = ['search', 'reports', 'downloadReport']

/** Creates a test for journal entries of a payment: calls on it, its first call, and refused attempts to begin it. */
const concernsPayment =
  ({ transactionId, clientTransactionId }: Pick<Payment, 'transactionId' | 'clientTransactionId'>) =>
  (entry: JournalEntry): boolean => {
    const { operation, request, response } = entry
    const bodies = documentBodies(entry)
    if (LISTING.includes(operation)) return false
    if (request.target.includes(transactionId) || bodies.request.includes(transactionId)) return true
    if (bodies.response.includes(transactionId)) return true
    const isRefused = response.status >= 400 || operation === 'mockSet'
    const isFirst = startsPayment(operation) || operation === 'mockSet'
    return isFirst && isRefused && bodies.request.includes(JSON.stringify(clientTransactionId))
  }

/** Creates the mark of a call, dated by its arrival, as its effects come later. */
const ofCall = (entry: JournalEntry): Dated => {
  const { callId, operation, request, response, refused, replayed, durationMilliseconds } = entry
  const { reasonCode, message } = statusInfoIn(documentBodies(entry).response)
  const { traceId } = traceOf(request.headers.traceparent)
  const took = Math.ceil(durationMilliseconds)
  const script = entry.script as { scenario?: string } | undefined
  return {
    real: parseInstant(entry.at) - took,
    mark: {
      lane: 'call',
      at: entry.clock === undefined ? parseInstant(entry.at) - took : parseInstant(entry.clock),
      tone: response.status >= 400 ? 'bad' : 'good',
      callId,
      name: operation ?? lastSegment(request.target),
      method: request.method,
      target: request.target,
      status: response.status,
      durationMilliseconds,
      ...(reasonCode === undefined ? {} : { reasonCode }),
      ...(message === undefined ? {} : { message }),
      ...(refused ? { refusedBy: refused.layer, message: refused.reason } : {}),
      ...(replayed ? { replayed } : {}),
      ...(script?.scenario === undefined ? {} : { scenario: script.scenario }),
      ...(traceId === undefined ? {} : { traceId }),
    },
  }
}

/** Returns the name of a call without an operation: the last segment of its path. */
const lastSegment = (target: string): string => target.split('?', 1)[0]?.split('/').at(-1) || target

/** Returns what the statusInfo of a response says, also of one that the journal has cut off behind it. */
const statusInfoIn = (body: string): { reasonCode?: string; message?: string } => {
  const { reasonCode, message } = parsedStatusInfo(body) ?? statusInfoOfCutBody(body)
  return {
    ...(typeof reasonCode === 'string' ? { reasonCode } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  }
}

type StatusInfoTexts = { reasonCode?: unknown; message?: unknown }

const parsedStatusInfo = (body: string): StatusInfoTexts | undefined => {
  try {
    return (JSON.parse(body) as { statusInfo?: StatusInfoTexts }).statusInfo ?? {}
  } catch {
    return undefined
  }
}

const statusInfoOfCutBody = (body: string): StatusInfoTexts => {
  const reasonCode = /"statusInfo"\s*:\s*\{\s*"reasonCode"\s*:\s*"([^"]*)"/.exec(body)?.[1]
  const message = /"statusInfo"\s*:\s*\{[^{}]*"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body)?.[1]
  return { reasonCode, message: message === undefined ? undefined : JSON.parse(`"${message}"`) }
}

const ofDelivery = ({ deliveryId, message, attempts }: DeliveryWithAttempts): Dated[] =>
  attempts.map(({ at, real = at, request, response, error, durationMilliseconds }, index) => ({
    real,
    mark: {
      lane: 'webhook',
      at,
      tone: toneOfAnswer(response?.status),
      name: message.type,
      url: request.url,
      deliveryId,
      nth: index + 1,
      durationMilliseconds,
      ...(response ? { status: response.status } : {}),
      ...(error === undefined ? {} : { error }),
    },
  }))

const toneOfAnswer = (status = 0): Tone => (status >= 200 && status < 300 ? 'good' : 'bad')

/**
 * Creates the marks of an inbox's messages, oldest first. Their real time is that of the events that they tell, of which
 * a frozen clock gives many one instant; one that was delayed has that of the last event before it.
 */
const ofInbox = (inbox: readonly Message[], events: readonly PaymentEvent[]): Dated[] => {
  const untold = [...events]
  return inbox.map(({ type, dueAt }) => {
    const nth = untold.findIndex(event => event.at === dueAt && mayTell(type, event))
    const [told] = nth < 0 ? [events.findLast(({ at }) => at <= dueAt)] : untold.splice(nth, 1)
    return { real: told?.real ?? dueAt, mark: { lane: 'webhook', at: dueAt, tone: 'plain', name: type } }
  })
}

const ofClick = ({ at, action, late, real }: Extract<Activity, { kind: 'shopper' }>): Dated => ({
  real,
  mark: { lane: 'shopper', at, tone: late ? 'bad' : 'plain', action, ...(late ? { late } : {}) },
})

const ofClockMove = ({ at, until, way, rate, ran, real }: Extract<Activity, { kind: 'clock' }>): Dated => ({
  real,
  mark: { lane: 'clock', at, until, tone: 'plain', way, rate, ran },
})

/** Creates the mark of a scheduled item: the next attempt of a delivery, or a deadline. */
const ofScheduled = ({ at, name, deliveryId }: ScheduledItem, deliveries: readonly DeliveryWithAttempts[]): Mark => {
  const delivery = deliveries.find(one => one.deliveryId === deliveryId)
  if (!delivery) return { lane: 'state', at, tone: 'plain', planned: true, name, ...causeOf(name) }
  const { message, attempts } = delivery
  const url = attempts.at(-1)?.request.url
  const where = { deliveryId: delivery.deliveryId, nth: attempts.length + 1, ...(url === undefined ? {} : { url }) }
  return { lane: 'webhook', at, tone: 'plain', planned: true, name: message.type, ...where }
}

const causeOf = (name: string): { cause?: string } =>
  name in DEADLINES ? { cause: DEADLINES[name as keyof typeof DEADLINES].cause } : {}
