import type { ProviderOperation } from '../../contracts/operations.ts'
import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { AlgorithmName } from '../../contracts/protocol/signature-algorithms.ts'
import type { CapabilityOverrides } from '../payments/capability-check.ts'
import type { DeadlineName } from '../payments/deadline-kinds.ts'
import { STATES } from '../payments/lifecycle.ts'
import type { Mandate } from '../payments/mandate.ts'
import type { Payment } from '../payments/payment.ts'
import type { Fault } from '../providers/fault-kinds.ts'
import type { BlikCode } from '../providers/issued-blik-code.ts'
import type { Mock } from '../providers/provider-mock.ts'
import type { CertificateRecord, SigningKeyRecord } from './certificate-and-key-store.ts'
import type { Organization } from './organization-store.ts'
import type { FoundId } from './payment-count-and-id-search-store.ts'
import type { ScheduledItem } from './schedule-store.ts'
import type { IdempotentReply, Job, LateCall, Reply } from './unit-of-work.ts'

/** Row of a store table of which only the column with the JSON record is read. */
export type RecordRow = { record: string }
/** Row of the store table `payments`: the columns for searches, and the record. */
export type PaymentRow = ReturnType<typeof toPaymentRow>
export type IdempotencyKeyRow = { request_fingerprint: string; response_status: number; response_body: string }
export const toIdempotentReply = (row: IdempotencyKeyRow): IdempotentReply => ({
  fingerprint: row.request_fingerprint,
  reply: row.response_body === NO_RESPONSE.body ? undefined : { http: row.response_status, body: row.response_body },
})
/**
 * Response in the row of a key whose request is to be carried out anew. A replica of an older version sends it, and a
 * client repeats a call after a 500.
 */
export const NO_RESPONSE: Reply = { http: 500, body: '' }

export type BlikCodeRow = {
  code_id: string
  code: string
  expires_at: number
  recurring: number
  transaction_id: string | null
  phone_id: string | null
}
export type JobRow = {
  job_id: number
  due_at: number
  name: string
  transaction_id: string
  capture_or_refund_id: string | null
} & ({ late_call_key: null } | LateCallRow)
export type OrganizationRow = {
  organization_id: string
  account_ids: string
  clock_anchor_real: number
  clock_anchor_virtual: number
  clock_rate: number
  kit: string
  capabilities: string
  dialect: string | null
  tokens: string | null
  control_tokens: string | null
}
export type SigningKeyRow = {
  key_id: string
  organization_id: string
  algorithm: string
  public_key: string
  registered_at: number
  expires_at: number
  deregistered_at: number | null
}
export type CertificateRow = {
  fingerprint: string
  organization_id: string
  pem: string
  public_key: string
  registered_at: number
  revoked_at: number | null
}

export const toPaymentRow = (payment: Payment) => ({
  transactionId: payment.transactionId,
  organizationId: payment.organizationId,
  processingAccountId: payment.processingAccountId,
  clientTransactionId: payment.clientTransactionId,
  payerId: payment.payerId ?? null,
  providerId: payment.providerId,
  status: STATES[payment.state].status,
  amount: payment.amount ?? null,
  createdAt: payment.createdAt,
  redirectId: payment.provider.redirectId ?? null,
  record: JSON.stringify(payment),
})

export const toBlikCode = (row: BlikCodeRow): BlikCode => ({
  codeId: row.code_id,
  code: row.code,
  expiresAt: row.expires_at,
  ...(row.recurring ? {} : { recurring: false }),
  ...(row.transaction_id === null ? {} : { transactionId: row.transaction_id }),
  ...(row.phone_id === null ? {} : { phoneId: row.phone_id }),
})

export const toJob = (row: JobRow): Job => {
  const { job_id: jobId, due_at: dueAt } = row
  if (row.late_call_key !== null) return { jobId, name: 'late-answer', dueAt, lateCall: toLateCall(row) }
  return {
    jobId,
    name: row.name as DeadlineName,
    dueAt,
    transactionId: row.transaction_id,
    ...(row.capture_or_refund_id === null ? {} : { captureOrRefundId: row.capture_or_refund_id }),
  }
}

