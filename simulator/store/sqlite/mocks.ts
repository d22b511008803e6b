import type { Database } from 'better-sqlite3'
import type { Mock } from '../../providers/mock.ts'
import type { Store } from '../port.ts'

/** The part of the store that keeps mocks: one for each account and key, the newest (2.7). */
export const openMocks = (database: Database) => {
  const set = database.prepare<[string, string, string, string, number, string]>(`
    INSERT OR REPLACE INTO mocks (organization_id, account_id, key_type, key_value, expires_at, record)
    VALUES (?, ?, ?, ?, ?, ?)`)
  const live = database.prepare<[string, number], { record: string }>(
    'SELECT record FROM mocks WHERE organization_id = ? AND expires_at > ? ORDER BY mock_id DESC',
  )
  return {
    insert: (organizationId: string, mock: Mock): void => {
      const { processingAccountId, key, expiresAt } = mock
      set.run(organizationId, processingAccountId, key.type, key.value, expiresAt, JSON.stringify(mock))
    },
    port: {
      mocks: async (organizationId, now) =>
        live.all(organizationId, now).map(({ record }) => JSON.parse(record) as Mock),
    } satisfies Pick<Store, 'mocks'>,
  }
}
