import { expect, test } from 'vitest'
import { isOverPostgres } from '../runner/postgres-exclusions.ts'
import { organizationControl } from '../support/control-client.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'
import { createShopVisitor, stateIn } from './shop-visitor.ts'

type Simulator = Awaited<ReturnType<typeof startScopedSimulator>>

const newCode = async (simulator: Simulator, holder: object = {}): Promise<string> =>
  (await organizationControl(simulator).post('blik/codes', holder)).body.code

const paymentsOf = async (simulator: Simulator) => (await organizationControl(simulator).get('payments')).body.payments

const decide = async (simulator: Simulator, decision: object) => {
  const [{ transactionId }] = await paymentsOf(simulator)
  const { status } = await organizationControl(simulator).post(`payments/${transactionId}/shopper`, decision)
  expect(status).toBe(200)
}

/** A shop in whose checkout a fresh BLIK code was typed; `order` is the path of the order. */
const buyWithBlik = async (simulator: Simulator, more: Record<string, string> = {}, product = 'jar') => {
  const visitor = createShopVisitor(simulator)
  const shop = await visitor.open()
  const { path, order } = await visitor.checkout(shop, product)
  const fields = { method: 'BLIK', order, code: await newCode(simulator), ...more }
  const sent = await visitor.post(path, fields)
  return { visitor, shop, path, fields, sent, order: sent.location }
}

test('BLIK: signed calls by the kit, verified webhooks, an order that is paid, and its refund', async () => {
  const simulator = await startScopedSimulator()
  const { visitor, order, sent } = await buyWithBlik(simulator)
  expect(sent.status).toBe(303)
  expect(stateIn(await visitor.visit(order))).toBe('waiting')
  await decide(simulator, { action: 'approve' })
  const paid = await visitor.orderIn(order, 'paid')
  expect(paid.text).toContain('Linden honey')
  const control = organizationControl(simulator)
  const { calls } = (await control.get('journal')).body
  // A webhook that comes when the order is paid makes the shop read the events as well.
  const besides = ['keySet', 'events']
  const made = calls.filter(({ operation }: { operation?: string }) => operation && !besides.includes(operation))
  expect(new Set(made.map(({ operation }: { operation: string }) => operation))).toEqual(
    new Set(['token', 'initiate', 'status', 'finalize']),
  )
  const delivered = async () => {
    const { deliveries } = (await control.get('deliveries')).body
    return deliveries.filter(({ state }: { state: string }) => state === 'delivered').length
  }
  await expect.poll(delivered).toBeGreaterThanOrEqual(3)
  expect((await visitor.visit(order)).text).toMatch(/data-kind="webhook"[^>]*><code>PAYMENT_/)
  await control.post('clock', { freeze: true })
  const early = await buyWithBlik(simulator)
  await decide(simulator, { action: 'approve' })
  await early.visitor.orderIn(early.order, 'paid')
  await early.visitor.post(`${early.order}/refund`, {})
  expect((await early.visitor.visit(early.order)).text).toContain('data-testid="shop-problem"')
  await control.advance('PT1H')
  for (const one of [order, early.order, order]) {
    expect((await visitor.post(`${one}/refund`, {})).status).toBe(303)
    expect(stateIn(await visitor.visit(one))).toBe('refunded')
  }
})

test('a second click on Pay, or another code for the same order, begins no second payment', async () => {
  const simulator = await startScopedSimulator()
  const visitor = createShopVisitor(simulator)
  const { path, order } = await visitor.checkout(await visitor.open())
  const fields = { method: 'BLIK', order, code: await newCode(simulator) }
  const sent = await Promise.all([visitor.post(path, fields), visitor.post(path, fields)])
  const another = await visitor.post(path, { ...fields, code: await newCode(simulator) })
  expect([...sent, another].map(({ status }) => status)).toEqual([303, 303, 303])
  expect(new Set([...sent, another].map(({ location }) => location)).size).toBe(1)
  expect(await paymentsOf(simulator)).toHaveLength(1)
})

test('two tabs are two orders', async () => {
  const simulator = await startScopedSimulator()
  const [one, other] = [await buyWithBlik(simulator), await buyWithBlik(simulator)]
  expect(one.order).not.toBe(other.order)
  expect(await paymentsOf(simulator)).toHaveLength(2)
})

