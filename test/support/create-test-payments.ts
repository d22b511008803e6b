import type { State } from '../../simulator/payments/lifecycle.ts'
import { DAY } from '../../simulator/support/duration.ts'
import { actionRequest, blikRequest, irisRequest, passthroughMock, type Wanted } from './payment-requests.ts'
import type { SimulatorCore } from './simulator-core.ts'

/** Initiates a BLIK payment with a new code for a test; returns its id. */
export const startBlik = async (core: SimulatorCore, wanted: Wanted = {}): Promise<string> =>
  (await core.call('initiate', blikRequest(await core.code(), wanted))).body.transactionId

/** Initiates an IRIS payment for a test; returns its id. */
export const startIris = async (core: SimulatorCore, wanted: Wanted = {}): Promise<string> =>
  (await core.call('initiate', irisRequest(wanted))).body.transactionId

/** Initiates a BLIK payment for a test, approves it as the shopper and finalizes it; returns its id. */
export const authorizeBlik = async (core: SimulatorCore, wanted: Wanted = { autoCapture: false }): Promise<string> => {
  const id = await startBlik(core, wanted)
  await core.decide(id, 'approve')
  await core.call('finalize', actionRequest(id))
  return id
}

/** Steps that lead a BLIK payment of 1000 without autoCapture into each state. */
const STEPS_TO_STATE: Readonly<Record<State, (core: SimulatorCore, id: string) => unknown>> = {
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
  await STEPS_TO_STATE[state](core, id)
  await then()
}

/**
 * Creates a BLIK payment of 1000 for a test without autoCapture (TOKEN_ONLY for TOKENIZED) in a state; returns its id.
 */
export const createPaymentIn = async (core: SimulatorCore, state: State): Promise<string> => {
  const wanted = { autoCapture: false, ...(state === 'TOKENIZED' ? { transactionType: 'TOKEN_ONLY' as const } : {}) }
  if (state === 'DISPUTED') await core.call('mockSet', passthroughMock('DISPUTE_OPENED'))
  const id = await startBlik(core, wanted)
  await STEPS_TO_STATE[state](core, id)
  return id
}

/** Reads the current lifecycle state of a test's payment. */
export const stateOf = async (core: SimulatorCore, id: string): Promise<State> =>
  (await core.status(id)).body.lifecycle.state
