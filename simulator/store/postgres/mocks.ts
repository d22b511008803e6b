import sql from 'sql-template-tag'
import type { ProviderCall } from '../../providers/faults.ts'
import type { Mock } from '../../providers/mock.ts'
import type { Needs, Save, Store } from '../port.ts'
import { MOST_OTHERS, type MockRow, mockOf } from '../provider-rows.ts'
import type { Db } from './open.ts'

/** Takes the place of what was set for the same account and key, and is the newest (2.7). */
export const insertMock = (db: Db, organizationId: string, mock: Mock): Promise<unknown>[] => {
  const { processingAccountId, key, expiresAt } = mock
  return [
    db.run(sql`
      DELETE FROM mocks WHERE organization_id = ${organizationId} AND account_id = ${processingAccountId}
        AND key_type = ${key.type} AND key_value = ${key.value}`),
    db.run(sql`
      INSERT INTO mocks (organization_id, account_id, key_type, key_value, expires_at, record)
      VALUES (${organizationId}, ${processingAccountId}, ${key.type}, ${key.value}, ${expiresAt}, ${JSON.stringify(mock)})`),
  ]
}

/** Steps are names, so that a list of them is a text. */
export const useMock = (db: Db, { mockId, step }: NonNullable<Save['usedMock']>): Promise<unknown>[] => [
  db.run(sql`UPDATE mocks SET used = used || ${step}::text || ' ' WHERE mock_id = ${mockId}`),
]

type Row = MockRow & { used: string }

const withUsed = ({ used, ...row }: Row): Mock => {
  const mock = mockOf(row)
  return used === ''
    ? mock
    : { ...mock, used: [...(mock.used ?? []), ...(used.trimEnd().split(' ') as ProviderCall[])] }
}

/** Every live mock for a payer or reference of the call, and the newest of the others. */
export const nearMocks = async (
  db: Db,
  organizationId: string,
  now: number,
  { named, transactionId = '', mandate }: Pick<Needs, 'named' | 'transactionId' | 'mandate'>,
): Promise<Mock[]> => {
  const payers = [named?.payerId, mandate?.payerId].filter(payer => payer !== undefined)
  const references = [named?.clientTransactionId].filter(reference => reference !== undefined)
  const payment = sql`FROM payments WHERE transaction_id = ${transactionId} AND organization_id = ${organizationId}`
  const rows = await db.rows<Row>(sql`
    SELECT mock_id, record, used FROM mocks WHERE organization_id = ${organizationId} AND expires_at > ${now} AND (
      mock_id IN (
        SELECT mock_id FROM mocks WHERE organization_id = ${organizationId} AND expires_at > ${now}
        ORDER BY mock_id DESC LIMIT ${MOST_OTHERS})
      OR key_type = 'PAYER_ID' AND (key_value = ANY (${payers}::text[])
        OR key_value = (SELECT payer_id ${payment})
        OR key_value = (SELECT payer_id FROM mandates
          WHERE payment_token = ${mandate?.paymentToken ?? ''} AND organization_id = ${organizationId}))
      OR key_type = 'CLIENT_TRANSACTION_ID' AND (key_value = ANY (${references}::text[])
        OR key_value = (SELECT client_transaction_id ${payment})))
    ORDER BY mock_id DESC FOR UPDATE`)
  return rows.map(withUsed)
}

export const mocksPort = (db: Db): Pick<Store, 'mocks'> => ({
  mocks: async (organizationId, now) =>
    (
      await db.rows<Row>(sql`
        SELECT mock_id, record, used FROM mocks WHERE organization_id = ${organizationId} AND expires_at > ${now}
        ORDER BY mock_id DESC`)
    ).map(row => {
      const { mockId: _, ...mock } = withUsed(row)
      return mock
    }),
})