export const toOrganization = (row: OrganizationRow): Organization => ({
  organizationId: row.organization_id,
  accountIds: JSON.parse(row.account_ids) as string[],
  clock: { anchorReal: row.clock_anchor_real, anchorVirtual: row.clock_anchor_virtual, rate: row.clock_rate },
  kit: row.kit,
  capabilities: JSON.parse(row.capabilities) as CapabilityOverrides,
  ...(row.dialect === null ? {} : { dialect: row.dialect }),
  ...(row.tokens === null ? {} : { tokens: row.tokens }),
  ...(row.control_tokens === null ? {} : { controlTokens: row.control_tokens }),
})

export const toSigningKey = (row: SigningKeyRow): SigningKeyRecord => ({
  keyId: row.key_id,
  organizationId: row.organization_id,
  algorithm: row.algorithm as AlgorithmName,
  publicKey: row.public_key,
  registeredAt: row.registered_at,
  expiresAt: row.expires_at,
  ...(row.deregistered_at === null ? {} : { deregisteredAt: row.deregistered_at }),
})

export const toCertificate = (row: CertificateRow): CertificateRecord => ({
  fingerprint: row.fingerprint,
  organizationId: row.organization_id,
  pem: row.pem,
  publicKey: row.public_key,
  registeredAt: row.registered_at,
  ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
})

export type LateCallRow = {
  late_call_key: string
  late_call_fingerprint: string
  transaction_id: string | null
  due_at: number
  late_call: string
}

export const toLateCall = (row: LateCallRow): LateCall => ({
  key: row.late_call_key,
  fingerprint: row.late_call_fingerprint,
  transactionId: row.transaction_id ?? undefined,
  dueAt: row.due_at,
  call: row.late_call,
})

export type ScheduledItemRow = { at: number; name: string; transaction_id: string | null; delivery_id: string | null }

export const toScheduledItem = ({ at, name, transaction_id, delivery_id }: ScheduledItemRow): ScheduledItem => ({
  at,
  name,
  ...(transaction_id ? { transactionId: transaction_id } : {}),
  ...(delivery_id === null ? {} : { deliveryId: delivery_id }),
})

export type MandateRow = {
  payment_token: string
  organization_id: string
  account_id: string
  payer_id: string
  provider_id: string
  created_at: number
  expires_at: number
  revoked_at: number | null
  phone_id: string | null
  scenario: string | null
}

export const toMandate = (row: MandateRow): Mandate => ({
  paymentToken: row.payment_token,
  organizationId: row.organization_id,
  processingAccountId: row.account_id,
  payerId: row.payer_id,
  providerId: row.provider_id as ProviderId,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
  ...(row.phone_id === null ? {} : { phoneId: row.phone_id }),
  ...(row.scenario === null ? {} : { scenario: row.scenario }),
})

export const toMandateRow = (mandate: Mandate): MandateRow => ({
  payment_token: mandate.paymentToken,
  organization_id: mandate.organizationId,
  account_id: mandate.processingAccountId,
  payer_id: mandate.payerId,
  provider_id: mandate.providerId,
  created_at: mandate.createdAt,
  expires_at: mandate.expiresAt,
  revoked_at: mandate.revokedAt ?? null,
  phone_id: mandate.phoneId ?? null,
  scenario: mandate.scenario ?? null,
})

/**
 * Row of the store table `mocks`; `used_steps` are the steps for which a oneTime mock is used, each followed by a
 * space.
 */
export type MockRow = { mock_id: number; record: string; used_steps: string }

export const toMock = ({ record, used_steps }: MockRow): Mock => ({
  ...(JSON.parse(record) as Mock),
  ...(used_steps === '' ? {} : { used: used_steps.trimEnd().split(' ') as ProviderOperation[] }),
})

/** Converts a row of the store table `mocks` to a mock that may match a call, with the id by which its use is saved. */
export const toCandidateMock = (row: MockRow): Mock => ({ ...toMock(row), mockId: row.mock_id })

export type FaultRow = { fault_id: number; remaining_calls: number; record: string }

export const toFault = ({ fault_id, remaining_calls, record }: FaultRow): Fault => ({
  ...(JSON.parse(record) as Omit<Fault, 'faultId' | 'left'>),
  faultId: fault_id,
  left: remaining_calls,
})

export type FoundIdRow = {
  id: string
  kind: FoundId['kind']
  transaction_id: string | null
  client_transaction_id: string | null
}

export const toFoundId = ({ id, kind, transaction_id, client_transaction_id }: FoundIdRow): FoundId => ({
  kind,
  id,
  ...(transaction_id === null ? {} : { transactionId: transaction_id }),
  ...(client_transaction_id === null ? {} : { clientTransactionId: client_transaction_id }),
})
