import type { Clock } from '../clock.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Store } from '../store/port.ts'
import type { DeliveryQuery } from '../store/webhooks-port.ts'
import type { DeliveryWithAttempts } from '../webhooks/notification.ts'
import { OperatorError } from './operator-error.ts'

type Parts = { store: Store; clock: Clock; jobs: Jobs }

/** What went out to endpoints, try by try, and what is still on its way. */
export const createDeliveries = ({ store, clock, jobs }: Parts) => {
  const find = async (organizationId: string, deliveryId: string): Promise<DeliveryWithAttempts> => {
    const delivery = await store.delivery(organizationId, deliveryId)
    if (delivery) return delivery
    throw new OperatorError('unknown', `There is no delivery ${deliveryId}: GET …/deliveries lists them.`)
  }
  return {
    list: (organizationId: string, query: DeliveryQuery) => store.deliveries(organizationId, query),
    find,
    /** Now, once more, whatever became of it before. */
    resend: async (organizationId: string, deliveryId: string): Promise<DeliveryWithAttempts> => {
      const { endpointId } = await find(organizationId, deliveryId)
      const endpoint = (await store.endpoints(organizationId)).find(one => one.endpointId === endpointId)
      if (!endpoint || endpoint.disabled)
        throw new OperatorError('conflict', 'Its endpoint is disabled or deleted: enable it with PATCH …/webhooks/ID.')
      const now = clock.now(organizationId)
      await store.resend(organizationId, deliveryId, now)
      jobs.scheduled(organizationId, now)
      return find(organizationId, deliveryId)
    },
  }
}
