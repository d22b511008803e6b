import type { DeliveryView, WebhooksPort } from '../../hosted-pages/portal/webhooks-port.ts'
import { parseDuration } from '../duration.ts'
import type { DeliveryWithAttempts } from '../webhooks/notification.ts'
import { NOTIFICATION_TYPES } from '../webhooks/notification.ts'
import type { Operator } from './operator.ts'
import { OperatorError } from './operator-error.ts'
import { found, wish } from './portal-port-wish.ts'

/** Endpoints, deliveries and the inbox as the portal sees them (6). */
export const webhooksPortOf = ({ endpoints, deliveries, inbox, now }: Operator): WebhooksPort => ({
  types: NOTIFICATION_TYPES,
  endpoints: endpoints.list,
  endpoint: (organizationId, endpointId) => found(() => endpoints.find(organizationId, endpointId)),
  add: (organizationId, url, types) =>
    wish(async () => (await endpoints.add(organizationId, { url, ...(types.length > 0 ? { types } : {}) })).endpointId),
  change: (organizationId, endpointId, change) =>
    wish(async () => (await endpoints.change(organizationId, endpointId, change)).endpointId),
  remove: (organizationId, endpointId) =>
    wish(async () => {
      await endpoints.remove(organizationId, endpointId)
      return endpointId
    }),
  rotate: (organizationId, endpointId, overlap) =>
    wish(async () => (await endpoints.rotate(organizationId, endpointId, milliseconds(overlap))).endpointId),
  test: (organizationId, endpointId) => wish(() => endpoints.ping(organizationId, endpointId)),
  replay: (organizationId, endpointId, last) =>
    wish(() => endpoints.replay(organizationId, endpointId, now(organizationId) - milliseconds(last))),

  deliveries: async (organizationId, query) => (await deliveries.list(organizationId, query)).map(viewOf),
  delivery: async (organizationId, deliveryId) => {
    const delivery = await found(() => deliveries.find(organizationId, deliveryId))
    return delivery && viewOf(delivery)
  },
  resend: (organizationId, deliveryId) =>
    wish(async () => (await deliveries.resend(organizationId, deliveryId)).deliveryId),

  inbox: async (organizationId, limit) => {
    const messages = await inbox.list(organizationId, {}, limit)
    const secret = await inbox.secretOf(organizationId)
    return {
      secret,
      messages: messages.map(({ sending, target, headers }) => {
        const { sendingId, dueAt, type, transactionId, body } = sending
        return { id: sendingId, at: dueAt, type, transactionId, target, headers, body }
      }),
    }
  },
  clearInbox: inbox.clear,
})

const viewOf = ({ sending, ...delivery }: DeliveryWithAttempts): DeliveryView => ({
  ...delivery,
  type: sending.type,
  transactionId: sending.transactionId,
  body: sending.body,
})

const milliseconds = (text: string): number => {
  const duration = parseDuration(text)
  if (duration !== undefined) return duration
  throw new OperatorError('invalid', `"${text.slice(0, 40)}" is no duration: give one such as PT24H or PT0S.`)
}
