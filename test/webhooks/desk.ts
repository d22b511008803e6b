import { createDeliveries } from '../../simulator/operator/deliveries.ts'
import { createDeliveryPlans } from '../../simulator/operator/delivery-plans.ts'
import { createEndpoints } from '../../simulator/operator/endpoints.ts'
import { createInbox } from '../../simulator/operator/inbox.ts'
import { type Core, openCore, SHOP } from '../support/core.ts'

/** The core with everything of the operator that is about webhooks. */
export const openDesk = async (rules: Parameters<typeof openCore>[0] = {}) => deskOf(await openCore(rules))

export const deskOf = (core: Core) => {
  const inbox = createInbox(core)
  const told = async (organizationId = SHOP) =>
    (await inbox.list(organizationId, {}, 100)).toReversed().map(({ sending, headers }) => ({
      headers,
      at: sending.dueAt,
      id: sending.notificationId,
      text: sending.body,
      // biome-ignore lint/suspicious/noExplicitAny: a test reads by name whatever was told
      body: JSON.parse(sending.body) as any,
    }))
  const deliveries = createDeliveries(core)
  return {
    ...core,
    inbox,
    told,
    endpoints: createEndpoints(core),
    deliveries,
    plans: createDeliveryPlans(core),
    /** Every delivery, oldest first. */
    allDeliveries: async () => (await deliveries.list(SHOP, { limit: 1000 })).toReversed(),
    /** Makes every try that is due by now. */
    deliver: (organizationId = SHOP) => core.webhooks.courier.runDue(organizationId, core.clock.now(organizationId)),
  }
}

export type Desk = Awaited<ReturnType<typeof openDesk>>
