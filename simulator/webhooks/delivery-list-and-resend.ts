import type { JobScheduler } from '../jobs/job-scheduler.ts'
import type { Store } from '../store/store.ts'
import type { DeliveryQuery, DeliveryWithAttempts } from '../store/webhook-store.ts'
import type { Clock } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'

type Parts = { store: Store; clock: Clock; jobs: JobScheduler }

/** Creates the functions that list and find webhook deliveries with their attempts, and send one again. */
export const createDeliveryListAndResend = ({ store, clock, jobs }: Parts) => {
  const find = async (organizationId: string, deliveryId: string): Promise<DeliveryWithAttempts> => {
    const delivery = await store.delivery(organizationId, deliveryId)
    if (delivery) return delivery
    throw new ControlError('unknown', `There is no delivery ${deliveryId}: GET …/deliveries lists them.`)
  }
  return {
    list: (organizationId: string, query: DeliveryQuery) => store.deliveries(organizationId, query),
    count: (organizationId: string) => store.countDeliveries(organizationId),
    find,
    /** Schedules a delivery once more for now, whatever its state. */
    resend: async (organizationId: string, deliveryId: string): Promise<DeliveryWithAttempts> => {
      const { endpointId } = await find(organizationId, deliveryId)
      const endpoint = (await store.endpoints(organizationId)).find(one => one.endpointId === endpointId)
      if (!endpoint || endpoint.disabled)
        throw new ControlError('conflict', 'Its endpoint is disabled or deleted: enable it with PATCH …/webhooks/ID.')
      const now = clock.now(organizationId)
      await store.resend(organizationId, deliveryId, now)
      jobs.scheduled(organizationId, now)
      return find(organizationId, deliveryId)
    },
  }
}
