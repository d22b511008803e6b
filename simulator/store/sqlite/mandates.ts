import type { Database } from 'better-sqlite3'
import type { Mandate } from '../../payments/mandate.ts'
import { INSERT_TARGETS } from '../inserted-rows.ts'
import { type MandateRow, toMandate, toMandateRow } from '../row-mapping.ts'
import type { MandateQuery } from '../unit-of-work.ts'
import { prepareInsertion } from './prepare-insertion.ts'

/** Opens the SQLite store of mandates; look-ups are limited to the organization and, for a charge, the account. */
export const openMandates = (database: Database) => {
  const add = prepareInsertion(database, INSERT_TARGETS.mandates)
  const byToken = database.prepare<[string, string, string, string], MandateRow>(`
    SELECT * FROM mandates WHERE organization_id = ? AND account_id = ? AND provider_id = ? AND payment_token = ?`)
  const newest = database.prepare<[string, string, string, string, number, number], MandateRow>(`
    SELECT * FROM mandates WHERE organization_id = ? AND account_id = ? AND provider_id = ? AND payer_id = ?
    AND (revoked_at IS NULL OR revoked_at > ?) AND expires_at > ? ORDER BY mandate_id DESC LIMIT 1`)

  return {
    insert: (mandate: Mandate): void => add(toMandateRow(mandate)),
    find: (organizationId: string, named: MandateQuery, now: number): Mandate | undefined => {
      const { processingAccountId: account, providerId = '', payerId = '', paymentToken } = named
      const row =
        paymentToken === undefined
          ? newest.get(organizationId, account, providerId, payerId, now, now)
          : byToken.get(organizationId, account, providerId, paymentToken)
      return row && toMandate(row)
    },
  }
}
