import type { ProviderOperation } from '../../contracts/operations.ts'
import { createPaymentIn } from '../support/create-test-payments.ts'
import { actionRequest, blikRequest, chargeRequest } from '../support/payment-requests.ts'
import type { CallResult, SimulatorCore } from '../support/simulator-core.ts'

/** A provider call that would succeed, with its preparation and expected effects. */
type Step = {
  operation: ProviderOperation
  /** Prepares the payment and returns the request. */
  ready(core: SimulatorCore): Promise<object>
  /** State before the call; undefined where the call creates the payment. */
  before?: string
  after: string
  /** Events that the call adds. */
  events: readonly string[]
}

// biome-ignore format: a table reads by its columns
export const SAMPLE_PROVIDER_CALLS: readonly Step[] = [
  { operation: 'initiate', ready: async core => blikRequest(await core.code()),              after: 'AWAITING_SHOPPER', events: ['payment.initiated'] },
  { operation: 'finalize', ready: async core => actionRequest(await createPaymentIn(core, 'AUTHENTICATED')), before: 'AUTHENTICATED',   after: 'AUTHORIZED', events: ['payment.authorized'] },
  { operation: 'charge',   ready: async core => { await createPaymentIn(core, 'TOKENIZED'); return chargeRequest() },         after: 'CAPTURED',   events: ['payment.authorized', 'payment.captured'] },
  { operation: 'capture',  ready: async core => actionRequest(await createPaymentIn(core, 'AUTHORIZED')),    before: 'AUTHORIZED',      after: 'CAPTURED',   events: ['payment.captured'] },
  { operation: 'cancel',   ready: async core => actionRequest(await createPaymentIn(core, 'AUTHORIZED')),    before: 'AUTHORIZED',      after: 'CANCELED',   events: ['payment.canceled'] },
  { operation: 'refund',   ready: async core => actionRequest(await createPaymentIn(core, 'SETTLED')),       before: 'SETTLED',         after: 'REFUNDED',   events: ['payment.refunded'] },
]

/** Returns the transactionId of a test's request, or else that of its response. */
export const transactionIdOf = (request: object, answer?: CallResult): string =>
  'transactionId' in request ? String(request.transactionId) : answer?.body.transactionId

/** Reads a payment's state and its events from index `since`, in a test of faults. */
export const readPayment = async (core: SimulatorCore, id: string, since = 0) => {
  const { body } = await core.events(id)
  const types: string[] = body.timeline.map(({ type }: { type: string }) => type)
  return { state: body.lifecycle.state as string, events: types.slice(since), count: types.length, text: body }
}
