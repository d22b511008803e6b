import type { Change, Deadline, Payment } from '../../simulator/payments/payment.ts'
import type { Loaded, Needs, NewOrganization, Save, Store } from '../../simulator/store/port.ts'

/** An organization with one certificate and one key, all named after it. */
export const organization = (organizationId: string): NewOrganization => ({
  organizationId,
  accountIds: [`${organizationId}-1`, `${organizationId}-2`],
  clockOffset: 0,
  kit: `{"of":"${organizationId}"}`,
  certificates: [{ fingerprint: `${organizationId}:AA`, organizationId, pem: 'PEM' }],
  signingKeys: [
    { keyId: `${organizationId}-key`, organizationId, algorithm: 'ECDSA_SHA_384', publicKey: 'PEM', expiresAt: 77 },
  ],
})

/** A payment that awaits its shopper. */
export const payment = (transactionId: string, more: Partial<Payment> = {}): Payment => ({
  transactionId,
  organizationId: 'shop',
  processingAccountId: 'shop-1',
  clientTransactionId: 'order',
  transactionType: 'ONE_TIME',
  providerId: 'BLIK',
  provider: { providerTransactionId: 'p', registeredAt: 1, expiresAt: 2 },
  amount: 1000,
  currency: 'PLN',
  country: 'PL',
  description: 'Zażółć “gęślą” 🦆',
  autoCapture: true,
  state: 'AWAITING_SHOPPER',
  statusInfo: { reasonCode: '-1', message: '' },
  captured: 0,
  settled: 0,
  refunded: 0,
  captures: [],
  refunds: [],
  createdAt: 1,
  ...more,
})

/** A change to a payment that one event tells of. */
export const change = (changed: Payment, deadlines: readonly Deadline[] = [], type = 'payment.initiated'): Change => ({
  payment: changed,
  events: [{ type, at: 1, state: changed.state, statusInfo: changed.statusInfo }],
  deadlines,
})

/** What a unit of work sees. */
export const look = (store: Store, needs: Needs, organizationId = 'shop', now = 0): Promise<Loaded> =>
  store.perform({ organizationId, now, needs, decide: loaded => ({ result: loaded }) })

/** Saves in a unit of work that asks for nothing. */
export const save = (store: Store, saved: Save, organizationId = 'shop'): Promise<void> =>
  store.perform({ organizationId, now: 0, needs: {}, decide: () => ({ result: undefined, save: saved }) })
