import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { connectSandbox } from '../../fixtures/connect-sandbox.ts'
import { createIrisShopper } from '../../fixtures/iris-shopper.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

/** First cells of the table, which name the calls. */
const CALLS = readFileSync(join(import.meta.dirname, '../../docs/test-my-shop.md'), 'utf8')
  .split('## Everything the fixtures give')[1]
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
