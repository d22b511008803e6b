import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { connectSandbox } from '../../fixtures/connect-sandbox.ts'
import { createIrisShopper, IRIS_ACCOUNTS, IRIS_BANKS } from '../../fixtures/iris-shopper.ts'
import { ACCOUNTS } from '../../hosted-pages/iris/accounts.ts'
import { BANKS } from '../../hosted-pages/iris/banks.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/test-my-shop.md'), 'utf8')

/** First cells of the table, which name the calls. */
const CALLS = PAGE.split('## Everything the fixtures give')[1]
  ?.split('\n## ')[0]
  ?.matchAll(/^\| (`.*?) \|/gm)

/** Names of a test API's members, such as `clock.advance`; those of the kit are data. */
const membersOf = (api: object): string[] =>
  Object.entries(api).flatMap(([name, value]) =>
    typeof value === 'object' && name !== 'kit' ? Object.keys(value).map(inner => `${name}.${inner}`) : [name],
  )

test('the table of docs/test-my-shop.md names every member of the fixtures, and no other', async () => {
  const { pagesUrl } = await startScopedSimulator()
  const organization = await connectSandbox({ url: pagesUrl }).create()
  const members = [...membersOf(organization), ...membersOf({ iris: createIrisShopper({} as Page) })]
  const named = [...(CALLS ?? [])].flatMap(([, cell = '']) => [...cell.matchAll(/`([\w.]+)/g)].map(([, name]) => name))
  expect(named.sort()).toEqual(members.sort())
})

test('fixtures and docs/test-my-shop.md name the banks and accounts of the IRIS pages', () => {
  const idsOf = (table: readonly { id: string }[]) => table.map(({ id }) => id)
  expect(IRIS_BANKS).toEqual(idsOf(BANKS))
  expect(IRIS_ACCOUNTS).toEqual(idsOf(ACCOUNTS))
  const rows = [...PAGE.matchAll(/^\| `(?:bank|account)`[^|]* \| (.+?) \| (.+?) \|$/gm)].map(
    ([, ids = '', what = '']) => ({
      ids: ids.replaceAll('`', '').split(', '),
      what: /(\d+) s|enough|too little/.exec(what)?.[0] ?? 'at once',
    }),
  )
  const grouped = [
    ...Map.groupBy(BANKS, ({ takesSeconds }) => (takesSeconds === 0 ? 'at once' : `${takesSeconds} s`)),
    ...Map.groupBy(ACCOUNTS, ({ enough }) => (enough ? 'enough' : 'too little')),
  ]
  expect(rows).toEqual(grouped.map(([what, table]) => ({ ids: idsOf(table), what })))
})

test('IRIS: a bank or account that there is not is refused at once', async () => {
  const iris = createIrisShopper({} as Page)
  const choose = (choice: object) => iris.pay(choice)
  await expect(choose({ bank: 'acme' })).rejects.toThrow(
    `IRIS has no bank "acme": give one of ${IRIS_BANKS.join(', ')}.`,
  )
  await expect(choose({ account: 'x' })).rejects.toThrow(
    'IRIS has no account "x": give one of current, savings, travel.',
  )
})