test('a code of too few digits is asked for again, without a call', async () => {
  const simulator = await startScopedSimulator()
  const { sent, visitor } = await buyWithBlik(simulator, { code: '12 34' })
  expect((await visitor.visit(sent.location)).text).toContain('data-testid="shop-code-wrong"')
  expect(await paymentsOf(simulator)).toHaveLength(0)
})

const reasonIn = ({ text }: { text: string }) => /data-testid="shop-problem">([^<]*)/.exec(text)?.[1]

test('why an order is not paid is said in the words of the shopper, in each language', async () => {
  const simulator = await startScopedSimulator()
  const { visitor, order } = await buyWithBlik(simulator, { code: '000000' })
  for (const [language, sentence] of [
    ['en', 'This BLIK code is wrong or has expired. Make a new one in your bank app.'],
    ['pl', 'Ten kod BLIK jest błędny albo wygasł. Wygeneruj nowy w aplikacji banku.'],
    ['el', 'Ο κωδικός BLIK είναι λάθος ή έληξε. Δημιουργήστε νέο κωδικό στην εφαρμογή της τράπεζας.'],
  ] as const)
    expect(reasonIn(await visitor.visit(order, { headers: { 'accept-language': language } }))).toBe(sentence)
  const mine = await buyWithBlik(simulator)
  await decide(simulator, { action: 'decline' })
  expect(reasonIn(await mine.visitor.orderIn(mine.order, 'failed'))).toBe('The payment was declined in your bank app.')
  const { path, order: reference } = await visitor.checkout(await visitor.open())
  const atBank = (await visitor.post(path, { method: 'IRIS', order: reference })).location
  const back = new URL((await visitor.post(`${atBank}/decision`, { action: 'decline' })).location)
  const canceled = (await visitor.visit(back.pathname)).location
  expect(reasonIn(await visitor.visit(canceled))).toBe('You cancelled the payment at your bank.')
})

test('a code that no bank made, a decline and time that runs out are explained', async () => {
  const simulator = await startScopedSimulator()
  const unknown = await buyWithBlik(simulator, { code: '000000' })
  expect(stateIn(await unknown.visitor.visit(unknown.order))).toBe('failed')
  const declined = await buyWithBlik(simulator)
  await decide(simulator, { action: 'decline', cause: 'INSUFFICIENT_FUNDS' })
  expect((await declined.visitor.orderIn(declined.order, 'failed')).text).toContain('data-testid="shop-problem"')
  const late = await buyWithBlik(simulator)
  await organizationControl(simulator).advance('PT46S')
  await late.visitor.orderIn(late.order, 'failed')
})

test('a kept payer pays with one click, until the consent is revoked', async () => {
  const simulator = await startScopedSimulator()
  const { visitor, shop, order } = await buyWithBlik(simulator, { keep: 'yes' })
  await decide(simulator, { action: 'approve', keep: 'yes' })
  await visitor.orderIn(order, 'paid')
  const kept = await visitor.checkout(shop, 'candle')
  expect(kept.text).toContain('data-testid="shop-pay-kept"')
  const charged = await visitor.post(kept.path, { method: 'kept', order: kept.order })
  await visitor.orderIn(charged.location, 'paid')
  const control = organizationControl(simulator)
  const [{ paymentToken }] = (await control.get('mandates')).body.mandates
  await control.post(`mandates/${paymentToken}/revoke`)
  for (const path of [order, charged.location]) expect((await visitor.visit(path)).text).not.toContain('one click')
  const again = await visitor.checkout(shop, 'box')
  expect(again.text).not.toContain('data-testid="shop-pay-kept"')
  expect(again.text).toContain('data-testid="shop-keep"')
  const refused = await visitor.post(again.path, { method: 'kept', order: again.order })
  const page = await visitor.visit(refused.location)
  expect(stateIn(page)).toBe('failed')
  expect(reasonIn(page)).toBe('Your bank app no longer keeps this shop. Pay with a new BLIK code.')
})

