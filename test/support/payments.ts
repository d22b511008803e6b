import { DAY } from '../../simulator/duration.ts'
import type { State } from '../../simulator/payments/lifecycle.ts'
import type { Payment } from '../../simulator/payments/payment.ts'
import { ACCOUNT, type Core } from './core.ts'

export const BLIK = { currency: 'PLN', country: 'PL', description: 'Two jars of honey' }
export const IRIS = { currency: 'EUR', country: 'GR', description: 'One lamp' }

/** Who is kept for later payments. */
export const PAYER = 'payer-1'

type Wanted = { amount?: number; autoCapture?: boolean; transactionType?: Payment['transactionType'] }

/** A request to initiate a BLIK payment (2.1) with a code of the phone. */
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

/** A request to charge a mandate (2.5): by the payer unless told otherwise. */
export const chargeRequest = (payerDetails: object = { payerId: PAYER }, { amount = 1000, ...more }: Wanted = {}) => ({
  processingAccountId: ACCOUNT,
  clientTransactionId: 'order-2',
  transactionType: 'RECURRING' as const,
  paymentDetails: { amount, ...BLIK, ...more },
  providerDetails: { providerId: 'BLIK' as const },
  payerDetails,
})

/** A request to initiate an IRIS payment (2.1). */
export const irisRequest = ({ amount = 1000, ...more }: Wanted = {}) => ({
  processingAccountId: ACCOUNT,
  clientTransactionId: 'order-1',
  transactionType: 'ONE_TIME' as const,
  returnUrl: 'https://shop.example/back',
  paymentDetails: { amount, ...IRIS, ...more },
  providerDetails: { providerId: 'IRIS' as const },
  payerDetails: { payerId: 'shopper-1' },
})

/** What the calls on a payment send (D-47). */
export const act = (transactionId: string, amount?: number) => ({
  processingAccountId: ACCOUNT,
  clientTransactionId: 'act-1',
  transactionId,
  paymentDetails: { ...(amount === undefined ? {} : { amount }), description: 'As agreed' },
})

/** Starts a BLIK payment with a fresh code and tells its id. */
export const startBlik = async (core: Core, wanted: Wanted = {}): Promise<string> =>
  (await core.call('initiate', blikRequest(await core.code(), wanted))).body.transactionId

/** Starts an IRIS payment and tells its id. */
export const startIris = async (core: Core, wanted: Wanted = {}): Promise<string> =>
  (await core.call('initiate', irisRequest(wanted))).body.transactionId

/** Starts a BLIK payment, lets the shopper approve and finalizes. */
export const authorizeBlik = async (core: Core, wanted: Wanted = { autoCapture: false }): Promise<string> => {
  const id = await startBlik(core, wanted)
  await core.decide(id, 'approve')
  await core.call('finalize', act(id))
  return id
}

/** Arranges a named outcome for the next payments of the payer of these requests, and of their reference (2.7). */
export const arranged = (scenario: string, more: object = {}) => ({
  processingAccountId: ACCOUNT,
  key: { type: 'CLIENT_TRANSACTION_ID', value: 'order-1' },
  type: 'PASSTHROUGH',
  scenario,
  ...more,
})

/** The shortest way into every state: what follows a started BLIK payment of 1000 without autoCapture. */
const WAYS: Readonly<Record<State, (core: Core, id: string) => unknown>> = {
  AWAITING_SHOPPER: () => undefined,
  AUTHENTICATED: (core, id) => core.decide(id, 'approve'),
  AUTHORIZED: (core, id) => through(core, id, 'AUTHENTICATED', () => core.call('finalize', act(id))),
  PARTIALLY_CAPTURED: (core, id) => through(core, id, 'AUTHORIZED', () => core.call('capture', act(id, 400))),
  CAPTURED: (core, id) => through(core, id, 'AUTHORIZED', () => core.call('capture', act(id))),
  SETTLED: (core, id) => through(core, id, 'CAPTURED', () => core.pass(2_000)),
  DISPUTED: (core, id) => through(core, id, 'SETTLED', () => core.pass(30 * DAY)),
  PARTIALLY_REFUNDED: (core, id) => through(core, id, 'SETTLED', () => core.call('refund', act(id, 300))),
  REFUNDED: (core, id) => through(core, id, 'SETTLED', () => core.call('refund', act(id))),
  TOKENIZED: (core, id) => through(core, id, 'AUTHENTICATED', () => core.call('finalize', act(id))),
  DECLINED: (core, id) => core.decide(id, 'decline'),
  CANCELED: (core, id) => through(core, id, 'AUTHORIZED', () => core.call('cancel', act(id))),
  EXPIRED: (core, id) => through(core, id, 'AUTHORIZED', () => core.pass(7 * DAY)),
}

const through = async (core: Core, id: string, state: State, then: () => unknown): Promise<void> => {
  await WAYS[state](core, id)
  await then()
}

/** A BLIK payment of 1000, authorized without autoCapture where it gets that far, or kept only, in the state that is wanted. */
export const paymentIn = async (core: Core, state: State): Promise<string> => {
  const wanted = { autoCapture: false, ...(state === 'TOKENIZED' ? { transactionType: 'TOKEN_ONLY' as const } : {}) }
  if (state === 'DISPUTED') await core.call('mockSet', arranged('DISPUTE_OPENED'))
  const id = await startBlik(core, wanted)
  await WAYS[state](core, id)
  return id
}

/** The state in which a payment is now. */
export const stateOf = async (core: Core, id: string): Promise<State> => (await core.status(id)).body.lifecycle.state
