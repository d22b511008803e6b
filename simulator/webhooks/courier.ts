import type { Bell } from '../bell.ts'
import { type Clock, pause } from '../clock.ts'
import { SECOND } from '../duration.ts'
import type { Store } from '../store/port.ts'
import type { Attempt, Delivery, Endpoint, Sending } from './notification.ts'
import { afterTry, GONE } from './schedule.ts'
import type { Send } from './send.ts'
import { type SignSending, validSecrets } from './signing.ts'

type Parts = {
  store: Store
  clock: Clock
  bell: Bell
  sign: SignSending
  send: Send
  onFault: (error: unknown) => void
  /** How long, in milliseconds, a replica that calls an endpoint is waited for before it is asked for again. */
  lookAgain?: number
}

/** Carries notifications to endpoints: one after the other to each, side by side to different ones. */
export type Courier = {
  /** The first that is due and whose endpoint nobody is calling now. */
  next(organizationId: string): Promise<{ at: number; name: string; transactionId?: string } | undefined>
  /** Makes every try that is due up to this instant, waits for them, and tells how many there were; throws what kept it from that. */
  runDue(organizationId: string, upTo: number): Promise<number>
  /** Waits until each of these was tried once, or is over. */
  firstTries(organizationId: string, deliveryIds: readonly string[]): Promise<void>
  /** Breaks off what is under way: it stays to be done. */
  stop(): Promise<void>
}

/** How many tries one walk to an endpoint made, or what failed for no reason of the receiver's. */
type Walked = { tried: number; error?: unknown }

/** A replica that ends while it calls an endpoint rings for nobody. */
const LOOK_AGAIN = SECOND

export const createCourier = (parts: Parts): Courier => {
  const { store, clock, bell, sign, send, onFault, lookAgain = LOOK_AGAIN } = parts
  const lanes = new Map<string, Promise<Walked>>()
  const stopping = new AbortController()
  const { signal } = stopping

  const tryOnce = async (organizationId: string, delivery: Delivery, dueAt: number): Promise<void> => {
    const { endpointId, deliveryId } = delivery
    const sending = (await store.delivery(organizationId, deliveryId))?.sending
    const endpoint = (await store.endpoints(organizationId)).find(one => one.endpointId === endpointId)
    const real = clock.real()
    const { request, ...sent } = await call(endpoint, sending, dueAt)
    if (signal.aborted) return
    const { status, headers } = sent.answer ?? {}
    await store.saveTry(organizationId, {
      delivery: afterTry(delivery, { status, retryAfter: headers?.['retry-after'] }, dueAt, clock.real()),
      attempt: { at: dueAt, real, request, ...sent },
      ...(status === GONE ? { disabled: { at: dueAt, reason: 'The receiver answered 410: it is gone.' } } : {}),
    })
  }

  const call = async (endpoint: Endpoint | undefined, sending: Sending | undefined, dueAt: number) => {
    const { url = '', secrets = [] } = endpoint ?? {}
    const request: Attempt['request'] = { method: 'POST', url, headers: {} }
    if (!endpoint || !sending) return { request, durationMilliseconds: 0, error: 'The endpoint is there no longer.' }
    const { pathname, search } = new URL(url)
    const headers = await sign(sending, `${pathname}${search}`, validSecrets(secrets, dueAt))
    return { request: { ...request, headers }, ...(await send(url, headers, sending.body, signal)) }
  }

  /** All that is due to one endpoint, in order of due time. */
  const walk = async (organizationId: string, endpointId: string, upTo: number): Promise<number> => {
    let tried = 0
    for (;;) {
      if (signal.aborted) return tried
      const rung = bell.next(organizationId)
      const delivery = await store.dueDeliveryTo(organizationId, endpointId, upTo)
      if (delivery === 'claimed') {
        await Promise.race([rung, pause(lookAgain, signal)])
        continue
      }
      if (delivery?.dueAt === undefined) return tried
      await tryOnce(organizationId, delivery, delivery.dueAt)
      tried += 1
    }
  }

  /** One walker to an endpoint: whoever looked at the same time joins the one that is on the way. */
  const begin = (organizationId: string, endpointId: string, upTo: number): Promise<Walked> => {
    const known = lanes.get(endpointId)
    if (known) return known
    const lane = walk(organizationId, endpointId, upTo)
      .then(
        tried => ({ tried }),
        error => ({ tried: 0, ...(signal.aborted ? {} : { error }) }),
      )
      .finally(() => lanes.delete(endpointId))
    lanes.set(endpointId, lane)
    return lane
  }

  const runDue = async (organizationId: string, upTo: number): Promise<number> => {
    const walks = new Set<Promise<Walked>>()
    const dueBeside = async (endpointIds: readonly string[]) =>
      signal.aborted ? undefined : store.dueDelivery(organizationId, upTo, endpointIds)
    const walkTo = ({ endpointId }: Delivery): Promise<Walked> => {
      const lane = begin(organizationId, endpointId, upTo)
      walks.add(lane)
      return lane
    }
    for (;;) {
      for (let free = await dueBeside([...lanes.keys()]); free; free = await dueBeside([...lanes.keys()])) walkTo(free)
      const due = await dueBeside([])
      if (!due) break
      const { error } = await walkTo(due)
      if (error !== undefined) throw error
    }
    const walked = await Promise.all(walks)
    return walked.reduce((sum, { tried }) => sum + tried, 0)
  }

  return {
    runDue,
    next: async organizationId => {
      const due = await store.dueDelivery(organizationId, Number.MAX_SAFE_INTEGER, [...lanes.keys()])
      return due?.dueAt === undefined ? undefined : { at: due.dueAt, name: 'delivery' }
    },
    firstTries: async (organizationId, deliveryIds) => {
      for (const deliveryId of deliveryIds) {
        for (;;) {
          const delivery = signal.aborted ? undefined : await store.delivery(organizationId, deliveryId)
          if (!delivery || delivery.tries > 0 || delivery.dueAt === undefined) break
          if (delivery.dueAt > clock.now(organizationId)) break
          const { error } = await begin(organizationId, delivery.endpointId, clock.now(organizationId))
          if (error === undefined) continue
          onFault(error) // what is told is saved, and is tried again by the clock
          return
        }
      }
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(lanes.values())
    },
  }
}
