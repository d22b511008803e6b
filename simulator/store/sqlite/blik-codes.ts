import type { Database } from 'better-sqlite3'
import type { BlikCode } from '../../providers/issued-blik-code.ts'
import { type BlikCodeRow, toBlikCode } from '../row-mapping.ts'

/** Opens the SQLite store of BLIK codes that units of work find and use. */
export const openBlikCodes = (database: Database) => {
  const live = database.prepare<[string, string, number], BlikCodeRow>(
    'SELECT * FROM blik_codes WHERE organization_id = ? AND code = ? AND expires_at > ?',
  )
  const use = database.prepare<[string, string]>('UPDATE blik_codes SET transaction_id = ? WHERE code_id = ?')
  return {
    live: (organizationId: string, code: string, now: number): BlikCode | undefined => {
      const row = live.get(organizationId, code, now)
      return row && toBlikCode(row)
    },
    use: (transactionId: string, codeId: string): void => void use.run(transactionId, codeId),
  }
}
