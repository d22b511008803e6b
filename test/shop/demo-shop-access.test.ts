import { expect, test } from 'vitest'
import { organizationControl } from '../support/control-client.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'
import { createShopVisitor } from './shop-visitor.ts'

const TOKEN = 'a-token-for-tests'
const OPERATOR = { authorization: `Bearer ${TOKEN}` }

const openGuarded = async () => {
  const simulator = await startScopedSimulator({ controlToken: TOKEN })
  const stranger = createShopVisitor(simulator)
  const shop = await createShopVisitor(simulator).open('demo-merchant', OPERATOR)
  return { simulator, stranger, shop }
}

test('with a control token strangers open no shop and learn no organization', async () => {
  const { stranger, shop } = await openGuarded()
  for (const path of ['/shop', '/shop/demo-merchant', '/shop/nobody']) {
    const { status, location, text } = await stranger.visit(path)
    expect([status, location, text]).toEqual([303, `/portal/sign-in?to=${encodeURIComponent(path)}`, ''])
  }
  expect((await stranger.visit('/')).text).not.toContain('demo-merchant')
  const wrong = `/shop/demo-merchant/${'A'.repeat(22)}`
  const nobody = `/shop/nobody/${shop.split('/').at(-1)}`
  const answers = [await stranger.visit(wrong), await stranger.visit(nobody)]
  expect(answers.map(({ status }) => status)).toEqual([404, 404])
  expect(answers[0]?.text).toBe(answers[1]?.text)
})

test('strangers without the key pay nothing and make no phone', async () => {
  const { simulator, stranger, shop } = await openGuarded()
  const order = `shop-${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`
  const wrong = `/shop/demo-merchant/${'A'.repeat(22)}`
  for (const path of [`${wrong}/products/jar`, `${wrong}/orders/${order}/refund`, `${wrong}/demo`])
    expect((await stranger.post(path, { method: 'IRIS', order })).status).toBe(404)
  expect((await stranger.post('/shop/stage', { organization: 'demo-merchant' })).location).toMatch(/^\/portal\/sign-in/)
  const { payments } = simulator.controlPlane
  expect((await payments.list('demo-merchant', { limit: 9 })).payments).toEqual([])
  expect(shop).toMatch(/^\/shop\/demo-merchant\/[\w-]{22}$/)
})

