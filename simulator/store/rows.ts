import type { AlgorithmName } from '../../contracts/protocol/algorithms.ts'
import type { CapabilityOverrides } from '../payments/capabilities.ts'
import type { DeadlineName } from '../payments/deadlines.ts'
import { STATES } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'
import type { BlikCode } from '../providers/provider.ts'
import type { CertificateRecord, Coming, Job, LateCall, Organization, SigningKeyRecord } from './port.ts'

export type RecordRow = { record: string }
/** The columns that payments are searched by, beside the record. */
export type PaymentRow = ReturnType<typeof paymentRowOf>
export type RememberedRow = { fingerprint: string; http: number; body: string }
export type CodeRow = {
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
  movement_id: string | null
} & ({ call_key: null } | LateCallRow)
export type OrganizationRow = {
  organization_id: string
  account_ids: string
  clock_anchor_real: number
  clock_anchor_virtual: number
  clock_rate: number
  kit: string
  capabilities: string
}
export type KeyRow = {
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

export const paymentRowOf = (payment: Payment) => ({
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

export const codeOf = (row: CodeRow): BlikCode => ({
  codeId: row.code_id,
  code: row.code,
  expiresAt: row.expires_at,
  ...(row.recurring ? {} : { recurring: false }),
  ...(row.transaction_id === null ? {} : { transactionId: row.transaction_id }),
  ...(row.phone_id === null ? {} : { phoneId: row.phone_id }),
})

export const jobOf = (row: JobRow): Job => {
  const { job_id: jobId, due_at: dueAt } = row
  if (row.call_key !== null) return { jobId, name: 'late-answer', dueAt, late: lateCallOf(row) }
  return {
    jobId,
    name: row.name as DeadlineName,
    dueAt,
    transactionId: row.transaction_id,
    ...(row.movement_id === null ? {} : { movementId: row.movement_id }),
  }
}

export const organizationOf = (row: OrganizationRow): Organization => ({
  organizationId: row.organization_id,
  accountIds: JSON.parse(row.account_ids) as string[],
  clock: { anchorReal: row.clock_anchor_real, anchorVirtual: row.clock_anchor_virtual, rate: row.clock_rate },
  kit: row.kit,
  capabilities: JSON.parse(row.capabilities) as CapabilityOverrides,
})

export const keyOf = (row: KeyRow): SigningKeyRecord => ({
  keyId: row.key_id,
  organizationId: row.organization_id,
  algorithm: row.algorithm as AlgorithmName,
  publicKey: row.public_key,
  registeredAt: row.registered_at,
  expiresAt: row.expires_at,
  ...(row.deregistered_at === null ? {} : { deregisteredAt: row.deregistered_at }),
})

export const certificateOf = (row: CertificateRow): CertificateRecord => ({
  fingerprint: row.fingerprint,
  organizationId: row.organization_id,
  pem: row.pem,
  publicKey: row.public_key,
  registeredAt: row.registered_at,
  ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
})

export type LateCallRow = {
  call_key: string
  fingerprint: string
  transaction_id: string | null
  due_at: number
  call: string
}

export const lateCallOf = (row: LateCallRow): LateCall => ({
  key: row.call_key,
  fingerprint: row.fingerprint,
  transactionId: row.transaction_id ?? undefined,
  dueAt: row.due_at,
  call: row.call,
})

export type ComingRow = { at: number; name: string; transaction_id: string | null; delivery_id: string | null }

export const comingOf = ({ at, name, transaction_id, delivery_id }: ComingRow): Coming => ({
  at,
  name,
  ...(transaction_id ? { transactionId: transaction_id } : {}),
  ...(delivery_id === null ? {} : { deliveryId: delivery_id }),
})