test('IRIS: to the bank at the address of the shop, and back', async () => {
  const simulator = await startScopedSimulator()
  const visitor = createShopVisitor(simulator)
  const { path, order } = await visitor.checkout(await visitor.open())
  const sent = await visitor.post(path, { method: 'IRIS', order })
  expect(sent.location).toMatch(/^\/iris\/[\w-]+$/)
  const confirm = `${sent.location}/banks/meltemi/accounts/current?user=Maria`
  const back = new URL((await visitor.post(confirm, { action: 'approve' })).location)
  expect(back.origin).toBe(simulator.pagesUrl)
  const { location } = await visitor.visit(back.pathname)
  expect(stateIn(await visitor.visit(location))).toBe('paid')
})

test('a restart loses no order and no payer, and a payment that was approved meanwhile is finalized', async () => {
  const first = await startScopedSimulator()
  const { visitor, order, shop } = await buyWithBlik(first, { keep: 'yes' })
  await first.stop()
  const second = await startScopedSimulator({ dataDir: first.dataDir })
  const again = createShopVisitor(second)
  for (const [name, value] of visitor.cookies) again.cookies.set(name, value)
  expect(await again.open()).toBe(shop)
  expect(stateIn(await again.visit(order))).toBe('waiting')
  await decide(second, { action: 'approve', keep: 'yes' })
  await again.orderIn(order, 'paid')
  expect((await again.checkout(shop)).text).toContain('data-testid="shop-pay-kept"')
  await buyWithBlik(second)
  const { webhooks } = (await organizationControl(second).get('webhooks')).body
  const ports = webhooks.map(({ url }: { url: string }) => new URL(url).port)
  // Over PostgreSQL another replica may be at the address of before.
  const before = isOverPostgres ? [new URL(first.pagesUrl).port] : []
  expect(ports).toEqual([...before, new URL(second.pagesUrl).port])
})

test('IRIS: a waiting order still has its way to the bank after a restart', async () => {
  const first = await startScopedSimulator()
  const visitor = createShopVisitor(first)
  const shop = await visitor.open()
  const { path, order } = await visitor.checkout(shop)
  const bank = (await visitor.post(path, { method: 'IRIS', order })).location
  await first.stop()
  const again = createShopVisitor(await startScopedSimulator({ dataDir: first.dataDir }))
  const { text } = await again.visit(`${shop}/orders/${order}`)
  expect(text).toContain(`href="${bank}" data-testid="shop-to-bank"`)
})

test('after a reset the order is gone, and after a removal the shop', async () => {
  const simulator = await startScopedSimulator()
  const { visitor, order, shop } = await buyWithBlik(simulator)
  const control = organizationControl(simulator)
  await control.post('reset')
  expect((await visitor.visit(`${order}?from=bank`)).status).toBe(404)
  expect((await visitor.visit(shop)).status).toBe(200)
  await simulator.controlPlane.organizations.create('second-shop')
  const second = await visitor.open('second-shop')
  expect((await visitor.visit(second)).status).toBe(200)
  await simulator.controlPlane.remove('second-shop')
  for (const path of [second, `${second}/products/jar`, `${second}/products/cup`])
    expect((await visitor.visit(path)).status).toBe(404)
})

test('without the security layers the shop sells all the same', async () => {
  const open = await startScopedSimulator({ layers: [] })
  const bought = await buyWithBlik(open)
  await decide(open, { action: 'approve' })
  await bought.visitor.orderIn(bought.order, 'paid')
})

test('in demo mode the pages of an IRIS bank have no hints and no buttons for testers', async () => {
  const simulator = await startScopedSimulator()
  const visitor = createShopVisitor(simulator)
  const shop = await visitor.open()
  const { path, order } = await visitor.checkout(shop)
  const { location } = await visitor.post(path, { method: 'IRIS', order })
  const seen = async () => {
    const bank = `${new URL(location, simulator.pagesUrl).pathname}/banks/thymari`
    const pages = [location, bank, `${bank}/accounts/current?user=anna`].map(page => visitor.visit(page))
    const text = (await Promise.all(pages)).map(page => page.text).join()
    return ['takes its time', 'any-name', 'iris-confirm-and-leave', 'takes 20 seconds'].filter(one =>
      text.includes(one),
    )
  }
  expect(await seen()).toHaveLength(4)
  await visitor.post(`${shop}/demo`, { demo: 'on', to: shop })
  expect(await seen()).toEqual([])
})
