import { createDeliveryListAndResend } from '../../simulator/webhooks/delivery-list-and-resend.ts'
import { createDeliveryPlanRegistry } from '../../simulator/webhooks/delivery-plan-registry.ts'
import { createEndpointRegistry } from '../../simulator/webhooks/endpoint-registry.ts'
import { createInbox } from '../../simulator/webhooks/inbox.ts'
import { openCore, SHOP, type SimulatorCore } from '../support/simulator-core.ts'

/**
 * Opens the simulator's core for a test, without HTTP, with its webhook endpoints, deliveries, delivery plans and
 * inbox.
 */
export const openWebhookCore = async (...given: Parameters<typeof openCore>) =>
  withWebhookParts(await openCore(...given))

export const withWebhookParts = (core: SimulatorCore) => {
  const inbox = createInbox(core)
  const told = async (organizationId = SHOP) =>
    (await inbox.list(organizationId, {}, 100)).toReversed().map(({ message: sending, headers }) => ({
      headers,
      at: sending.dueAt,
      id: sending.notificationId,
      text: sending.body,
      // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of a notification by name
      body: JSON.parse(sending.body) as any,
    }))
  const deliveries = createDeliveryListAndResend(core)
  return {
    ...core,
    inbox,
    told,
    endpoints: createEndpointRegistry(core),
    deliveries,
    plans: createDeliveryPlanRegistry(core),
    /** Every delivery, oldest first. */
    allDeliveries: async () => (await deliveries.list(SHOP, { limit: 1000 })).toReversed(),
    /** Makes every delivery attempt that is due. */
    deliver: (organizationId = SHOP) => core.webhooks.dispatcher.runDue(organizationId, core.clock.now(organizationId)),
  }
}

export type WebhookCore = Awaited<ReturnType<typeof openWebhookCore>>
