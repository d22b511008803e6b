import sql from 'sql-template-tag'
import type { Mandate } from '../../payments/mandate.ts'
import { type MandateRow, toMandate } from '../row-mapping.ts'
import type { Store } from '../store.ts'
import type { MandateQuery } from '../unit-of-work.ts'
import type { Db } from './pool.ts'

/** Inserts a mandate into PostgreSQL. */
export const insertMandate = (db: Db, mandate: Mandate): Promise<unknown>[] => [
  db.run(sql`
    INSERT INTO mandates (payment_token, organization_id, account_id, payer_id, provider_id, created_at, expires_at,
      revoked_at, phone_id)
    VALUES (${mandate.paymentToken}, ${mandate.organizationId}, ${mandate.processingAccountId}, ${mandate.payerId},
      ${mandate.providerId}, ${mandate.createdAt}, ${mandate.expiresAt}, ${mandate.revokedAt ?? null},
      ${mandate.phoneId ?? null})`),
]

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

/** Creates the PostgreSQL store of mandates. */
export const createMandateStore = (db: Db): Pick<Store, 'mandates' | 'mandatesOfPhone' | 'revokeMandate'> => ({
  mandates: async (organizationId, limit) =>
    (
      await db.rows<MandateRow>(sql`
        SELECT * FROM mandates WHERE organization_id = ${organizationId} ORDER BY mandate_id DESC LIMIT ${limit}`)
    ).map(toMandate),
  mandatesOfPhone: async (organizationId, phoneId) =>
    (
      await db.rows<MandateRow>(sql`
        SELECT * FROM mandates WHERE phone_id = ${phoneId} AND organization_id = ${organizationId}
        ORDER BY mandate_id DESC`)
    ).map(toMandate),
  revokeMandate: async (organizationId, paymentToken, at) => {
    const [row] = await db.rows<MandateRow>(sql`
      UPDATE mandates SET revoked_at = LEAST(revoked_at, ${at}::bigint)
      WHERE organization_id = ${organizationId} AND payment_token = ${paymentToken} RETURNING *`)
    return row && toMandate(row)
  },
})
