import sql, { raw } from 'sql-template-tag'
import { CLOCKS, type OrganizationClock, type OrganizationClockRow, organizationClockOf } from '../clocks.ts'
import type { Deed, DeedStore } from '../deeds-port.ts'
import { type ComingRow, comingOf } from '../rows.ts'
import { allOf, ofPayment } from './all-of.ts'
import type { Db } from './open.ts'

/** Nothing of an organization that was removed meanwhile. */
export const addDeed = (db: Db, organizationId: string, deed: Deed): Promise<unknown>[] => {
  const [transactionId, until] = deed.kind === 'shopper' ? [deed.transactionId, deed.at] : [null, deed.until]
  return [
    db.run(sql`
      INSERT INTO deeds (organization_id, transaction_id, until, record)
      SELECT organization_id, ${transactionId}, ${until}, ${JSON.stringify(deed)} FROM organizations
      WHERE organization_id = ${organizationId}`),
  ]
}

/** So many are found long before the time of a statement is over, also where nothing is in memory yet (D-114). */
const CLOCKS_AT_ONCE = 10_000

/** What people did beside the contract, and what the clock will bring. */
export const deedsPort = (db: Db): DeedStore => ({
  addDeed: async (organizationId, deed) => void (await Promise.all(addDeed(db, organizationId, deed))),
  deeds: async (organizationId, transactionId, from) =>
    (
      await db.rows<{ record: string }>(sql`
        SELECT position, record FROM deeds WHERE organization_id = ${organizationId} AND transaction_id = ${transactionId}
        UNION ALL
        SELECT position, record FROM deeds
          WHERE organization_id = ${organizationId} AND transaction_id IS NULL AND until >= ${from}
        ORDER BY position`)
    ).map(({ record }) => JSON.parse(record) as Deed),
  // Jobs before deliveries at one instant, as they are run.
  agenda: async (organizationId, { transactionId, limit }) =>
    (
      await db.rows<ComingRow>(sql`
        SELECT at, name, transaction_id, delivery_id FROM (
          (SELECT due_at AS at, name, transaction_id, NULL AS delivery_id, 0 AS kind, job_id AS place
            FROM jobs WHERE ${allOf(
              sql`organization_id = ${organizationId}`,
              transactionId !== undefined && sql`transaction_id = ${transactionId}`,
            )} ORDER BY due_at, job_id LIMIT ${limit})
          UNION ALL
          (SELECT deliveries.due_at, 'delivery', transaction_id, delivery_id, 1, deliveries.position
            FROM deliveries JOIN notifications USING (sending_id)
            WHERE ${allOf(
              sql`deliveries.organization_id = ${organizationId} AND deliveries.due_at IS NOT NULL`,
              transactionId !== undefined && ofPayment(organizationId, transactionId),
            )} ORDER BY deliveries.due_at, deliveries.position LIMIT ${limit})
        ) AS coming ORDER BY at, kind, place LIMIT ${limit}`)
    ).map(comingOf),
  clocks: async () => {
    const all: OrganizationClock[] = []
    for (let more = true; more; ) {
      const rows = await db.rows<OrganizationClockRow>(sql`
        ${raw(CLOCKS)} WHERE organization_id > ${all.at(-1)?.organizationId ?? ''}
        ORDER BY organization_id LIMIT ${CLOCKS_AT_ONCE}`)
      all.push(...rows.map(organizationClockOf))
      more = rows.length === CLOCKS_AT_ONCE
    }
    return all
  },
})