test('whoever has the address of a shop buys there, and does not see the stage', async () => {
  const { stranger, shop } = await openGuarded()
  expect((await stranger.visit(shop)).text).not.toContain('data-testid="shop-on-stage"')
  const { path, order } = await stranger.checkout(shop)
  expect((await stranger.post(path, { method: 'IRIS', order })).location).toMatch(/^\/iris\//)
  for (const page of ['stage', 'stage?phone=abc&order=shop-1', 'timeline?order=shop-1', 'timeline/stream']) {
    const { location } = await stranger.visit(`${shop}/${page}`)
    expect(location).toBe(`/portal/sign-in?to=${encodeURIComponent(`${shop}/${page}`)}`)
  }
  expect((await createShopVisitor(stranger).visit(`${shop}/stage`, { headers: OPERATOR })).status).toBe(200)
})

test('who may read the journal of an organization pays with nothing in its shop', async () => {
  const { simulator, stranger, shop } = await openGuarded()
  const { path, order } = await stranger.checkout(shop)
  const bank = (await stranger.post(path, { method: 'IRIS', order })).location
  const journal = JSON.stringify(simulator.controlPlane.journal.latest('demo-merchant', 99))
  const [payerId = ''] = /shopper-[0-9a-f]{20}/.exec(journal) ?? []
  expect(stranger.cookies.get('assay-payer')).toMatch(payerId)
  expect(journal).not.toContain(shop.split('/').at(-1))
  expect(journal).not.toContain(stranger.cookies.get('assay-payer')?.split('.').at(-1))
  const reader = createShopVisitor(simulator)
  for (const forged of [`${payerId}.1`, `${payerId}.1.${'A'.repeat(22)}`]) {
    reader.cookies.set('assay-payer', forged)
    await reader.visit(path)
    const bought = await reader.checkout(shop)
    await reader.post(bought.path, { method: 'IRIS', order: bought.order })
    expect(reader.cookies.get('assay-payer')).not.toContain(payerId)
  }

  const back = new URL(
    (await stranger.post(`${bank}/banks/meltemi/accounts/current?user=Maria`, { action: 'approve' })).location,
  )
  const there = `${shop}/orders/${order}?from=bank`
  expect((await stranger.visit(back.pathname)).location).toBe(there)
  expect((await createShopVisitor(simulator).visit(back.pathname, { headers: OPERATOR })).location).toBe(there)
  const elsewhere = await createShopVisitor(simulator).visit(back.pathname)
  expect([elsewhere.status, elsewhere.location]).toEqual([200, ''])
  expect(elsewhere.text).toContain('Return to the browser in which you bought.')
})

test('the key of one shop opens no other', async () => {
  const simulator = await startScopedSimulator()
  await simulator.controlPlane.organizations.create('second-shop')
  const visitor = createShopVisitor(simulator)
  const [one, other] = [await visitor.open('demo-merchant'), await visitor.open('second-shop')]
  const [key, otherKey] = [one, other].map(path => path.split('/').at(-1))
  expect(key).not.toBe(otherKey)
  expect((await visitor.visit(`/shop/second-shop/${key}`)).status).toBe(404)
  expect((await visitor.visit(`/shop/second-shop/${'%C3%A9'.repeat(22)}`)).status).toBe(404)
})

test('the address of a removed organization’s shop opens none of a later one of the same id', async () => {
  const simulator = await startScopedSimulator()
  const { organizations, remove } = simulator.controlPlane
  const visitor = createShopVisitor(simulator)
  await organizations.create('second-shop')
  const before = await visitor.open('second-shop')
  expect((await visitor.visit(before)).status).toBe(200)
  await remove('second-shop')
  await organizations.create('second-shop')
  expect((await visitor.visit(before)).status).toBe(404)
  expect((await visitor.visit(await visitor.open('second-shop'))).status).toBe(200)
})

test('a form from the page of another site changes nothing', async () => {
  const simulator = await startScopedSimulator()
  const visitor = createShopVisitor(simulator)
  const shop = await visitor.open()
  const { path, order } = await visitor.checkout(shop)
  const evil = { origin: 'https://evil.example' }
  for (const [to, fields] of [
    [path, { method: 'IRIS', order }],
    [`${shop}/demo`, { demo: 'on' }],
    ['/shop/stage', {}],
  ] as const)
    expect((await visitor.post(to, fields, evil)).status).toBe(403)
  expect((await organizationControl(simulator).get('payments')).body.payments).toEqual([])
  expect(visitor.cookies.has('assay-demo')).toBe(false)
})

test('the demo mode leads back to the shop, and nowhere else', async () => {
  const visitor = createShopVisitor(await startScopedSimulator())
  const shop = await visitor.open()
  const to = async (back: string) => (await visitor.post(`${shop}/demo`, { demo: 'on', to: back })).location
  expect(await to(`${shop}/stage?phone=p`)).toBe(`${shop}/stage?phone=p`)
  for (const away of ['https://evil.example', '//evil.example', `${shop}@evil.example\\`, ''])
    expect(await to(away)).toBe(shop)
})

test('a webhook that does not verify is refused, whether there is such an organization or not', async () => {
  const simulator = await startScopedSimulator()
  const visitor = createShopVisitor(simulator)
  const { path, order } = await visitor.checkout(await visitor.open())
  await visitor.post(path, { method: 'IRIS', order })
  const answers = await Promise.all(
    ['demo-merchant', 'nobody'].map(async id => {
      const body = JSON.stringify({ notificationType: 'PAYMENT_CAPTURE', clientTransactionId: order })
      const headers = { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AA==' }
      return visitor.visit(`/shop/webhooks/${id}`, { method: 'POST', body, headers })
    }),
  )
  expect(answers.map(({ status }) => status)).toEqual([401, 401])
})

test('there is no shop with --shop off, nor in production, where it cannot be asked for', async () => {
  for (const config of [{ shop: 'off' }, { environment: 'production' }] as const) {
    const visitor = createShopVisitor(await startScopedSimulator(config))
    expect((await visitor.visit('/shop')).status).toBe(404)
    expect((await visitor.visit('/')).text).not.toContain('data-testid="open-shop"')
  }
  await expect(startScopedSimulator({ environment: 'production', shop: 'on' })).rejects.toThrow(/drop --shop/)
})

test('the holder of an organization’s token opens its own shop and stage, and those of no other', async () => {
  const simulator = await startScopedSimulator({ controlToken: TOKEN })
  await simulator.controlPlane.organizations.create('team-shop')
  const made = await fetch(`${simulator.pagesUrl}/control/organizations/team-shop/control-tokens`, {
    method: 'POST',
    headers: { ...OPERATOR, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'team', role: 'act' }),
  })
  const { token } = (await made.json()) as { token: string }
  const team = { authorization: `Bearer ${token}` }
  const visitor = createShopVisitor(simulator)
  const own = (await visitor.visit('/shop', { headers: team })).location
  expect(own).toMatch(/^\/shop\/team-shop\/[\w-]{22}$/)
  expect((await visitor.post('/shop/stage', {}, team)).location).toContain(`${own}/stage?phone=`)
  const other = await visitor.open('demo-merchant', OPERATOR)
  for (const path of ['/shop/demo-merchant', '/shop/nobody', `${other}/stage`])
    expect((await visitor.visit(path, { headers: team })).status).toBe(403)
  expect((await visitor.post('/shop/stage', { organization: 'demo-merchant' }, team)).status).toBe(403)
})

test('who signs in to be shown a payment comes to the stage, which a click then plays', async () => {
  const simulator = await startScopedSimulator({ controlToken: TOKEN })
  const visitor = createShopVisitor(simulator)
  const to = (await visitor.post('/shop/stage', {})).location
  const signedIn = await visitor.post('/portal/sign-in', {
    token: TOKEN,
    to: new URL(to, 'http://here').searchParams.get('to') ?? '',
  })
  const stage = await visitor.visit(signedIn.location)
  expect(stage.location).toMatch(/^\/shop\/demo-merchant\/[\w-]{22}\/stage$/)
  expect((await visitor.visit(stage.location)).text).toContain('data-testid="stage-phone"')
})
