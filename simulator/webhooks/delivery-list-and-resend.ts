import { setImmediate } from 'node:timers/promises'
import type { JobScheduler } from '../jobs/job-scheduler.ts'
import type { Store } from '../store/store.ts'
import type { DeliveryQuery, DeliveryWithAttempts } from '../store/webhook-store.ts'
import type { Clock } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { collect } from '../support/slices-across-event-loop-turns.ts'
import { refuseDisabled } from './endpoint-registry.ts'

type Parts = { store: Store; clock: Clock; jobs: JobScheduler }

/** Deliveries to be sent again at once; `isTried` parts those that failed from those that were never tried. */
type ResentDeliveries = Pick<DeliveryQuery, 'endpointId' | 'transactionId' | 'state' | 'isTried'>

/** Deliveries that are read or sent again in one turn of the event loop. */
const PAGE = 100

/** Creates the functions that list and find webhook deliveries with their attempts, and send one or all again. */
export const createDeliveryListAndResend = ({ store, clock, jobs }: Parts) => {
  const find = async (organizationId: string, deliveryId: string): Promise<DeliveryWithAttempts> => {
    const delivery = await store.delivery(organizationId, deliveryId)
    if (delivery) return delivery
    throw new ControlError('unknown', `There is no delivery ${deliveryId}: GET …/deliveries lists them.`)
  }
  const schedule = async (organizationId: string, deliveryId: string, real: number): Promise<void> => {
    const at = clock.now(organizationId)
    await store.resend(organizationId, deliveryId, { at, real })
    jobs.scheduled(organizationId, at)
  }
  /** Deliveries that match, newest first; read in pages, between which the calls of others come. */
  async function* each(
    organizationId: string,
    { limit, ...query }: DeliveryQuery,
  ): AsyncGenerator<DeliveryWithAttempts> {
    let { before } = query
    for (let left = limit; left > 0; await setImmediate()) {
      const wanted = Math.min(PAGE, left)
      const page = await store.deliveries(organizationId, { ...query, before, limit: wanted })
      yield* page
      if (page.length < wanted) return
      left -= wanted
      before = page.at(-1)?.deliveryId
    }
  }
  return {
    each,
    /** Deliveries that match, newest first, all at once. */
    list: (organizationId: string, query: DeliveryQuery): Promise<DeliveryWithAttempts[]> =>
      collect(each(organizationId, query)),
    /** Refuses a `before` of a list that no delivery has as its id. Throws ControlError. */
    requireKnown: async (organizationId: string, before: string): Promise<void> => {
      if (await store.delivery(organizationId, before)) return
      const cure = 'leave it out, or give the deliveryId of one since the last reset'
      throw new ControlError('invalid', `before names no delivery of this organization: ${cure}.`)
    },
    count: (organizationId: string) => store.countDeliveries(organizationId),
    find,
    /** Schedules a delivery once more for now, whatever its state. */
    resend: async (organizationId: string, deliveryId: string): Promise<DeliveryWithAttempts> => {
      const { endpointId } = await find(organizationId, deliveryId)
      refuseDisabled((await store.endpoints(organizationId)).find(one => one.endpointId === endpointId))
      await schedule(organizationId, deliveryId, clock.real())
      return find(organizationId, deliveryId)
    },
    /**
     * Schedules deliveries once more for now, and returns how many, with the real time by which their outcome is counted;
     * `skipped` counts those whose endpoint is disabled or deleted.
     */
    resendAll: async (
      organizationId: string,
      which: ResentDeliveries,
    ): Promise<{ resent: number; skipped: number; at: number }> => {
      const endpoints = await store.endpoints(organizationId)
      const enabled = new Set(endpoints.filter(one => !one.disabled).map(one => one.endpointId))
      const count = { resent: 0, skipped: 0, at: clock.real() }
      for (let before: string | undefined; ; await setImmediate()) {
        const page = await store.deliveries(organizationId, { ...which, before, limit: PAGE })
        for (const { deliveryId, endpointId } of page) {
          count[enabled.has(endpointId) ? 'resent' : 'skipped']++
          if (enabled.has(endpointId)) await schedule(organizationId, deliveryId, count.at)
        }
        if (page.length < PAGE) return count
        before = page.at(-1)?.deliveryId
      }
    },
    /** Counts what came of a resend, by its real time. */
    outcomeOfResend: (organizationId: string, at: number) =>
      store.countResent(organizationId, at, clock.now(organizationId)),
  }
}
