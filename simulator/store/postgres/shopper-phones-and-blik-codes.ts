import sql from 'sql-template-tag'
import type { Phone } from '../../providers/blik-banks.ts'
import { type BlikCodeRow, toBlikCode } from '../row-mapping.ts'
import type { Store } from '../store.ts'
import type { Db } from './pool.ts'

type PhoneRow = { phone_id: string; bank_id: Phone['bankId'] }

/** Creates the PostgreSQL store of shoppers' phones and BLIK codes. */
export const createShopperPhoneAndBlikCodeStore = (
  db: Db,
): Pick<
  Store,
  'addPhone' | 'phone' | 'phoneCount' | 'addBlikCode' | 'liveBlikCode' | 'blikCodeById' | 'blikCodesOfPhone'
> => ({
  addPhone: async (organizationId, { phoneId, bankId }) =>
    void (await db.run(
      sql`INSERT INTO phones (phone_id, organization_id, bank_id) VALUES (${phoneId}, ${organizationId}, ${bankId})`,
    )),
  phone: async (organizationId, phoneId) => {
    const [row] = await db.rows<PhoneRow>(sql`
      SELECT phone_id, bank_id FROM phones WHERE phone_id = ${phoneId} AND organization_id = ${organizationId}`)
    return row && { phoneId: row.phone_id, bankId: row.bank_id }
  },
  phoneCount: async organizationId => {
    const [row] = await db.rows<{ phones: string }>(sql`
      SELECT count(*) AS phones FROM phones WHERE organization_id = ${organizationId}`)
    return Number(row?.phones ?? 0)
  },
  addBlikCode: async (organizationId, { codeId, code, expiresAt, recurring, phoneId = null }) =>
    void (await db.run(sql`
      INSERT INTO blik_codes (code_id, organization_id, code, expires_at, recurring, phone_id)
      VALUES (${codeId}, ${organizationId}, ${code}, ${expiresAt}, ${recurring === false ? 0 : 1}, ${phoneId})`)),
  liveBlikCode: async (organizationId, code, now) => {
    const [row] = await db.rows<BlikCodeRow>(sql`
      SELECT * FROM blik_codes WHERE organization_id = ${organizationId} AND code = ${code} AND expires_at > ${now}`)
    return row && toBlikCode(row)
  },
  blikCodeById: async (organizationId, codeId) => {
    const [row] = await db.rows<BlikCodeRow>(sql`
      SELECT * FROM blik_codes WHERE code_id = ${codeId} AND organization_id = ${organizationId}`)
    return row && toBlikCode(row)
  },
  blikCodesOfPhone: async (organizationId, phoneId, limit) =>
    (
      await db.rows<BlikCodeRow>(sql`
        SELECT * FROM blik_codes WHERE phone_id = ${phoneId} AND organization_id = ${organizationId}
        ORDER BY expires_at DESC, code_id LIMIT ${limit}`)
    ).map(toBlikCode),
})
