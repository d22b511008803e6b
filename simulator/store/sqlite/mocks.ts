import type { Database } from 'better-sqlite3'
import type { Mandate } from '../../payments/mandate.ts'
import type { Payment } from '../../payments/payment.ts'
import type { Mock } from '../../providers/mock.ts'
import type { Needs, Save, Store } from '../port.ts'
import { MOST_OTHERS, type MockRow, mockOf } from '../provider-rows.ts'

/** The part of the store that keeps mocks: one for each account and key, the newest (2.7). */
export const openMocks = (database: Database) => {
  const set = database.prepare<[string, string, string, string, number, string]>(`
    INSERT OR REPLACE INTO mocks (organization_id, account_id, key_type, key_value, expires_at, record)
    VALUES (?, ?, ?, ?, ?, ?)`)
  const live = database.prepare<[string, number], MockRow>(
    'SELECT mock_id, record FROM mocks WHERE organization_id = ? AND expires_at > ? ORDER BY mock_id DESC',
  )
  const some = database.prepare<[string, number], MockRow>(
    `SELECT mock_id, record FROM mocks WHERE organization_id = (SELECT ?) AND expires_at > (SELECT ?) ORDER BY mock_id DESC LIMIT ${MOST_OTHERS}`,
  )
  const keyed = database.prepare<[string, number, string, string], MockRow>(`
    SELECT mock_id, record FROM mocks WHERE organization_id = ? AND expires_at > ? AND key_type = ? AND key_value = ?`)
  const use = database.prepare<[string, number]>(`
    UPDATE mocks SET record = json_set(record, '$.used', json_insert(COALESCE(record -> '$.used', '[]'), '$[#]', ?))
    WHERE mock_id = ?`)

  return {
    insert: (organizationId: string, mock: Mock): void => {
      const { processingAccountId, key, expiresAt } = mock
      set.run(organizationId, processingAccountId, key.type, key.value, expiresAt, JSON.stringify(mock))
    },
    use: ({ mockId, step }: NonNullable<Save['usedMock']>): void => void use.run(step, mockId),
    /** Every live mock for a payer or reference of the call, and the newest of the others. */
    near: (
      organizationId: string,
      now: number,
      named: Needs['named'],
      payment: Payment | undefined,
      mandate: Mandate | undefined,
    ): Mock[] => {
      const others = some.all(organizationId, now)
      if (others.length < MOST_OTHERS) return others.map(mockOf)
      const found = (type: string, value: string | undefined) =>
        value === undefined ? [] : keyed.all(organizationId, now, type, value)
      const meant = [
        ...[named?.payerId, payment?.payerId, mandate?.payerId].flatMap(value => found('PAYER_ID', value)),
        ...[named?.clientTransactionId, payment?.clientTransactionId].flatMap(value =>
          found('CLIENT_TRANSACTION_ID', value),
        ),
      ]
      const rows = new Map([...others, ...meant].map(row => [row.mock_id, row]))
      return [...rows.values()].sort((a, b) => b.mock_id - a.mock_id).map(mockOf)
    },
    port: {
      mocks: async (organizationId, now) =>
        live.all(organizationId, now).map(({ record }) => JSON.parse(record) as Mock),
    } satisfies Pick<Store, 'mocks'>,
  }
}
