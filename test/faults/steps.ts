import type { ProviderCall } from '../../simulator/providers/faults.ts'
import type { Core, Told } from '../support/core.ts'
import { act, blikRequest, chargeRequest, paymentIn } from '../support/payments.ts'

/** A call at the moment when its provider would say yes. */
type Step = {
  operation: ProviderCall
  /** Makes the payment ready and tells the request. */
  ready(core: Core): Promise<object>
  /** State before; a payment that comes to be with the call has none. */
  before?: string
  after: string
  /** What the timeline gains. */
  events: readonly string[]
}

// biome-ignore format: a table reads by its columns
export const STEPS: readonly Step[] = [
  { operation: 'initiate', ready: async core => blikRequest(await core.code()),              after: 'AWAITING_SHOPPER', events: ['payment.initiated'] },
  { operation: 'finalize', ready: async core => act(await paymentIn(core, 'AUTHENTICATED')), before: 'AUTHENTICATED',   after: 'AUTHORIZED', events: ['payment.authorized'] },
  { operation: 'charge',   ready: async core => { await paymentIn(core, 'TOKENIZED'); return chargeRequest() },         after: 'CAPTURED',   events: ['payment.authorized', 'payment.captured'] },
  { operation: 'capture',  ready: async core => act(await paymentIn(core, 'AUTHORIZED')),    before: 'AUTHORIZED',      after: 'CAPTURED',   events: ['payment.captured'] },
  { operation: 'cancel',   ready: async core => act(await paymentIn(core, 'AUTHORIZED')),    before: 'AUTHORIZED',      after: 'CANCELED',   events: ['payment.canceled'] },
  { operation: 'refund',   ready: async core => act(await paymentIn(core, 'SETTLED')),       before: 'SETTLED',         after: 'REFUNDED',   events: ['payment.refunded'] },
]

/** The payment that a step is about: the one named, or the one that its answer tells. */
export const paymentOf = (request: object, answer?: Told): string =>
  'transactionId' in request ? String(request.transactionId) : answer?.body.transactionId

/** What a merchant sees of a payment: its state, and what happened to it since it looked last. */
export const seen = async (core: Core, id: string, since = 0) => {
  const { body } = await core.events(id)
  const types: string[] = body.timeline.map(({ type }: { type: string }) => type)
  return { state: body.lifecycle.state as string, events: types.slice(since), count: types.length, text: body }
}
