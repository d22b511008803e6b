import type { Phone } from '../providers/blik-banks.ts'
import { toBlikCode, toMandate } from './row-mapping.ts'
import { createSqlTags, type Db } from './sql-statements.ts'
import type { Store } from './store.ts'

type PhoneCodeAndMandateMethods = Pick<
  Store,
  | 'addPhone'
  | 'phone'
  | 'phoneCount'
  | 'addBlikCode'
  | 'liveBlikCode'
  | 'blikCodeById'
  | 'blikCodesOfPhone'
  | 'mandates'
  | 'mandatesOfPhone'
  | 'revokeMandate'
>

/** Creates the store of shoppers' phones, BLIK codes and mandates, over SQLite or PostgreSQL. */
export const createPhoneCodeAndMandateStore = (db: Db): PhoneCodeAndMandateMethods => {
  const { list, find, run } = createSqlTags(db)
  return {
    addPhone: (organizationId, { phoneId, bankId }) =>
      run`INSERT INTO phones (phone_id, organization_id, bank_id) VALUES (${phoneId}, ${organizationId}, ${bankId})`,
    phone: (organizationId, phoneId) =>
      find(toPhone)`SELECT * FROM phones WHERE phone_id = ${phoneId} AND organization_id = ${organizationId}`,
    phoneCount: async organizationId =>
      (await find(toCount)`SELECT count(*) AS count FROM phones WHERE organization_id = ${organizationId}`) ?? 0,
    addBlikCode: (organizationId, { codeId, code, expiresAt, recurring, phoneId = null }) => run`
      INSERT INTO blik_codes (code_id, organization_id, code, expires_at, recurring, phone_id)
      VALUES (${codeId}, ${organizationId}, ${code}, ${expiresAt}, ${recurring === false ? 0 : 1}, ${phoneId})`,
    liveBlikCode: (organizationId, code, now) => find(toBlikCode)`
      SELECT * FROM blik_codes WHERE organization_id = ${organizationId} AND code = ${code} AND expires_at > ${now}`,
    blikCodeById: (organizationId, codeId) =>
      find(toBlikCode)`SELECT * FROM blik_codes WHERE code_id = ${codeId} AND organization_id = ${organizationId}`,
    blikCodesOfPhone: (organizationId, phoneId, limit) => list(toBlikCode)`
      SELECT * FROM blik_codes WHERE phone_id = ${phoneId} AND organization_id = ${organizationId}
      ORDER BY expires_at DESC, code_id LIMIT ${limit}`,
    mandates: (organizationId, limit) => list(toMandate)`
      SELECT * FROM mandates WHERE organization_id = ${organizationId} ORDER BY mandate_id DESC LIMIT ${limit}`,
    mandatesOfPhone: (organizationId, phoneId, limit) => list(toMandate)`
      SELECT * FROM mandates WHERE phone_id = ${phoneId} AND organization_id = ${organizationId}
      ORDER BY mandate_id DESC LIMIT ${limit}`,
    revokeMandate: (organizationId, paymentToken, at) => find(toMandate)`
      UPDATE mandates SET revoked_at = CASE WHEN revoked_at < ${at} THEN revoked_at ELSE ${at} END
      WHERE organization_id = ${organizationId} AND payment_token = ${paymentToken} RETURNING *`,
  }
}

type PhoneRow = { phone_id: string; bank_id: Phone['bankId'] }
const toPhone = ({ phone_id, bank_id }: PhoneRow): Phone => ({ phoneId: phone_id, bankId: bank_id })
const toCount = ({ count }: { count: number }): number => count
