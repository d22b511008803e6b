import sql from 'sql-template-tag'
import type { Phone } from '../../providers/blik-banks.ts'
import type { Store } from '../port.ts'
import { type CodeRow, codeOf } from '../rows.ts'
import type { Db } from './open.ts'

type PhoneRow = { phone_id: string; bank: Phone['bankId'] }

/** Shoppers' phones, and the codes that they show. */
export const phonesPort = (
  db: Db,
): Pick<Store, 'addPhone' | 'phone' | 'addBlikCode' | 'liveBlikCode' | 'blikCodeById'> => ({
  addPhone: async (organizationId, { phoneId, bankId }) =>
    void (await db.run(
      sql`INSERT INTO phones (phone_id, organization_id, bank) VALUES (${phoneId}, ${organizationId}, ${bankId})`,
    )),
  phone: async (organizationId, phoneId) => {
    const [row] = await db.rows<PhoneRow>(sql`
      SELECT phone_id, bank FROM phones WHERE phone_id = ${phoneId} AND organization_id = ${organizationId}`)
    return row && { phoneId: row.phone_id, bankId: row.bank }
  },
  addBlikCode: async (organizationId, { codeId, code, expiresAt, recurring, phoneId = null }) =>
    void (await db.run(sql`
      INSERT INTO blik_codes (code_id, organization_id, code, expires_at, recurring, phone_id)
      VALUES (${codeId}, ${organizationId}, ${code}, ${expiresAt}, ${recurring === false ? 0 : 1}, ${phoneId})`)),
  liveBlikCode: async (organizationId, code, now) => {
    const [row] = await db.rows<CodeRow>(sql`
      SELECT * FROM blik_codes WHERE organization_id = ${organizationId} AND code = ${code} AND expires_at > ${now}`)
    return row && codeOf(row)
  },
  blikCodeById: async (organizationId, codeId) => {
    const [row] = await db.rows<CodeRow>(sql`
      SELECT * FROM blik_codes WHERE code_id = ${codeId} AND organization_id = ${organizationId}`)
    return row && codeOf(row)
  },
})
