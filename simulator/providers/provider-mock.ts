import type { ProviderOperation } from '../../contracts/operations.ts'
import type { StatusInfo } from '../payments/payment.ts'
import type { FaultKind } from './fault-kinds.ts'

/** Provider details with which a mock replaces those of the provider (2.7); times in epoch milliseconds. */
export type MockOverrides = {
  providerTransactionId?: string
  redirectUrl?: string
  registeredAt?: number
  expiresAt?: number
  qrCode?: string
}

/** Fault of a mock's step, triggered by the first `times` calls under each key (7.4). */
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

export const MOCK_KEY_TYPES = ['PAYER_ID', 'CLIENT_TRANSACTION_ID'] as const
export const MOCK_TYPES = ['MOCK', 'PASSTHROUGH'] as const

/** A mock as set by /mock/set (2.7); times in epoch milliseconds on the organization's clock. */
export type Mock = {
  processingAccountId: string
  key: { type: (typeof MOCK_KEY_TYPES)[number]; value: string }
  type: (typeof MOCK_TYPES)[number]
  scenario?: string
  /** Whether each step applies to one call only, instead of for 24 hours. */
  oneTime: boolean
  steps: Partial<Record<ProviderOperation, MockStep>>
  /** Provider details for the steps that have none of their own. */
  data?: MockOverrides
  setAt: number
  expiresAt: number
  /** Assigned by the store. */
  mockId?: number
  /** Steps of a oneTime mock that have been used. */
  used?: readonly ProviderOperation[]
}
