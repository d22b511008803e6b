import type { Mandate } from '../../simulator/payments/mandate.ts'
import type { Deadline, LedgerEntry, Payment, PaymentChange } from '../../simulator/payments/payment.ts'
import type { CertificateRecord, SigningKeyRecord } from '../../simulator/store/certificate-and-key-store.ts'
import type { NewOrganization } from '../../simulator/store/organization-store.ts'
import { REAL_TIME_SETTING } from '../../simulator/support/clock.ts'

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

/**
 * Returns a sample record of an organization for store tests, with one certificate and one signing key, named after it.
 */
export const organization = (organizationId: string): NewOrganization => ({
  organizationId,
  accountIds: [`${organizationId}-1`, `${organizationId}-2`],
  clock: REAL_TIME_SETTING,
  kit: `{"of":"${organizationId}"}`,
  certificates: [certificate({ fingerprint: `${organizationId}:AA`, organizationId })],
  signingKeys: [signingKey({ keyId: `${organizationId}-key`, organizationId })],
})

/** Returns a sample record of a payment for store tests, which awaits its shopper. */
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

/** Returns a sample record of a mandate for store tests, of the shop's payer on its first account. */
export const mandate = (paymentToken: string): Mandate => ({
  paymentToken,
  organizationId: 'shop',
  processingAccountId: 'shop-1',
  payerId: 'payer',
  providerId: 'BLIK',
  createdAt: 1,
  expiresAt: 30,
})

/** Returns a sample change of a payment with one event, for store tests. */
export const change = (
  changed: Payment,
  deadlines: readonly Deadline[] = [],
  type = 'payment.initiated',
  ledgerEntries: readonly LedgerEntry[] = [],
): PaymentChange => ({
  payment: changed,
  events: [{ type, cause: 'initiate', at: 1, state: changed.state, statusInfo: changed.statusInfo }],
  deadlines,
  ledgerEntries,
})
