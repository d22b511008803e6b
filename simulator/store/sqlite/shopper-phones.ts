import type { Database } from 'better-sqlite3'
import type { Phone } from '../../providers/blik-banks.ts'
import type { Store } from '../store.ts'

type Row = { phone_id: string; bank_id: string }

/** Opens the SQLite store of shoppers' phones. */
export const openShopperPhones = (database: Database) => {
  const add = database.prepare<[string, string, string]>(
    'INSERT INTO phones (phone_id, organization_id, bank_id) VALUES (?, ?, ?)',
  )
  const one = database.prepare<[string, string], Row>('SELECT * FROM phones WHERE phone_id = ? AND organization_id = ?')
  return {
    addPhone: async (organizationId, { phoneId, bankId }) => void add.run(phoneId, organizationId, bankId),
    phone: async (organizationId, phoneId) => {
      const row = one.get(phoneId, organizationId)
      return row && { phoneId: row.phone_id, bankId: row.bank_id as Phone['bankId'] }
    },
  } satisfies Pick<Store, 'addPhone' | 'phone'>
}
