import type { Database } from 'better-sqlite3'
import type { Phone } from '../../providers/blik-banks.ts'
import type { BlikCode } from '../../providers/issued-blik-code.ts'
import { type BlikCodeRow, toBlikCode } from '../row-mapping.ts'
import type { Store } from '../store.ts'

type PhoneRow = { phone_id: string; bank_id: Phone['bankId'] }

/** Opens the SQLite store of shoppers' phones and BLIK codes. */
export const openShopperPhonesAndBlikCodes = (database: Database) => {
  const add = database.prepare<[string, string, string]>(
    'INSERT INTO phones (phone_id, organization_id, bank_id) VALUES (?, ?, ?)',
  )
  const one = database.prepare<[string, string], PhoneRow>(
    'SELECT * FROM phones WHERE phone_id = ? AND organization_id = ?',
  )
  const count = database.prepare<[string], { phones: number }>(
    'SELECT count(*) AS phones FROM phones WHERE organization_id = ?',
  )
  const addCode = database.prepare<[string, string, string, number, number, string | null]>(
    'INSERT INTO blik_codes (code_id, organization_id, code, expires_at, recurring, phone_id) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const live = database.prepare<[string, string, number], BlikCodeRow>(
    'SELECT * FROM blik_codes WHERE organization_id = ? AND code = ? AND expires_at > ?',
  )
  const codeById = database.prepare<[string, string], BlikCodeRow>(
    'SELECT * FROM blik_codes WHERE code_id = ? AND organization_id = ?',
  )
  const ofPhone = database.prepare<[string, string, number], BlikCodeRow>(
    'SELECT * FROM blik_codes WHERE phone_id = ? AND organization_id = ? ORDER BY expires_at DESC, code_id LIMIT ?',
  )
  const use = database.prepare<[string, string]>('UPDATE blik_codes SET transaction_id = ? WHERE code_id = ?')

  const liveCode = (organizationId: string, code: string, now: number): BlikCode | undefined => {
    const row = live.get(organizationId, code, now)
    return row && toBlikCode(row)
  }
  return {
    liveCode,
    useCode: (transactionId: string, codeId: string): void => void use.run(transactionId, codeId),
    port: {
      addPhone: async (organizationId, { phoneId, bankId }) => void add.run(phoneId, organizationId, bankId),
      phone: async (organizationId, phoneId) => {
        const row = one.get(phoneId, organizationId)
        return row && { phoneId: row.phone_id, bankId: row.bank_id }
      },
      phoneCount: async organizationId => count.get(organizationId)?.phones ?? 0,
      addBlikCode: async (organizationId, { codeId, code, expiresAt, recurring, phoneId = null }) =>
        void addCode.run(codeId, organizationId, code, expiresAt, recurring === false ? 0 : 1, phoneId),
      liveBlikCode: async (...wanted) => liveCode(...wanted),
      blikCodeById: async (organizationId, codeId) => {
        const row = codeById.get(codeId, organizationId)
        return row && toBlikCode(row)
      },
      blikCodesOfPhone: async (organizationId, phoneId, limit) =>
        ofPhone.all(phoneId, organizationId, limit).map(toBlikCode),
    } satisfies Pick<
      Store,
      'addPhone' | 'phone' | 'phoneCount' | 'addBlikCode' | 'liveBlikCode' | 'blikCodeById' | 'blikCodesOfPhone'
    >,
  }
}
