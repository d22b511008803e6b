import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createPhoneCodeAndMandateStore } from '../../simulator/store/phones-codes-and-mandates.ts'
import { openLedgerEntries } from '../../simulator/store/sqlite/ledger-entries.ts'
import { openReadSets } from '../../simulator/store/sqlite/load-read-set.ts'
import { defineHashFunction } from '../../simulator/store/sqlite/lookup-hash-column.ts'
import { openTables } from '../../simulator/store/sqlite/open-table-groups.ts'
import { openOrganizationTables } from '../../simulator/store/sqlite/organization-table-rows.ts'
import { openOrganizations } from '../../simulator/store/sqlite/organizations.ts'
import { openPaymentCountsAndIdSearch } from '../../simulator/store/sqlite/payment-counts-and-id-search.ts'
import { openPaymentSearch } from '../../simulator/store/sqlite/payment-search.ts'
import { openRetention } from '../../simulator/store/sqlite/retention.ts'
import { openSchedule } from '../../simulator/store/sqlite/scheduled-items-and-clocks.ts'
import { MIGRATIONS } from '../../simulator/store/sqlite/schema-migrations.ts'
import { createDb } from '../../simulator/store/sqlite/statement-cache.ts'
import { openDeliveries } from '../../simulator/store/sqlite/webhook-deliveries.ts'
import { ORGANIZATION_TABLES } from '../../simulator/store/tables-emptied-by-reset.ts'
import { SEARCH_SCAN_LIMIT } from '../../simulator/store/unit-of-work.ts'
import { createMessageAndPlanStore } from '../../simulator/store/webhook-messages-and-plans.ts'

/** Opens a database of the product's schema with payments; `plans` returns the query plan of each statement. */
const openPlanned = (payments: number) => {
  const database = new Database(':memory:')
  database.pragma('foreign_keys = OFF')
  defineHashFunction(database)
  for (const step of MIGRATIONS) database.exec(step)
  const add =
    database.prepare(`INSERT INTO payments (transaction_id, organization_id, account_id, client_transaction_id,
    payer_id, provider_id, status, amount, created_at, record) VALUES (?, 'o', 'a', 'r', 'p', 'IRIS', 'PENDING', 1, ?, '{}')`)
  for (let number = 0; number < payments; number += 1) add.run(`t${number}`, number)
  const texts: string[] = []
  const watched = new Proxy(database, {
    get: (target, name: keyof Database.Database) =>
      name === 'prepare'
        ? (text: string) => {
            texts.push(text)
            return target.prepare(text)
          }
        : target[name],
  })
  const plans = () =>
    texts
      .filter(text => text.trimStart().startsWith('SELECT'))
      .flatMap(text => {
        const values = Object.fromEntries(Array.from(text.matchAll(/@(\w+)/g), ([, name]) => [name, 1]))
        const plan = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
        const places = text.match(/\?/g)?.map(() => '') ?? []
        return plan.all(...places, ...(Object.keys(values).length > 0 ? [values] : [])).map(({ detail }) => detail)
      })
  return { watched, plans, tables: openTables(database) }
}

