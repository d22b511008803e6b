import { expect, test } from 'vitest'
import { createPages, type ShopperPageFeatures } from '../../hosted-pages/all-page-routes.ts'
import type { OrganizationQuery } from '../../hosted-pages/organization-search-and-pagination.ts'
import type { PortalFeatures } from '../../hosted-pages/portal/portal-routes.ts'

const ALL = Array.from({ length: 500 }, (_, at) => ({
  organizationId: `shop-${at + 1}`,
  accountIds: [],
}))
/** As the operator does it. */
const find = async ({ text, from, limit }: OrganizationQuery) => {
  const fitting = ALL.filter(({ organizationId }) => organizationId.includes(text))
  return { found: fitting.slice(from, from + limit), fitting: fitting.length, all: ALL.length }
}
const features = { organizations: { search: find }, now: () => 0, rate: () => 1, apiUrlAt: String, layersOff: [] }
const portal = {
  ...features,
  access: { shownBy: () => 'right', permits: async () => ({ is: 'permitted' }), isWanted: false },
  controlTokens: {},
  capabilities: { usual: {} },
}
const pages = createPages(features as unknown as ShopperPageFeatures, portal as unknown as PortalFeatures)
const read = async (path: string) => {
  const text = await (await pages.request(path)).text()
  const idsIn = (testId: string) => [...text.matchAll(new RegExp(`data-testid="${testId}"`, 'g'))].length
  return { text, shown: idsIn('organization') + idsIn('organization-row'), next: idsIn('find-more') }
}

test.each([
  ['/', 8],
  ['/portal/organizations', 50],
])('of five hundred organizations %s shows %i and a link to the next page', async (path, most) => {
  const first = await read(path)
  expect([first.shown, first.next]).toEqual([most, 1])
  expect(first.text).toContain(`1–${most} / 500`)
  expect(first.text).toContain(`href="?from=${most}"`)
  const last = await read(`${path}?from=${500 - 5}`)
  expect([last.shown, last.next]).toEqual([5, 0])
  expect(last.text).toContain('496–500 / 500')
})

test.each(['/', '/portal/organizations'])('at %s an organization is found by a part of its id', async path => {
  const found = await read(`${path}?q=OP-12`)
  expect([found.shown, found.next]).toEqual([path === '/' ? 8 : 11, path === '/' ? 1 : 0]) // 12, 120 to 129
  const none = await read(`${path}?q=${encodeURIComponent('<b>')}`)
  expect([none.shown, none.text.includes('find-none'), none.text.includes('<b>"')]).toEqual([0, true, false])
  for (const from of ['-1', 'x', '500', '1e9']) expect((await read(`${path}?from=${from}`)).text).toContain(' / 500')
})
