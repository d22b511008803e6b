import type { StatusInfo } from '../payments/payment.ts'
import type { ProviderCall } from './faults.ts'

/** What a mocked step answers in place of the provider's own (2.7). Times are epoch milliseconds. */
export type MockOverrides = {
  providerTransactionId?: string
  redirectUrl?: string
  registeredAt?: number
  expiresAt?: number
  qrCode?: string
}

export type MockStep = { status?: string; statusInfo?: StatusInfo; providerDetails?: MockOverrides }

/** A mock as it was set (2.7): kept until `expiresAt`, on the organization's clock. */
export type Mock = {
  processingAccountId: string
  key: { type: 'PAYER_ID' | 'CLIENT_TRANSACTION_ID'; value: string }
  type: 'MOCK' | 'PASSTHROUGH'
  scenario?: string
  /** Used up by one call of each step; otherwise it lasts 24 hours. */
  oneTime: boolean
  steps: Partial<Record<ProviderCall, MockStep>>
  /** For the steps that have no overrides of their own. */
  data?: MockOverrides
  setAt: number
  expiresAt: number
}
