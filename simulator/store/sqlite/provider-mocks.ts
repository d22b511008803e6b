import type { Database } from 'better-sqlite3'
import type { Mandate } from '../../payments/mandate.ts'
import type { Payment } from '../../payments/payment.ts'
import type { Mock } from '../../providers/provider-mock.ts'
import { type MockRow, toCandidateMock } from '../row-mapping.ts'
import { type ReadSet, UNMATCHED_MOCK_LIMIT, type WriteSet } from '../unit-of-work.ts'
import { PLANNED_ONCE } from './query-fragments.ts'

/** Opens the SQLite store of mocks: the newest for each account and key (2.7). */
export const openMocks = (database: Database) => {
  const set = database.prepare<[string, string, string, string, number, string]>(`
    INSERT OR REPLACE INTO mocks (organization_id, account_id, key_type, key_value, expires_at, record)
    VALUES (?, ?, ?, ?, ?, ?)`)
  const some = database.prepare<[string, number], MockRow>(
    `SELECT * FROM mocks WHERE organization_id = ${PLANNED_ONCE} AND expires_at > ${PLANNED_ONCE} ORDER BY mock_id DESC LIMIT ${UNMATCHED_MOCK_LIMIT}`,
  )
  const keyed = database.prepare<[string, number, string, string], MockRow>(`
    SELECT * FROM mocks WHERE organization_id = ? AND expires_at > ? AND key_type = ? AND key_value = ?`)
  const use = database.prepare<[string, number]>(`
    UPDATE mocks SET used_steps = used_steps || ? || ' ' WHERE mock_id = ?`)

  return {
    insert: (organizationId: string, mock: Mock): void => {
      const { processingAccountId, key, expiresAt } = mock
      set.run(organizationId, processingAccountId, key.type, key.value, expiresAt, JSON.stringify(mock))
    },
    use: ({ mockId, step }: NonNullable<WriteSet['usedMock']>): void => void use.run(step, mockId),
    /** Mocks that may match a call by payer or reference, and the newest of the others, newest first; none expired. */
    candidates: (
      organizationId: string,
      now: number,
      named: ReadSet['mockKeys'],
      payment: Payment | undefined,
      mandate: Mandate | undefined,
    ): Mock[] => {
      const others = some.all(organizationId, now)
      if (others.length < UNMATCHED_MOCK_LIMIT) return others.map(toCandidateMock)
      const found = (type: string, value: string | undefined) =>
        value === undefined ? [] : keyed.all(organizationId, now, type, value)
      const meant = [
        ...[named?.payerId, payment?.payerId, mandate?.payerId].flatMap(value => found('PAYER_ID', value)),
        ...[named?.clientTransactionId, payment?.clientTransactionId].flatMap(value =>
          found('CLIENT_TRANSACTION_ID', value),
        ),
      ]
      const rows = new Map([...others, ...meant].map(row => [row.mock_id, row]))
      return [...rows.values()].sort((a, b) => b.mock_id - a.mock_id).map(toCandidateMock)
    },
  }
}
