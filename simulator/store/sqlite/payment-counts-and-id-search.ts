import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { STATES } from '../../payments/lifecycle.ts'
import type {
  FoundId,
  IdQuery,
  PaymentCount,
  PaymentCountAndIdSearchStore,
} from '../payment-count-and-id-search-store.ts'
import { type FoundIdRow, toFoundId } from '../row-mapping.ts'

const STATUSES = [...new Set(Object.values(STATES).map(({ status }) => status))]

/**
 * Rows that a search for ids reads in one turn of the event loop: 5 ms where the machine is busy. A search by the end of
 * an id reads every id: an index on ends would be written in random order, which costs a payment a tenth of its time.
 */
const SLICE = 5_000

/** Opens the SQLite store that counts payments for charts and finds ids by their end, a few milliseconds in a turn. */
export const openPaymentCountsAndIdSearch = (database: Database): PaymentCountAndIdSearchStore => {
  const count = database.prepare<[string, string, number, number], { count: number }>(`
    SELECT COUNT(*) AS count FROM payments INDEXED BY payments_by_status
    WHERE organization_id = ? AND status = ? AND created_at >= ? AND created_at < ?`)
  const searches = [prepare(database, PAYMENTS), prepare(database, LEDGER_ENTRIES), prepare(database, DELIVERIES)]
  return {
    paymentCounts: async (organizationId, { from, to, width }) => {
      const counts: PaymentCount[] = []
      for (let period = 0; from + period * width < to; period += 1) {
        if (period > 0) await setImmediate()
        const [begin, end] = [from + period * width, Math.min(to, from + (period + 1) * width)]
        for (const status of STATUSES) {
          const found = count.get(organizationId, status, begin, end)?.count ?? 0
          if (found > 0) counts.push({ period, status, count: found })
        }
      }
      return counts
    },
    findIds: async (organizationId, query) => {
      const found: FoundId[] = []
      for (const search of searches) found.push(...(await search(organizationId, query)))
      return found
    },
  }
}

/**
 * Statements of a search in one table: the last place of a slice, and what fits in that slice. The plus keeps SQLite from an
 * index by organization, by which each slice would read all of its rows.
 */
type Search = { last: string; fitting: string; first: string | number }

const PAYMENTS: Search = {
  first: '',
  last: 'SELECT transaction_id AS place FROM payments WHERE transaction_id > @after ORDER BY transaction_id LIMIT 1 OFFSET @most',
  fitting: `SELECT transaction_id AS id, 'payment' AS kind, transaction_id, client_transaction_id FROM payments
    WHERE transaction_id > @after AND transaction_id <= @last AND substr(transaction_id, -@length) = @end
      AND +organization_id = @organizationId ORDER BY transaction_id`,
}
/** The settlement of a capture has the id of that capture; an entry may outlive its payment. */
const LEDGER_ENTRIES: Search = {
  first: -1,
  last: 'SELECT ledger_entry_id AS place FROM ledger_entries WHERE ledger_entry_id > @after ORDER BY ledger_entry_id LIMIT 1 OFFSET @most',
  fitting: `SELECT capture_or_refund_id AS id, kind, transaction_id, client_transaction_id FROM ledger_entries
    WHERE ledger_entry_id > @after AND ledger_entry_id <= @last AND kind <> 'settlement' AND +organization_id = @organizationId
      AND (substr(capture_or_refund_id, -@length) = @end OR client_transaction_id = @end)
      AND EXISTS (SELECT 1 FROM payments WHERE payments.transaction_id = ledger_entries.transaction_id) ORDER BY ledger_entry_id`,
}
const DELIVERIES: Search = {
  first: '',
  last: 'SELECT delivery_id AS place FROM deliveries WHERE delivery_id > @after ORDER BY delivery_id LIMIT 1 OFFSET @most',
  fitting: `SELECT delivery_id AS id, 'delivery' AS kind, NULL AS transaction_id, NULL AS client_transaction_id FROM deliveries
    WHERE delivery_id > @after AND delivery_id <= @last AND substr(delivery_id, -@length) = @end
      AND +organization_id = @organizationId ORDER BY delivery_id`,
}

const prepare = (database: Database, { first, last, fitting }: Search) => {
  const lastPlace = database.prepare<[object], { place: string | number }>(last)
  const rows = database.prepare<[object], FoundIdRow>(fitting)
  return async (organizationId: string, { end, limit }: IdQuery): Promise<FoundId[]> => {
    const found: FoundId[] = []
    for (let after = first; found.length < limit; ) {
      const place = lastPlace.get({ after, most: SLICE - 1 })?.place
      const until = place ?? (typeof first === 'string' ? LAST_TEXT : Number.MAX_SAFE_INTEGER)
      found.push(...rows.all({ after, last: until, end, length: end.length, organizationId }).map(toFoundId))
      if (place === undefined) break
      after = place
      await setImmediate()
    }
    return found.slice(0, limit)
  }
}

/** Sorts behind every id. */
const LAST_TEXT = '\u{10ffff}'
