import type { State } from '../../simulator/payments/lifecycle.ts'
import type { Payment } from '../../simulator/payments/payment.ts'
import { DAY } from '../../simulator/support/duration.ts'
import { ACCOUNT, type SimulatorCore } from './simulator-core.ts'

export const BLIK = { currency: 'PLN', country: 'PL', description: 'Two jars of honey' }
export const IRIS = { currency: 'EUR', country: 'GR', description: 'One lamp' }

/** The `payerId` of payments that create a mandate. */
export const PAYER = 'payer-1'

type Wanted = { amount?: number; autoCapture?: boolean; transactionType?: Payment['transactionType'] }

/** Request to initiate a BLIK payment (2.1) with a one-time code. */
export const blikRequest = (oneTimeCode: string, wanted: Wanted = {}) => {
  const { amount = 1000, transactionType = 'ONE_TIME', ...more } = wanted
  return {
    processingAccountId: ACCOUNT,
    clientTransactionId: 'order-1',
    transactionType,
    paymentDetails: { amount, ...BLIK, ...more },
    providerDetails: { providerId: 'BLIK' as const },
    payerDetails: { oneTimeCode, ...(transactionType === 'ONE_TIME' ? {} : { payerId: PAYER }) },
  }
}

/** Request to charge a mandate (2.5), found by its payer unless `payerDetails` is given. */
export const chargeRequest = (payerDetails: object = { payerId: PAYER }, { amount = 1000, ...more }: Wanted = {}) => ({
  processingAccountId: ACCOUNT,
  clientTransactionId: 'order-2',
  transactionType: 'RECURRING' as const,
  paymentDetails: { amount, ...BLIK, ...more },
  providerDetails: { providerId: 'BLIK' as const },
  payerDetails,
})

/** Request to initiate an IRIS payment (2.1). */
export const irisRequest = ({ amount = 1000, ...more }: Wanted = {}) => ({
  processingAccountId: ACCOUNT,
  clientTransactionId: 'order-1',
  transactionType: 'ONE_TIME' as const,
  returnUrl: 'https://shop.example/back',
  paymentDetails: { amount, ...IRIS, ...more },
  providerDetails: { providerId: 'IRIS' as const },
  payerDetails: { payerId: 'shopper-1' },
})

/** Request of finalize, capture, cancel and refund on a payment (D-47). */
export const actionRequest = (transactionId: string, amount?: number) => ({
  processingAccountId: ACCOUNT,
  clientTransactionId: 'act-1',
  transactionId,
  paymentDetails: { ...(amount === undefined ? {} : { amount }), description: 'As agreed' },
})

/** Initiates a BLIK payment with a new code; returns its id. */
export const startBlik = async (core: SimulatorCore, wanted: Wanted = {}): Promise<string> =>
  (await core.call('initiate', blikRequest(await core.code(), wanted))).body.transactionId

/** Initiates an IRIS payment; returns its id. */
export const startIris = async (core: SimulatorCore, wanted: Wanted = {}): Promise<string> =>
  (await core.call('initiate', irisRequest(wanted))).body.transactionId

/** Initiates a BLIK payment, approves it as the shopper and finalizes it; returns its id. */
export const authorizeBlik = async (core: SimulatorCore, wanted: Wanted = { autoCapture: false }): Promise<string> => {
  const id = await startBlik(core, wanted)
  await core.decide(id, 'approve')
  await core.call('finalize', actionRequest(id))
  return id
}

/** Request of `/mock/set`: a PASSTHROUGH mock with a scenario for payments of the reference `order-1` (2.7). */
export const passthroughMock = (scenario: string, more: object = {}) => ({
  processingAccountId: ACCOUNT,
  key: { type: 'CLIENT_TRANSACTION_ID', value: 'order-1' },
  type: 'PASSTHROUGH',
  scenario,
  ...more,
})

/** Steps that lead a BLIK payment of 1000 without autoCapture into each state. */
const WAYS: Readonly<Record<State, (core: SimulatorCore, id: string) => unknown>> = {
  AWAITING_SHOPPER: () => undefined,
  AUTHENTICATED: (core, id) => core.decide(id, 'approve'),
  AUTHORIZED: (core, id) => through(core, id, 'AUTHENTICATED', () => core.call('finalize', actionRequest(id))),
  PARTIALLY_CAPTURED: (core, id) => through(core, id, 'AUTHORIZED', () => core.call('capture', actionRequest(id, 400))),
  CAPTURED: (core, id) => through(core, id, 'AUTHORIZED', () => core.call('capture', actionRequest(id))),
  SETTLED: (core, id) => through(core, id, 'CAPTURED', () => core.pass(2_000)),
  DISPUTED: (core, id) => through(core, id, 'SETTLED', () => core.pass(30 * DAY)),
  PARTIALLY_REFUNDED: (core, id) => through(core, id, 'SETTLED', () => core.call('refund', actionRequest(id, 300))),
  REFUNDED: (core, id) => through(core, id, 'SETTLED', () => core.call('refund', actionRequest(id))),
  TOKENIZED: (core, id) => through(core, id, 'AUTHENTICATED', () => core.call('finalize', actionRequest(id))),
  DECLINED: (core, id) => core.decide(id, 'decline'),
  CANCELED: (core, id) => through(core, id, 'AUTHORIZED', () => core.call('cancel', actionRequest(id))),
  EXPIRED: (core, id) => through(core, id, 'AUTHORIZED', () => core.pass(7 * DAY)),
}

const through = async (core: SimulatorCore, id: string, state: State, then: () => unknown): Promise<void> => {
  await WAYS[state](core, id)
  await then()
}

/** Creates a BLIK payment of 1000 without autoCapture (TOKEN_ONLY for TOKENIZED) in a state; returns its id. */
export const createPaymentIn = async (core: SimulatorCore, state: State): Promise<string> => {
  const wanted = { autoCapture: false, ...(state === 'TOKENIZED' ? { transactionType: 'TOKEN_ONLY' as const } : {}) }
  if (state === 'DISPUTED') await core.call('mockSet', passthroughMock('DISPUTE_OPENED'))
  const id = await startBlik(core, wanted)
  await WAYS[state](core, id)
  return id
}

/** Current lifecycle state of a payment. */
export const stateOf = async (core: SimulatorCore, id: string): Promise<State> =>
  (await core.status(id)).body.lifecycle.state
