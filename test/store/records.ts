import { REAL_TIME } from '../../simulator/clock.ts'
import type { Mandate } from '../../simulator/payments/mandate.ts'
import type { Change, Deadline, Payment, Posting } from '../../simulator/payments/payment.ts'
import type {
  CertificateRecord,
  Loaded,
  Needs,
  NewOrganization,
  Save,
  SigningKeyRecord,
  Store,
} from '../../simulator/store/port.ts'

export const certificate = (more: Partial<CertificateRecord> = {}): CertificateRecord => ({
  fingerprint: 'AA',
  organizationId: 'shop',
  pem: 'PEM',
  publicKey: 'key of a certificate',
  registeredAt: 11,
  ...more,
})

export const signingKey = (more: Partial<SigningKeyRecord> = {}): SigningKeyRecord => ({
  keyId: 'key',
  organizationId: 'shop',
  algorithm: 'ECDSA_SHA_384',
  publicKey: 'key that signs',
  registeredAt: 7,
  expiresAt: 77,
  ...more,
})

/** An organization with one certificate and one key, all named after it. */
export const organization = (organizationId: string): NewOrganization => ({
  organizationId,
  accountIds: [`${organizationId}-1`, `${organizationId}-2`],
  clock: REAL_TIME,
  kit: `{"of":"${organizationId}"}`,
  certificates: [certificate({ fingerprint: `${organizationId}:AA`, organizationId })],
  signingKeys: [signingKey({ keyId: `${organizationId}-key`, organizationId })],
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

/** A mandate of the shop's payer on its first account. */
export const mandate = (paymentToken: string): Mandate => ({
  paymentToken,
  organizationId: 'shop',
  processingAccountId: 'shop-1',
  payerId: 'payer',
  providerId: 'BLIK',
  createdAt: 1,
  expiresAt: 30,
})

/** A change to a payment that one event tells of. */
export const change = (
  changed: Payment,
  deadlines: readonly Deadline[] = [],
  type = 'payment.initiated',
  postings: readonly Posting[] = [],
): Change => ({
  payment: changed,
  events: [{ type, cause: 'initiate', at: 1, state: changed.state, statusInfo: changed.statusInfo }],
  deadlines,
  postings,
})

/** What a unit of work sees. */
export const look = (store: Store, needs: Needs, organizationId = 'shop', now = 0): Promise<Loaded> =>
  store.perform({ organizationId, now, needs, decide: loaded => ({ result: loaded }) })

/** Saves in a unit of work that asks for nothing. */
export const save = (store: Store, saved: Save, organizationId = 'shop'): Promise<void> =>
  store.perform({ organizationId, now: 0, needs: {}, decide: () => ({ result: undefined, save: saved }) })
