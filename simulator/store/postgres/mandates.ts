import sql from 'sql-template-tag'
import type { Mandate } from '../../payments/mandate.ts'
import { type MandateRow, toMandate } from '../row-mapping.ts'
import type { Db } from '../sql-statements.ts'
import type { MandateQuery } from '../unit-of-work.ts'

/** Finds a mandate in PostgreSQL by its token, or else the payer's newest that is valid now (D-63). */
export const findMandate = async (
  db: Db,
  organizationId: string,
  { processingAccountId, providerId = '' as never, payerId = '', paymentToken }: MandateQuery,
  now: number,
): Promise<Mandate | undefined> => {
  const isOfProvider = sql`organization_id = ${organizationId} AND account_id = ${processingAccountId} AND provider_id = ${providerId}`
  const [row] =
    paymentToken === undefined
      ? await db.rows<MandateRow>(sql`
          SELECT * FROM mandates WHERE ${isOfProvider} AND payer_id = ${payerId}
            AND (revoked_at IS NULL OR revoked_at > ${now}) AND expires_at > ${now}
          ORDER BY mandate_id DESC LIMIT 1`)
      : await db.rows<MandateRow>(sql`SELECT * FROM mandates WHERE ${isOfProvider} AND payment_token = ${paymentToken}`)
  return row && toMandate(row)
}
