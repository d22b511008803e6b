import { LANES, type Mark, type Tone } from '../../hosted-pages/portal/live-port.ts'
import { instantOf } from '../clock.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { DEADLINES, deadlinesIn } from '../payments/deadlines.ts'
import { STATES } from '../payments/lifecycle.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import type { Coming, Deed } from '../store/port.ts'
import type { DeliveryWithAttempts, Sending } from '../webhooks/notification.ts'

/** Everything that is kept about a payment, wherever it is kept. */
export type PaymentRecord = {
  payment: Payment
  events: readonly PaymentEvent[]
  /** Of the journal, those that may be about it. */
  calls: readonly JournalEntry[]
  deliveries: readonly DeliveryWithAttempts[]
  /** What the inbox holds of it by now. */
  inbox: readonly Sending[]
  deeds: readonly Deed[]
  coming: readonly Coming[]
}

/** A mark with the real time that orders it where the clock stands still. */
type Dated = { mark: Mark; real: number }

/** All that happened to a payment and all that is to come, in order: the one axis on which everything is seen. */
export const timelineOf = (record: PaymentRecord): Mark[] => {
  const { payment, events, calls, deliveries, inbox, deeds, coming } = record
  const sent = new Set(deliveries.map(({ sending }) => sending.sendingId))
  const happened: Dated[] = [
    ...events.map(ofEvent),
    ...calls.filter(isAbout(payment)).map(ofCall),
    ...deliveries.flatMap(ofDelivery),
    ...inbox.filter(({ sendingId }) => !sent.has(sendingId)).map(ofSending),
    ...deeds.flatMap(deed => (deed.kind === 'shopper' ? [ofClick(deed)] : [])),
  ]
  const first = Math.min(...happened.map(({ mark }) => mark.at))
  const moves = deeds.flatMap(deed => (deed.kind === 'clock' && deed.until >= first ? [ofMove(deed)] : []))
  const planned = coming.filter(holdsIn(payment)).map(thing => ofComing(thing, deliveries))
  return [...[...happened, ...moves].sort(inOrder).map(({ mark }) => mark), ...planned]
}

/** Deadlines of a state that the payment has left pass without a trace. */
const holdsIn =
  ({ state }: Payment) =>
  ({ name }: Coming): boolean =>
    !(name in DEADLINES) || deadlinesIn(state).some(one => one === name)

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

/** Operations that name a payment by what the merchant calls it, before it has an id. */
const BEGINNING: readonly string[] = ['initiate', 'charge', 'mockSet']
/** They tell of many payments at once. */
const ACROSS: readonly string[] = ['search', 'reports', 'downloadReport']

/** Calls on a payment, calls that began it, and those that tried to and were refused. */
export const isAbout =
  ({ transactionId, clientTransactionId }: Pick<Payment, 'transactionId' | 'clientTransactionId'>) =>
  ({ operation = '', request, answer }: JournalEntry): boolean => {
    if (ACROSS.includes(operation)) return false
    if (request.target.includes(transactionId) || request.body.includes(transactionId)) return true
    if (answer.body.includes(transactionId)) return true
    const isRefused = answer.status >= 400 || operation === 'mockSet'
    return BEGINNING.includes(operation) && isRefused && request.body.includes(JSON.stringify(clientTransactionId))
  }

/** A call counts from when it came in: what it brought about came later. */
const ofCall = (entry: JournalEntry): Dated => {
  const { callId, operation, request, answer, refused, replayed, durationMilliseconds } = entry
  const { reasonCode, message } = statusInfoIn(answer.body)
  const took = Math.ceil(durationMilliseconds)
  const script = entry.script as { scenario?: string } | undefined
  return {
    real: instantOf(entry.at) - took,
    mark: {
      lane: 'call',
      at: entry.clock === undefined ? instantOf(entry.at) - took : instantOf(entry.clock),
      tone: answer.status >= 400 ? 'bad' : 'good',
      callId,
      name: operation ?? lastOf(request.target),
      method: request.method,
      target: request.target,
      status: answer.status,
      durationMilliseconds,
      ...(reasonCode === undefined ? {} : { reasonCode }),
      ...(message === undefined ? {} : { message }),
      ...(refused ? { refusedBy: refused.layer, message: refused.reason } : {}),
      ...(replayed ? { replayed } : {}),
      ...(script?.scenario === undefined ? {} : { scenario: script.scenario }),
    },
  }
}

/** What a call that got nowhere was meant to be, by its address. */
const lastOf = (target: string): string => target.split('?', 1)[0]?.split('/').at(-1) || target

const statusInfoIn = (body: string): { reasonCode?: string; message?: string } => {
  const reasonCode = /"statusInfo"\s*:\s*\{\s*"reasonCode"\s*:\s*"([^"]*)"/.exec(body)?.[1]
  const message = /"statusInfo"\s*:\s*\{[^{}]*"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body)?.[1]
  return {
    ...(reasonCode === undefined ? {} : { reasonCode }),
    ...(message === undefined ? {} : { message: JSON.parse(`"${message}"`) as string }),
  }
}

const ofDelivery = ({ deliveryId, sending, attempts }: DeliveryWithAttempts): Dated[] =>
  attempts.map(({ at, real = at, request, answer, error, durationMilliseconds }, index) => ({
    real,
    mark: {
      lane: 'webhook',
      at,
      tone: toneOfAnswer(answer?.status),
      name: sending.type,
      url: request.url,
      deliveryId,
      nth: index + 1,
      durationMilliseconds,
      ...(answer ? { status: answer.status } : {}),
      ...(error === undefined ? {} : { error }),
    },
  }))

const toneOfAnswer = (status = 0): Tone => (status >= 200 && status < 300 ? 'good' : 'bad')

const ofSending = ({ type, dueAt }: Sending): Dated => ({
  real: dueAt,
  mark: { lane: 'webhook', at: dueAt, tone: 'plain', name: type },
})

const ofClick = ({ at, action, late, real }: Extract<Deed, { kind: 'shopper' }>): Dated => ({
  real,
  mark: { lane: 'shopper', at, tone: late ? 'bad' : 'plain', action, ...(late ? { late } : {}) },
})

const ofMove = ({ at, until, way, rate, ran, real }: Extract<Deed, { kind: 'clock' }>): Dated => ({
  real,
  mark: { lane: 'clock', at, until, tone: 'plain', way, rate, ran },
})

/** What waits: another try of a delivery, or what a deadline will do. */
const ofComing = ({ at, name, deliveryId }: Coming, deliveries: readonly DeliveryWithAttempts[]): Mark => {
  const delivery = deliveries.find(one => one.deliveryId === deliveryId)
  if (!delivery) return { lane: 'state', at, tone: 'plain', planned: true, name, ...causeOf(name) }
  const { sending, attempts } = delivery
  const url = attempts.at(-1)?.request.url
  const where = { deliveryId: delivery.deliveryId, nth: attempts.length + 1, ...(url === undefined ? {} : { url }) }
  return { lane: 'webhook', at, tone: 'plain', planned: true, name: sending.type, ...where }
}

const causeOf = (name: string): { cause?: string } =>
  name in DEADLINES ? { cause: DEADLINES[name as keyof typeof DEADLINES].cause } : {}
