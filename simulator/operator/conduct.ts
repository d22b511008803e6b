import { judgeConduct } from '../../contracts/conduct/judge.ts'
import type { Conduct } from '../../contracts/conduct/rule.ts'
import {
  type ClientCall,
  type ClientDelivery,
  type ClientPayment,
  operationAt,
  type Traffic,
} from '../../contracts/conduct/traffic.ts'
import type { Clock } from '../clock.ts'
import { instantOf } from '../clock.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { JournalEntry } from '../journal/entry.ts'
import type { Journal } from '../journal/journal.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import type { Deed, Store } from '../store/port.ts'
import type { DeliveryWithAttempts } from '../webhooks/notification.ts'
import { LEAVING } from './shopper.ts'

type Parts = { store: Store; clock: Clock; jobs: Jobs; journal: Journal }

/** How many payments and deliveries are looked at, the newest first. */
const MOST = 500
/** So many payments are looked at side by side: who looks on leaves the store to who pays. */
const AT_ONCE = 4

/** Grades an organization's integration by all that it did since it was made, reset, or a drill began. */
export const createConduct = ({ store, clock, jobs, journal }: Parts) => {
  const paymentOf = async (organizationId: string, payment: Payment): Promise<ClientPayment> => {
    const { transactionId } = payment
    const [events, deeds] = await Promise.all([
      store.perform({
        organizationId,
        now: clock.now(organizationId),
        needs: { transactionId, events: true },
        decide: loaded => ({ result: loaded.events }),
      }),
      store.deeds(organizationId, transactionId, payment.createdAt),
    ])
    return clientPayment(payment, events, deeds)
  }

  /** Since an instant of real time: calls, what was delivered, and the payments that either was about. */
  const traffic = async (organizationId: string, since = 0): Promise<Traffic> => {
    await jobs.catchUp(organizationId)
    const found = await store.perform({
      organizationId,
      now: clock.now(organizationId),
      needs: { payments: { limit: MOST } },
      decide: loaded => ({ result: loaded.found }),
    })
    const [deliveries, keys] = await Promise.all([
      store.deliveries(organizationId, { limit: MOST }),
      store.signingKeys(organizationId),
    ])
    const calls = journal.list(organizationId, Number.MAX_SAFE_INTEGER).toReversed().map(clientCall)
    const recent = calls.filter(({ startedAt }) => startedAt >= since)
    const told = deliveries.toReversed().map(clientDelivery).filter(isSince(since))
    const concerned = new Set([...recent, ...told].map(({ transactionId }) => transactionId))
    const judged = found?.payments.filter(({ transactionId }) => since === 0 || concerned.has(transactionId)) ?? []
    const payments: ClientPayment[] = []
    for (let at = 0; at < judged.length; at += AT_ONCE) {
      const some = judged.slice(at, at + AT_ONCE)
      payments.push(...(await Promise.all(some.map(payment => paymentOf(organizationId, payment)))))
    }
    return {
      calls: recent,
      deliveries: told,
      payments: payments.toReversed(),
      keys: keys.map(({ keyId, registeredAt }) => ({ keyId, registeredAt })),
      until: clock.real(),
    }
  }

  return {
    traffic,
    /** A verdict for every rule of conduct; rules that nothing happened to are not exercised. */
    judge: async (organizationId: string, since?: number): Promise<readonly Conduct[]> =>
      judgeConduct(await traffic(organizationId, since)),
  }
}

const clientCall = (entry: JournalEntry): ClientCall => {
  const { callId, at, durationMilliseconds, request, answer, signature, spoiled, refused } = entry
  const endedAt = instantOf(at)
  const operation = entry.operation ?? operationAt(request.method, request.target)
  const sent = objectOf(request.body)
  const got = objectOf(answer.body)
  const transactionId = textIn(sent, 'transactionId') ?? inPath(request.target) ?? textIn(got, 'transactionId')
  const clientTransactionId = textIn(sent, 'clientTransactionId')
  const reasonCode = textIn(objectOf(got?.statusInfo), 'reasonCode')
  const idempotencyKey = request.headers['idempotency-key']
  const retryAfter = Number(answer.headers['retry-after'])
  return {
    callId,
    startedAt: endedAt - durationMilliseconds,
    endedAt,
    status: answer.status,
    ...(operation === undefined ? {} : { operation }),
    ...(sent === undefined ? {} : { body: sent }),
    ...(transactionId === undefined ? {} : { transactionId }),
    ...(clientTransactionId === undefined ? {} : { clientTransactionId }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(reasonCode === undefined ? {} : { reasonCode }),
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
    ...(signature === undefined ? {} : { keyId: signature.keyId }),
    ...(refused === undefined ? {} : { refusedBy: refused.layer }),
    ...(refused?.ended === undefined || refused.keyId === undefined ? {} : { endedKey: refused.keyId }),
    ...(spoiled === undefined ? {} : { spoiled }),
  }
}

const clientDelivery = ({ deliveryId, sending, attempts }: DeliveryWithAttempts): ClientDelivery => ({
  deliveryId,
  notificationId: sending.notificationId,
  transactionId: sending.transactionId,
  clientTransactionId: sending.clientTransactionId,
  deeds: (sending.variant.deeds ?? []).filter(deed => deed !== 'drop' && deed !== 'delay'),
  attempts: attempts.map(({ at, real = at, durationMilliseconds, answer, error }) => ({
    startedAt: real,
    endedAt: real + durationMilliseconds,
    ...(answer === undefined ? {} : { status: answer.status }),
    ...(error === undefined ? {} : { error }),
  })),
})

const isSince =
  (since: number) =>
  ({ attempts }: ClientDelivery): boolean =>
    since === 0 || attempts.some(({ startedAt }) => startedAt >= since)

const clientPayment = (
  { transactionId, clientTransactionId }: Payment,
  events: readonly PaymentEvent[],
  deeds: readonly Deed[],
): ClientPayment => {
  const presses = deeds.filter(deed => deed.kind === 'shopper')
  const last = presses.at(-1)
  return {
    transactionId,
    clientTransactionId,
    states: events.map(({ state }) => state),
    neverReturned: presses.some(({ action, late }) => action === LEAVING && !late),
    ...(last === undefined ? {} : { pressedAt: last.real }),
  }
}

type Members = Readonly<Record<string, unknown>>

const objectOf = (value: unknown): Members | undefined => {
  try {
    const read: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return typeof read === 'object' && read !== null ? (read as Members) : undefined
  } catch {
    return undefined
  }
}

const textIn = (members: Members | undefined, name: string): string | undefined => {
  const value = members?.[name]
  return typeof value === 'string' ? value : undefined
}

/** `/payments/ID/status` */
const inPath = (target: string): string | undefined => /\/payments\/([^/?]+)\/(?:status|events)/.exec(target)?.[1]
