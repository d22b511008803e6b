import type { Database } from 'better-sqlite3'
import { CLOCKS, type OrganizationClockRow, organizationClockOf } from '../clocks.ts'
import type { Deed, DeedStore } from '../deeds-port.ts'
import { type ComingRow, comingOf } from '../rows.ts'
import { allOf, OF_PAYMENT, preparedOnce, sentOf } from './all-of.ts'

type Asked = { organizationId: string; transactionId: string | undefined; limit: number }

/** The part of the store that remembers what people did beside the contract, and looks ahead. */
export const openDeeds = (database: Database) => {
  const insert = database.prepare<[string | null, number, string, string]>(
    `INSERT INTO deeds (organization_id, transaction_id, until, record)
    SELECT organization_id, ?, ?, ? FROM organizations WHERE organization_id = ?`,
  )
  const list = database.prepare<[string, string, string, number], { record: string }>(`
    SELECT position, record FROM deeds WHERE organization_id = ? AND transaction_id = ?
    UNION ALL
    SELECT position, record FROM deeds WHERE organization_id = ? AND transaction_id IS NULL AND until >= ?
    ORDER BY position`)
  const clocks = database.prepare<[], OrganizationClockRow>(`${CLOCKS} ORDER BY organization_id`)
  const agenda = preparedOnce<[Asked], ComingRow>(database)

  const add = (organizationId: string, deed: Deed): void => {
    const [transactionId, until] = deed.kind === 'shopper' ? [deed.transactionId, deed.at] : [null, deed.until]
    insert.run(transactionId, until, JSON.stringify(deed), organizationId)
  }
  const port: DeedStore = {
    addDeed: async (organizationId, deed) => add(organizationId, deed),
    deeds: async (organizationId, transactionId, from) =>
      list.all(organizationId, transactionId, organizationId, from).map(({ record }) => JSON.parse(record) as Deed),
    clocks: async () => clocks.all().map(organizationClockOf),
    agenda: async (organizationId, { transactionId, limit }) =>
      agenda(agendaQuery(transactionId)).all({ organizationId, transactionId, limit }).map(comingOf),
  }
  return { add, port }
}

/** Jobs before deliveries at one instant, as they are run. */
const agendaQuery = (transactionId: string | undefined): string => `
  SELECT at, name, transaction_id, delivery_id FROM (
    SELECT * FROM (SELECT due_at AS at, name, transaction_id, NULL AS delivery_id, 0 AS kind, job_id AS place
      FROM jobs ${transactionId === undefined ? '' : 'INDEXED BY jobs_by_payment'}
      WHERE ${allOf('organization_id = @organizationId', transactionId !== undefined && 'transaction_id = @transactionId')}
      ORDER BY due_at, job_id LIMIT @limit)
    UNION ALL
    SELECT * FROM (SELECT deliveries.due_at, 'delivery', transaction_id, delivery_id, 1, deliveries.position
      FROM ${sentOf(transactionId)}
      WHERE ${allOf('deliveries.organization_id = @organizationId AND deliveries.due_at IS NOT NULL', transactionId !== undefined && OF_PAYMENT)}
      ORDER BY deliveries.due_at, deliveries.position LIMIT @limit)
  ) ORDER BY at, kind, place LIMIT @limit`
