import type { ProviderOperation } from '../../contracts/operations.ts'
import type { ProviderCode } from '../../contracts/protocol/provider-codes.ts'
import type { StatusInfo } from '../payments/payment.ts'
import type { FaultKind } from './fault-kinds.ts'

/** Provider details with which a mock overrides those of the provider (2.7); times in epoch milliseconds. */
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
  /** Code of its own with which the provider declines (7.5). */
  providerCode?: ProviderCode
}

/** Data of a mock, for every step: provider details, and a status for the steps that can have it. */
export type MockData = MockOverrides & Pick<MockStep, 'status' | 'statusInfo'>

/** Statuses that a step of each operation may have (2.7, D-80). */
export const MOCK_STEP_STATUSES: Readonly<Record<ProviderOperation, readonly string[]>> = {
  initiate: ['ACCEPTED', 'PENDING', 'DECLINED'],
  finalize: ['PENDING', 'APPROVED', 'DECLINED'],
  charge: ['APPROVED', 'DECLINED'],
  capture: ['APPROVED', 'DECLINED'],
  cancel: ['CANCELED', 'DECLINED'],
  refund: ['ACCEPTED', 'APPROVED', 'DECLINED'],
}

export const MOCK_KEY_TYPES = ['PAYER_ID', 'CLIENT_TRANSACTION_ID'] as const
export const MOCK_TYPES = ['MOCK', 'PASSTHROUGH'] as const

/** A mock as stored after /mock/set (2.7); times in epoch milliseconds on the organization's clock. */
export type Mock = {
  processingAccountId: string
  key: { type: (typeof MOCK_KEY_TYPES)[number]; value: string }
  type: (typeof MOCK_TYPES)[number]
  scenario?: string
  /** Whether each step applies to one call only, instead of for 24 hours. */
  oneTime: boolean
  steps: Partial<Record<ProviderOperation, MockStep>>
  /** What the steps return that do not say it themselves. */
  data?: MockData
  setAt: number
  expiresAt: number
  /** Assigned by the store. */
  mockId?: number
  /** Steps of a oneTime mock that have been used. */
  used?: readonly ProviderOperation[]
}
