import sql, { type Sql } from 'sql-template-tag'
import type { PaymentCount, PaymentCountAndIdSearchStore } from '../payment-count-and-id-search-store.ts'
import { type FoundIdRow, toFoundId } from '../row-mapping.ts'
import type { Db } from '../sql-statements.ts'

/** Creates the PostgreSQL store that counts payments for charts and finds ids by their end. */
export const createPaymentCountAndIdSearchStore = (db: Db): PaymentCountAndIdSearchStore => ({
  paymentCounts: (organizationId, { from, to, width }) =>
    db.rows<PaymentCount>(sql`
      SELECT ((created_at - ${from}::bigint) / ${width}::bigint)::integer AS period, status, COUNT(*)::integer AS count
      FROM payments WHERE organization_id = ${organizationId} AND created_at >= ${from} AND created_at < ${to}
      GROUP BY 1, status ORDER BY 1, status`),
  findIds: async (organizationId, { end, limit }) => {
    const found = await Promise.all([
      db.rows<FoundIdRow>(sql`
        SELECT transaction_id AS id, 'payment' AS kind, transaction_id, client_transaction_id FROM payments
        WHERE organization_id = ${organizationId} AND ${endsWith(sql`transaction_id`, end)} ORDER BY 1 LIMIT ${limit}`),
      db.rows<FoundIdRow>(sql`
        SELECT capture_or_refund_id AS id, kind, transaction_id, client_transaction_id FROM ledger_entries
        WHERE organization_id = ${organizationId} AND kind <> 'settlement'
          AND (${endsWith(sql`capture_or_refund_id`, end)} OR client_transaction_id = ${end})
          AND EXISTS (SELECT 1 FROM payments WHERE payments.transaction_id = ledger_entries.transaction_id)
        ORDER BY ledger_entry_id LIMIT ${limit}`),
      db.rows<FoundIdRow>(sql`
        SELECT delivery_id AS id, 'delivery' AS kind, NULL AS transaction_id, NULL AS client_transaction_id FROM deliveries
        WHERE organization_id = ${organizationId} AND ${endsWith(sql`delivery_id`, end)} ORDER BY 1 LIMIT ${limit}`),
    ])
    return found.flat().map(toFoundId)
  },
})

const endsWith = (column: Sql, end: string): Sql => sql`right(${column}, length(${end}::text)) = ${end}`
