import type { Database } from 'better-sqlite3'
import { CLOCKS, type OrganizationClockRow, organizationClockOf } from '../clocks.ts'
import type { Deed, DeedStore } from '../deeds-port.ts'
import { type ComingRow, comingOf } from '../rows.ts'

type Asked = { organizationId: string; transactionId: string | null; limit: number }

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
  const agenda = database.prepare<[Asked], ComingRow>(AGENDA)
  const clocks = database.prepare<[], OrganizationClockRow>(`${CLOCKS} ORDER BY organization_id`)

  const add = (organizationId: string, deed: Deed): void => {
    const [transactionId, until] = deed.kind === 'shopper' ? [deed.transactionId, deed.at] : [null, deed.until]
    insert.run(transactionId, until, JSON.stringify(deed), organizationId)
  }
  const port: DeedStore = {
    addDeed: async (organizationId, deed) => add(organizationId, deed),
    deeds: async (organizationId, transactionId, from) =>
      list.all(organizationId, transactionId, organizationId, from).map(({ record }) => JSON.parse(record) as Deed),
    agenda: async (organizationId, { transactionId = null, limit }) =>
      agenda.all({ organizationId, transactionId, limit }).map(comingOf),
    clocks: async () => clocks.all().map(organizationClockOf),
  }
  return { add, port }
}

/** Jobs before deliveries at one instant, as they are run. */
const AGENDA = `
  SELECT at, name, transaction_id, delivery_id FROM (
    SELECT due_at AS at, name, transaction_id, NULL AS delivery_id, 0 AS kind, job_id AS place
      FROM jobs WHERE organization_id = @organizationId AND (@transactionId IS NULL OR transaction_id = @transactionId)
    UNION ALL
    SELECT deliveries.due_at, 'delivery', transaction_id, delivery_id, 1, deliveries.position
      FROM deliveries JOIN notifications USING (sending_id)
      WHERE deliveries.organization_id = @organizationId AND deliveries.due_at IS NOT NULL
        AND (@transactionId IS NULL OR transaction_id = @transactionId)
  ) ORDER BY at, kind, place LIMIT @limit`