test('every page of a search is read by an index, without scan and sort', () => {
  const { watched, plans } = openPlanned(SEARCH_SCAN_LIMIT + 9)
  const search = openPaymentSearch(watched)
  const behind = { after: `t${SEARCH_SCAN_LIMIT + 5}` }
  // biome-ignore format: a table reads by its columns
  for (const query of [
    {}, behind, { createdFrom: 1, createdTo: 2 }, { createdTo: 9e9, ...behind },
    { clientTransactionId: 'r', createdFrom: 1 }, { clientTransactionId: 'r', ...behind }, { payerId: 'p', ...behind },
    { status: 'PENDING', ...behind }, { accountId: 'b' }, { amountTo: 0, createdFrom: 1, ...behind }, { payerId: 'p', amountTo: 0 },
  ])
    search('o', { limit: 20, ...query })
  openLedgerEntries(watched)
  expect(plans().length).toBeGreaterThan(12)
  expect(plans().filter(detail => !/^SEARCH \w+ USING (COVERING )?INDEX /.test(detail))).toEqual([])
  expect(
    plans().filter(detail => /_by_client_transaction_id \(hash=\? AND .*created_at[<>]/.test(detail)),
  ).toHaveLength(2)
})

test('8: rows of a payment and scheduled items are found by indexes', async () => {
  const { watched, plans } = openPlanned(1)
  const page = { limit: 20, transactionId: 't' }
  const { scheduledItems } = openSchedule(watched)
  const before = plans().length
  await createMessageAndPlanStore(createDb(watched)).inbox('o', { ...page, now: 1, order: 'oldest' })
  await openDeliveries(watched).port.deliveries('o', page)
  await scheduledItems('o', page)
  await scheduledItems('o', { limit: 20 })
  const found = plans().slice(before)
  const ways = (wanted: RegExp) => found.filter(detail => wanted.test(detail)).length
  expect(found.filter(detail => /^SCAN (?!\(subquery|json_each)/.test(detail))).toEqual([])
  expect(
    ways(/^SEARCH messages USING (COVERING )?INDEX messages_by_payment \(organization_id=\? AND transaction_id=\?/),
  ).toBe(3)
  expect(ways(/^SEARCH jobs USING INDEX jobs_by_payment/)).toBe(1)
  expect(ways(/^SEARCH jobs USING INDEX jobs_by_due_time/)).toBe(1)
})

test('28: payments are counted by an index, and each slice of a search for ids reads a range of its table', async () => {
  const { watched, plans } = openPlanned(1)
  const { paymentCounts, findIds } = openPaymentCountsAndIdSearch(watched)
  await paymentCounts('o', { from: 0, to: 9, width: 3 })
  await findIds('o', { end: '0', limit: 1 })
  expect(plans().sort()).toEqual([
    'SEARCH deliveries USING COVERING INDEX sqlite_autoindex_deliveries_1 (delivery_id>?)',
    'SEARCH deliveries USING INDEX sqlite_autoindex_deliveries_1 (delivery_id>? AND delivery_id<?)',
    'SEARCH ledger_entries USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
    'SEARCH ledger_entries USING INTEGER PRIMARY KEY (rowid>?)',
    'SEARCH payments EXISTS USING COVERING INDEX sqlite_autoindex_payments_1 (transaction_id=?)',
    'SEARCH payments USING COVERING INDEX payments_by_status (organization_id=? AND status=? AND created_at>? AND created_at<?)',
    'SEARCH payments USING COVERING INDEX sqlite_autoindex_payments_1 (transaction_id>?)',
    'SEARCH payments USING INDEX sqlite_autoindex_payments_1 (transaction_id>? AND transaction_id<?)',
  ])
})

test('deliveries and mandates of an organization are listed and purged by an index, without sort', async () => {
  const { watched, plans } = openPlanned(1)
  openRetention(watched)
  await createPhoneCodeAndMandateStore(createDb(watched)).mandates('o', 1)
  const before = plans().length
  await openDeliveries(watched).port.deliveries('o', { limit: 1 })
  expect(plans().slice(before)).toContain(
    'SEARCH deliveries USING INDEX deliveries_by_organization (organization_id=?)',
  )
  expect(plans()).toContain('SEARCH mandates USING INDEX mandates_by_organization (organization_id=?)')
  expect(plans().filter(detail => / TEMP B-TREE FOR ORDER BY/.test(detail))).toEqual([])
  const expired =
    'SELECT mandate_id FROM mandates WHERE organization_id = ? AND MIN(expires_at, COALESCE(revoked_at, expires_at)) <= ?'
  expect(watched.prepare(`EXPLAIN QUERY PLAN ${expired}`).all('o', 1)).toMatchObject([
    { detail: expect.stringContaining('mandates_by_expiry (organization_id=? AND <expr><?)') },
  ])
})

test('the state of an organization is found, row by row, without a list of its payments', () => {
  const { watched, plans } = openPlanned(1)
  const before = plans().length
  openOrganizationTables(watched)
  const ways = plans().slice(before)
  expect(ways.length).toBeGreaterThan(ORGANIZATION_TABLES.length)
  expect(ways.filter(detail => !/^(SEARCH|SCALAR SUBQUERY|USE TEMP B-TREE FOR ORDER BY)/.test(detail))).toEqual([])
  expect(ways.filter(detail => /payment_events/.test(detail))).toEqual([
    'SEARCH payment_events USING INDEX payment_events_by_payment (transaction_id=?)',
  ])
})

test('I3: an idempotent reply is found by its hash', () => {
  const { watched, plans, tables } = openPlanned(0)
  openReadSets(watched, tables)
  const ways = plans().filter(detail => detail.includes(' idempotency_keys '))
  expect(ways).toEqual(['SEARCH idempotency_keys USING INDEX idempotency_keys_by_hash (hash=?)'])
})

test('a page of organizations is read and counted by an index', () => {
  const { watched, plans, tables } = openPlanned(0)
  openOrganizations(watched, tables)
  const ways = plans().filter(detail => /SCAN organizations|TEMP B-TREE/.test(detail))
  expect(ways.length).toBeGreaterThan(1)
  expect(ways.filter(detail => !/^SCAN organizations USING (COVERING )?INDEX /.test(detail))).toEqual([])
})
