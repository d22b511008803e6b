import type { ControlPlaneFeatures } from '../control-plane-features.ts'

type Spoken = Pick<ControlPlaneFeatures, 'dialects' | 'payments' | 'clock' | 'deliveries' | 'inbox'>

/**
 * Returns the features by which the portal lists what concerns a payment, with its id as the organization's dialect has
 * it. An id that is asked for may be in that form or the service's own.
 */
export const speakPaymentIds = ({ dialects, payments, clock, deliveries, inbox }: Spoken): Omit<Spoken, 'dialects'> => {
  const read = (organizationId: string, id: string) => dialects.of(organizationId).ids.read(id)
  const speak = <Item extends { transactionId?: string }>(organizationId: string, item: Item): Item =>
    item.transactionId === undefined
      ? item
      : { ...item, transactionId: dialects.of(organizationId).ids.write(item.transactionId) }
  const speakMessage = <Item extends { message: { transactionId: string } }>(
    organizationId: string,
    item: Item,
  ): Item => ({ ...item, message: speak(organizationId, item.message) })

  return {
    payments: {
      list: async (organizationId, { transactionId, ...filter }) => {
        const wanted =
          transactionId === undefined ? filter : { ...filter, transactionId: read(organizationId, transactionId) }
        const page = await payments.list(organizationId, wanted)
        return { ...page, payments: page.payments.map(row => speak(organizationId, row)) }
      },
      timeline: async (organizationId, transactionId) =>
        speak(organizationId, await payments.timeline(organizationId, read(organizationId, transactionId))),
    },
    clock: {
      ...clock,
      scheduled: async (organizationId, limit) =>
        (await clock.scheduled(organizationId, limit)).map(item => speak(organizationId, item)),
    },
    deliveries: {
      ...deliveries,
      list: async (organizationId, query) =>
        (await deliveries.list(organizationId, query)).map(one => speakMessage(organizationId, one)),
      find: async (organizationId, deliveryId) =>
        speakMessage(organizationId, await deliveries.find(organizationId, deliveryId)),
    },
    inbox: {
      ...inbox,
      list: async (organizationId, filter, limit) =>
        (await inbox.list(organizationId, filter, limit)).map(one => speakMessage(organizationId, one)),
    },
  }
}
