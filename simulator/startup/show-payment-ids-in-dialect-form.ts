import { isJsonObject } from '../../contracts/protocol/canonical-json.ts'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'

type Spoken = Pick<
  ControlPlaneFeatures,
  'dialects' | 'payments' | 'search' | 'clock' | 'shopper' | 'deliveries' | 'deliveryPlans' | 'inbox'
>

/**
 * Wraps the features by which control and portal show payments, so that each id is as the organization's dialect has
 * it. An id that is asked for may be in that form or the service's own.
 */
export const speakPaymentIds = (features: Spoken): Omit<Spoken, 'dialects'> => {
  const { dialects, payments, search, clock, shopper, deliveries, deliveryPlans, inbox } = features
  const read = (organizationId: string, id: string) => dialects.of(organizationId).ids.read(id)
  const readIn = <Filter>(organizationId: string, filter: Filter): Filter => {
    const wanted = isJsonObject(filter) ? filter.transactionId : undefined
    if (typeof wanted === 'string') return { ...filter, transactionId: read(organizationId, wanted) }
    if (!Array.isArray(wanted)) return filter
    return { ...filter, transactionId: wanted.map(id => read(organizationId, String(id))) }
  }
  const speak = <Item extends { transactionId?: string }>(organizationId: string, item: Item): Item =>
    item.transactionId === undefined
      ? item
      : { ...item, transactionId: dialects.of(organizationId).ids.write(item.transactionId) }
  const speakMessage = <Item extends { message: { transactionId: string } }>(
    organizationId: string,
    item: Item,
  ): Item => ({ ...item, message: speak(organizationId, item.message) })
  const speakMatch = <Plan extends { match: { transactionId?: string } }>(
    organizationId: string,
    plan: Plan,
  ): Plan => ({
    ...plan,
    match: speak(organizationId, plan.match),
  })

  return {
    payments: {
      slices: async function* (organizationId, filter) {
        for await (const slice of payments.slices(organizationId, readIn(organizationId, filter)))
          yield slice.map(payment => speak(organizationId, payment))
      },
      totals: (organizationId, filter, most) => payments.totals(organizationId, readIn(organizationId, filter), most),
      list: async (organizationId, filter) => {
        const page = await payments.list(organizationId, readIn(organizationId, filter))
        return { ...page, payments: page.payments.map(row => speak(organizationId, row)) }
      },
      timeline: async (organizationId, transactionId) =>
        speak(organizationId, await payments.timeline(organizationId, read(organizationId, transactionId))),
    },
    search: {
      find: async (organizationId, text) => {
        const asked = [...new Set([text, read(organizationId, text.trim())])]
        const found = await Promise.all(asked.map(one => search.find(organizationId, one)))
        return found.flat().map(({ payment, ...hit }) => {
          const spoken = speak(organizationId, hit)
          const id = hit.kind === 'payment' ? (spoken.transactionId ?? hit.id) : hit.id
          return { ...spoken, id, ...(payment && { payment: speak(organizationId, payment) }) }
        })
      },
    },
    clock: {
      ...clock,
      scheduled: async (organizationId, limit) =>
        (await clock.scheduled(organizationId, limit)).map(item => speak(organizationId, item)),
    },
    shopper: {
      ...shopper,
      act: async (organizationId, transactionId, ...decision) =>
        speak(organizationId, await shopper.act(organizationId, read(organizationId, transactionId), ...decision)),
    },
    deliveries: {
      ...deliveries,
      each: async function* (organizationId, query) {
        for await (const one of deliveries.each(organizationId, readIn(organizationId, query)))
          yield speakMessage(organizationId, one)
      },
      list: async (organizationId, query) =>
        (await deliveries.list(organizationId, readIn(organizationId, query))).map(one =>
          speakMessage(organizationId, one),
        ),
      find: async (organizationId, deliveryId) =>
        speakMessage(organizationId, await deliveries.find(organizationId, deliveryId)),
      resend: async (organizationId, deliveryId) =>
        speakMessage(organizationId, await deliveries.resend(organizationId, deliveryId)),
      resendAll: (organizationId, which) => deliveries.resendAll(organizationId, readIn(organizationId, which)),
    },
    deliveryPlans: {
      ...deliveryPlans,
      arm: async (organizationId, { match, ...plan }) => {
        const armed = await deliveryPlans.arm(organizationId, { ...plan, match: readIn(organizationId, match) })
        return speakMatch(organizationId, armed)
      },
      list: async organizationId =>
        (await deliveryPlans.list(organizationId)).map(plan => speakMatch(organizationId, plan)),
    },
    inbox: {
      ...inbox,
      each: async function* (organizationId, filter, limit) {
        for await (const one of inbox.each(organizationId, readIn(organizationId, filter), limit))
          yield speakMessage(organizationId, one)
      },
      list: async (organizationId, filter, limit) =>
        (await inbox.list(organizationId, readIn(organizationId, filter), limit)).map(one =>
          speakMessage(organizationId, one),
        ),
      wait: async (organizationId, filter, ...more) =>
        speakMessage(organizationId, await inbox.wait(organizationId, readIn(organizationId, filter), ...more)),
    },
  }
}
