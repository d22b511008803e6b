import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { Mandate } from '../payments/mandate.ts'
import type { Mock } from '../providers/mock.ts'

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
}

export const mandateOf = (row: MandateRow): Mandate => ({
  paymentToken: row.payment_token,
  organizationId: row.organization_id,
  processingAccountId: row.account_id,
  payerId: row.payer_id,
  providerId: row.provider_id as ProviderId,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
  ...(row.phone_id === null ? {} : { phoneId: row.phone_id }),
})

export type MockRow = { mock_id: number; record: string }

export const mockOf = ({ mock_id, record }: MockRow): Mock => ({ ...(JSON.parse(record) as Mock), mockId: mock_id })

/** How many mocks that a call was not meant for are loaded with it, so that the journal can tell why not. */
export const MOST_OTHERS = 10
