import type { ProviderOperation } from '../../../contracts/operations.ts'
import type { Payment } from '../../../simulator/payments/payment.ts'
import { mutatePaymentFor } from './grid-mutations-besides-layers.ts'
import { searchLoses } from './kinds-of-payment-mutants.ts'
import { asIf, isCharge } from './lifecycle-mutants.ts'
import { type Mutant, gridMutant as mutant } from './mutant.ts'

type State = Payment['state']
type Meant = (payment: Payment) => boolean

const isIn =
  (...states: State[]): Meant =>
  ({ state }) =>
    states.includes(state)
const chargeIn =
  (state: State): Meant =>
  payment =>
    isCharge(payment) && payment.state === state && payment.transactionType === 'RECURRING'
const irisIn =
  (state: State): Meant =>
  payment =>
    payment.providerId === 'IRIS' && payment.state === state

/** An act takes a payment for one that is authorized and not captured. */
const asAuthorized = (act: ProviderOperation, isMeant: Meant) =>
  asIf(act, isMeant, { state: 'AUTHORIZED', captured: 0, captures: [], refunded: 0, refunds: [] })

/** A refund takes a payment for one that has settled as a whole. */
const asSettled = (isMeant: Meant) =>
  mutatePaymentFor('refund', payment =>
    isMeant(payment) ? { ...payment, state: 'SETTLED', captured: payment.amount, settled: payment.amount } : undefined,
  )

/** Mutants of the grid rows of further states, and of searches in each state, tried against the grids alone. */
// biome-ignore format: a table reads by its columns
export const FURTHER_STATES_MUTANTS: readonly Mutant[] = [
  mutant('captures a consent that is not finalized',         ['GRD-71'], asAuthorized('capture', isIn('AUTHENTICATED'))),
  mutant('refunds a consent that is not finalized',          ['GRD-71'], asSettled(isIn('AUTHENTICATED'))),
  mutant('refunds a part that has not settled',              ['GRD-72'], asSettled(payment => payment.state === 'PARTIALLY_CAPTURED' && payment.settled === 0)),
  mutant('voids what is captured in part',                   ['GRD-72'], asAuthorized('cancel', isIn('PARTIALLY_CAPTURED'))),
  mutant('captures what is refunded in part',                ['GRD-73'], asAuthorized('capture', isIn('PARTIALLY_REFUNDED'))),
  mutant('voids what is refunded in part',                   ['GRD-73'], asAuthorized('cancel', isIn('PARTIALLY_REFUNDED'))),
  mutant('refunds a payment that asked for a token',         ['GRD-74'], asSettled(isIn('TOKENIZED'))),
  mutant('captures a captured charge again',                 ['GRD-75'], asAuthorized('capture', chargeIn('CAPTURED'))),
  mutant('voids a captured charge',                          ['GRD-75'], asAuthorized('cancel', chargeIn('CAPTURED'))),
  mutant('refunds a charge before it has settled',           ['GRD-75'], asSettled(chargeIn('CAPTURED'))),
  mutant('captures a captured payment of IRIS again',        ['GRD-76'], asAuthorized('capture', irisIn('CAPTURED'))),
  mutant('voids a captured payment of IRIS',                 ['GRD-76'], asAuthorized('cancel', irisIn('CAPTURED'))),
  mutant('refunds a payment of IRIS before it has settled',  ['GRD-76'], asSettled(irisIn('CAPTURED'))),
  mutant('finalizes a captured payment of IRIS again',       ['GRD-76'], asIf('finalize', irisIn('CAPTURED'), { state: 'AUTHENTICATED' })),
  mutant('refunds a charge that is authorized',              ['GRD-77'], asSettled(chargeIn('AUTHORIZED'))),
  mutant('captures a charge after its cancel',               ['GRD-35'], asAuthorized('capture', chargeIn('CANCELED'))),
  mutant('finds no declined payment by a search',            ['GRD-78'], searchLoses(isIn('DECLINED'))),
  mutant('finds no lapsed payment by a search',              ['GRD-78'], searchLoses(isIn('EXPIRED'))),
  mutant('finds no canceled payment by a search',            ['GRD-78'], searchLoses(isIn('CANCELED'))),
  mutant('finds no payment that is not finalized by a search', ['GRD-78'], searchLoses(isIn('AUTHENTICATED'))),
  mutant('finds no payment that made a token by a search',   ['GRD-78'], searchLoses(isIn('TOKENIZED'))),
  mutant('finds no payment that is captured in part by a search', ['GRD-78'], searchLoses(isIn('PARTIALLY_CAPTURED'))),
  mutant('finds no payment that is refunded in part by a search', ['GRD-78'], searchLoses(isIn('PARTIALLY_REFUNDED'))),
]
