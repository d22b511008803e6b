import type { StatusInfo } from '../payments/payment.ts'
import type { FaultKind, ProviderCall } from './faults.ts'

/** What a mocked step answers in place of the provider's own (2.7). Times are epoch milliseconds. */
export type MockOverrides = {
  providerTransactionId?: string
  redirectUrl?: string
  registeredAt?: number
  expiresAt?: number
  qrCode?: string
}

/** What goes wrong while a step is carried out; met by the first `times` calls under each key (7.4). */
export type StepFault = {
  kind: FaultKind
  done?: 'yes' | 'no' | 'late'
  /** Milliseconds. */
  after?: number
  times: number
}

export type MockStep = {
  status?: string
  statusInfo?: StatusInfo
  providerDetails?: MockOverrides
  fault?: StepFault
}

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
  /** Given by the store. */
  mockId?: number
  /** The steps that have used up a oneTime mock. */
  used?: readonly ProviderCall[]
}
