import type { AlgorithmName } from '../../../contracts/protocol/algorithms.ts'
import type { DeadlineName } from '../../payments/deadlines.ts'
import type { BlikCode } from '../../providers/provider.ts'
import type { Job, Organization, SigningKeyRecord } from '../port.ts'

export type RecordRow = { record: string }
export type RememberedRow = { fingerprint: string; http: number; body: string }
export type CodeRow = { code_id: string; code: string; expires_at: number; transaction_id: string | null }
export type JobRow = {
  job_id: number
  due_at: number
  name: string
  transaction_id: string
  movement_id: string | null
}
export type OrganizationRow = { organization_id: string; account_ids: string; clock_offset: number; kit: string }
export type KeyRow = {
  key_id: string
  organization_id: string
  algorithm: string
  public_key: string
  expires_at: number
}

export const codeOf = (row: CodeRow): BlikCode => ({
  codeId: row.code_id,
  code: row.code,
  expiresAt: row.expires_at,
  ...(row.transaction_id === null ? {} : { transactionId: row.transaction_id }),
})

export const jobOf = (row: JobRow): Job => ({
  jobId: row.job_id,
  name: row.name as DeadlineName,
  dueAt: row.due_at,
  transactionId: row.transaction_id,
  ...(row.movement_id === null ? {} : { movementId: row.movement_id }),
})

export const organizationOf = (row: OrganizationRow): Organization => ({
  organizationId: row.organization_id,
  accountIds: JSON.parse(row.account_ids) as string[],
  clockOffset: row.clock_offset,
  kit: row.kit,
})

export const keyOf = (row: KeyRow): SigningKeyRecord => ({
  keyId: row.key_id,
  organizationId: row.organization_id,
  algorithm: row.algorithm as AlgorithmName,
  publicKey: row.public_key,
  expiresAt: row.expires_at,
})
