import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { LOOKED_THROUGH } from '../../simulator/store/port.ts'
import { openDeeds } from '../../simulator/store/sqlite/deeds.ts'
import { openDeliveries } from '../../simulator/store/sqlite/deliveries.ts'
import { openNotifications } from '../../simulator/store/sqlite/notifications.ts'
import { openPostings } from '../../simulator/store/sqlite/postings.ts'
import { MIGRATIONS } from '../../simulator/store/sqlite/schema.ts'
import { openSearch } from '../../simulator/store/sqlite/search.ts'
import { prepareStatements } from '../../simulator/store/sqlite/statements.ts'

/** A database of the product's schema with payments a second apart; `plans` tells how each statement would be run. */
const openPlanned = (payments: number) => {
  const database = new Database(':memory:')
  database.pragma('foreign_keys = OFF')
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
  return { watched, plans }
}

test('every page is found by an index alone: nothing is scanned, nothing is sorted', () => {
  const { watched, plans } = openPlanned(LOOKED_THROUGH + 9)
  const search = openSearch(watched)
  const behind = { after: `t${LOOKED_THROUGH + 5}` }
  // biome-ignore format: a table reads by its columns
  for (const query of [
    {}, behind, { createdFrom: 1, createdTo: 2 }, { createdTo: 9e9, ...behind },
    { clientTransactionId: 'r', createdFrom: 1 }, { clientTransactionId: 'r', ...behind }, { payerId: 'p', ...behind },
    { status: 'PENDING', ...behind }, { accountId: 'b' }, { amountTo: 0, createdFrom: 1, ...behind }, { payerId: 'p', amountTo: 0 },
  ])
    search('o', { limit: 20, ...query })
  openPostings(watched)
  expect(plans().length).toBeGreaterThan(12)
  expect(plans().filter(detail => !/^SEARCH \w+ USING (COVERING )?INDEX /.test(detail))).toEqual([])
  expect(plans().filter(detail => /_by_reference \(hash=\? AND .*created_at[<>]/.test(detail))).toHaveLength(2)
})

test('8: what hangs on one payment is found by its index, and what is to come is read as far as it is shown', async () => {
  const { watched, plans } = openPlanned(1)
  const page = { limit: 20, transactionId: 't' }
  const { agenda } = openDeeds(watched).port
  const before = plans().length
  await openNotifications(watched).port.inbox('o', { ...page, now: 1, order: 'oldest' })
  await openDeliveries(watched).port.deliveries('o', page)
  await agenda('o', page)
  await agenda('o', { limit: 20 })
  const found = plans().slice(before)
  const ways = (wanted: RegExp) => found.filter(detail => wanted.test(detail)).length
  expect(found.filter(detail => /^SCAN (?!\(subquery|json_each)/.test(detail))).toEqual([])
  expect(
    ways(
      /^SEARCH notifications USING (COVERING )?INDEX notifications_by_payment \(organization_id=\? AND transaction_id=\?/,
    ),
  ).toBe(3)
  expect(ways(/^SEARCH jobs USING INDEX jobs_by_payment/)).toBe(1)
  expect(ways(/^SEARCH jobs USING INDEX jobs_by_due_time/)).toBe(1)
})

test('I3: what a key remembers is found by its hash', () => {
  const { watched, plans } = openPlanned(0)
  prepareStatements(watched)
  const ways = plans().filter(detail => detail.includes(' remembered '))
  expect(ways).toEqual(['SEARCH remembered USING INDEX remembered_by_hash (hash=?)'])
})

test('a page of the organizations is read in the order of an index, and counted by it', () => {
  const { watched, plans } = openPlanned(0)
  prepareStatements(watched)
  const ways = plans().filter(detail => /SCAN organizations|TEMP B-TREE/.test(detail))
  expect(ways.length).toBeGreaterThan(1)
  expect(ways.filter(detail => !/^SCAN organizations USING (COVERING )?INDEX /.test(detail))).toEqual([])
})
