import { expect, test } from 'vitest'
import { createPages } from '../../hosted-pages/all-page-routes.ts'
import { createFakeShopperFeatures } from '../browser/fake-shopper-features.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'
import { createShopVisitor } from './shop-visitor.ts'

const takePhone = async (visitor: ReturnType<typeof createShopVisitor>, organization = 'demo-merchant') =>
  (await visitor.post(`/blik/${organization}/phones`, { bank: 'modrzew' })).location

test('the cookie of a phone holds ids alone, for one organization, out of reach of scripts and other sites', async () => {
  const simulator = await startScopedSimulator()
  const visitor = createShopVisitor(simulator)
  const path = await takePhone(visitor)
  const answer = await fetch(new URL(path, simulator.pagesUrl))
  const id = path.split('/').at(-1)
  expect(answer.headers.getSetCookie()).toEqual([
    `assay-phone=${id}; Path=/blik/demo-merchant; Max-Age=31536000; HttpOnly; SameSite=Lax`,
  ])
})

test.each([
  ['https://sandbox.example', true],
  [undefined, false],
])('where the pages are at %s, that every cookie is Secure is %s', async (pagesUrl, isSecure) => {
  const fake = createFakeShopperFeatures()
  const pages = createPages({ ...fake.features, pagesUrl })
  const shop = '/shop/demo-merchant/key'
  const post = (path: string, fields: Record<string, string>) =>
    pages.request(path, { method: 'POST', body: new URLSearchParams(fields) })
  const answers = [
    await pages.request((await fake.phone()).path),
    await post('/appearance', { theme: 'dark', language: 'pl' }),
    await post(`${shop}/demo`, { demo: 'on' }),
    await post(`${shop}/demo`, { demo: '' }),
    await post(`${shop}/products/jar`, { method: 'IRIS', order: `shop-${crypto.randomUUID()}` }),
  ]
  const cookies = answers.flatMap(({ headers }) => headers.getSetCookie())
  expect(cookies.map(cookie => cookie.split('=', 1)[0])).toEqual(
    ['phone', 'theme', 'language', 'demo', 'demo', 'payer', 'shop'].map(name => `assay-${name}`),
  )
  for (const cookie of cookies) expect(/; Secure(;|$)/.test(cookie), cookie).toBe(isSecure)
})

test('a browser remembers its last four phones; ids that are none, or of another organization, show nothing', async () => {
  const simulator = await startScopedSimulator()
  await simulator.controlPlane.organizations.create('second-shop')
  const visitor = createShopVisitor(simulator)
  const taken = []
  for (let count = 0; count < 5; count += 1) {
    taken.push(await takePhone(visitor))
    await visitor.visit(taken.at(-1) ?? '')
  }
  const linksIn = (text: string) =>
    [...text.matchAll(/href="([^"]+)" data-testid="blik-own-phone"/g)].map(([, to]) => to)
  expect(linksIn((await visitor.visit('/blik/demo-merchant')).text)).toEqual(taken.slice(1).reverse())
  expect(linksIn((await visitor.visit('/blik/second-shop')).text)).toEqual([])
  const cookie = `assay-phone=${['x', '"><b>', '..', taken[0]?.split('/').at(-1)].join('.')}`
  expect(linksIn((await visitor.visit('/blik/demo-merchant', { headers: { cookie } })).text)).toEqual([taken[0]])
})

test('with a control token strangers see no organizations to choose from; holders of a token see theirs', async () => {
  const [token, operator] = ['a-token-for-tests', { authorization: 'Bearer a-token-for-tests' }]
  const simulator = await startScopedSimulator({ controlToken: token })
  await simulator.controlPlane.organizations.create('team-shop')
  const visitor = createShopVisitor(simulator)
  expect((await visitor.visit('/blik')).location).toBe('/portal/sign-in?to=%2Fblik')
  expect((await visitor.visit('/blik', { headers: operator })).text).toContain('team-shop')
  const made = await fetch(`${simulator.pagesUrl}/control/organizations/team-shop/control-tokens`, {
    method: 'POST',
    headers: { ...operator, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'team', role: 'act' }),
  })
  const team = { authorization: `Bearer ${((await made.json()) as { token: string }).token}` }
  expect((await visitor.visit('/blik', { headers: team })).location).toBe('/blik/team-shop')
  const landing = (await visitor.visit('/', { headers: team })).text
  expect(landing).toContain('team-shop')
  expect(landing).not.toContain('demo-merchant')
  expect(landing).not.toContain('data-testid="strangers-journal"')
  for (const headers of [operator, team])
    expect((await visitor.visit('/', { headers })).text).toContain('data-testid="portal-sign-out"')
  expect((await visitor.visit('/')).text).not.toContain('data-testid="portal-sign-out"')
})
