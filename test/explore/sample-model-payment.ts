import type { Payment } from '../../contracts/model/model-state.ts'

/** A payment of the model for tests: 10.00 held by BLIK, of which nothing is captured. */
export const HELD_PAYMENT: Payment = {
  ...{ owner: 'first', account: 'a', reference: 'r', beganBy: 'initiate', method: 'BLIK', type: 'ONE_TIME' },
  ...{ amount: 1000, autoCapture: false, phase: 'held', captures: [], refunds: [] },
  ...{ released: false, faults: {}, changed: false },
}
