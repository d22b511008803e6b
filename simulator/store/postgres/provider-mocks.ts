import sql, { join, type Sql } from 'sql-template-tag'
import type { Mock } from '../../providers/provider-mock.ts'
import { type MockRow, toCandidateMock } from '../row-mapping.ts'
import type { Db } from '../sql-statements.ts'
import { type ReadSet, UNMATCHED_MOCK_LIMIT, type WriteSet } from '../unit-of-work.ts'
import type { RowLock } from './query-fragments.ts'

/** Returns the statement that inserts a mock into PostgreSQL as the newest, in place of one for the same account and key (2.7). */
export const insertMock = (organizationId: string, mock: Mock): Sql => {
  const { processingAccountId, key, expiresAt } = mock
  return sql`
      INSERT INTO mocks (organization_id, account_id, key_type, key_value, expires_at, record)
      VALUES (${organizationId}, ${processingAccountId}, ${key.type}, ${key.value}, ${expiresAt}, ${JSON.stringify(mock)})
      ON CONFLICT (organization_id, account_id, key_type, key_value) DO UPDATE
        SET mock_id = DEFAULT, expires_at = excluded.expires_at, record = excluded.record, used_steps = ''`
}

/** Returns the statement that appends a step to the used steps of a oneTime mock: names separated by spaces. */
export const markMockUsed = ({ mockId, step }: NonNullable<WriteSet['usedMock']>): Sql =>
  sql`UPDATE mocks SET used_steps = used_steps || ${step}::text || ' ' WHERE mock_id = ${mockId}`

/**
 * Loads the mocks in PostgreSQL that may match a call by payer or reference, and the newest others, newest first; they
 * may be locked, so that none is used too often.
 */
export const loadCandidateMocks = async (
  db: Db,
  organizationId: string,
  now: number,
  { mockKeys: named, transactionId = '', mandate }: Pick<ReadSet, 'mockKeys' | 'transactionId' | 'mandate'>,
  lock: RowLock,
): Promise<Mock[]> => {
  const payment = sql`FROM payments WHERE transaction_id = ${transactionId} AND organization_id = ${organizationId}`
  const matching = (type: Mock['key']['type'], ...values: readonly Sql[]) => sql`
    SELECT mock_id FROM mocks WHERE organization_id = ${organizationId} AND key_type = ${type}
      AND key_value = ANY (ARRAY[${join(values)}])`
  const rows = await db.rows<MockRow>(sql`
    SELECT mock_id, record, used_steps FROM mocks WHERE expires_at > ${now} AND mock_id = ANY (ARRAY(
      (SELECT mock_id FROM mocks WHERE organization_id = ${organizationId} AND expires_at > ${now}
        ORDER BY mock_id DESC LIMIT ${UNMATCHED_MOCK_LIMIT})
      UNION ALL ${matching(
        'PAYER_ID',
        sql`${named?.payerId ?? null}::text, ${mandate?.payerId ?? null}::text, (SELECT payer_id ${payment})`,
        sql`(SELECT payer_id FROM mandates WHERE payment_token = ${mandate?.paymentToken ?? ''} AND organization_id = ${organizationId})`,
      )}
      UNION ALL ${matching(
        'CLIENT_TRANSACTION_ID',
        sql`${named?.clientTransactionId ?? null}::text, (SELECT client_transaction_id ${payment})`,
      )}))
    ORDER BY mock_id DESC ${lock}`)
  return rows.map(toCandidateMock)
}
