import { describe, expect, test } from 'vitest'
import { createPages } from '../../hosted-pages/all-page-routes.ts'
import { ACCOUNTS } from '../../hosted-pages/iris/accounts.ts'
import { BANKS } from '../../hosted-pages/iris/banks.ts'
import { money } from '../../hosted-pages/money-and-date-format.ts'
import { BLIK_BANKS } from '../../simulator/providers/blik-banks.ts'
import { readEventStream } from '../support/event-stream.ts'
import { pollUntil } from '../support/poll-until.ts'
import { createFakeShopperFeatures } from './fake-shopper-features.ts'
import { shopperPageAddresses } from './shopper-page-addresses.ts'
import { TEST_IDS } from './shopper-page-test-ids.ts'

const fake = createFakeShopperFeatures()
const pages = createPages(fake.features)
/** Uncompressed, well below what a page may weigh compressed: what grows is to be noticed early. */
const HEAVIEST_PAGE_IN_BYTES = 37_000

const AT_BANK = '/banks/elaia/accounts/current'

const form = (action: string) => ({ method: 'POST', body: new URLSearchParams({ action }) })

const textOf = async (path: string) => (await pages.request(path)).text()
const assetsOf = (page: string) => [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address]) => String(address))

describe('headers', () => {
  test('a page loads only its own origin, is framed by our own stage at most, and is not cached', async () => {
    for (const [name, path] of await shopperPageAddresses(fake)) {
      const { headers } = await pages.request(path)
      expect(headers.get('Content-Security-Policy'), name).toMatch(
        /^default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors '(none|self)'; form-action 'self'( http: https:)?$/,
      )
      const isFramedByStage = /^\/(shop|blik|iris)\//.test(path)
      expect(headers.get('Content-Security-Policy'), name).toContain(`ancestors '${isFramedByStage ? 'self' : 'none'}'`)
      expect(headers.get('X-Content-Type-Options'), name).toBe('nosniff')
      expect(headers.get('Referrer-Policy'), name).toBe('same-origin')
      expect(headers.get('Cache-Control'), name).toBe('no-store')
    }
  })

  test('assets are cached immutably under a URL with their hash, and revalidated with 304', async () => {
    const addresses = assetsOf(await textOf('/'))
    expect(addresses).toHaveLength(4)
    for (const address of addresses) {
      const { status, headers } = await pages.request(address)
      expect(status).toBe(200)
      expect(headers.get('Cache-Control')).toContain('immutable')
      const again = await pages.request(address, { headers: { 'If-None-Match': String(headers.get('ETag')) } })
      expect(again.status).toBe(304)
      const plain = await pages.request(address.replace(/\?.*/, ''))
      expect(plain.headers.get('Cache-Control')).toBe('no-cache')
    }
  })
})

test('every page with its stylesheet, script and icon stays below its size limit', async () => {
  for (const [name, path] of await shopperPageAddresses(fake)) {
    const page = await textOf(path)
    const texts = [page, ...(await Promise.all(assetsOf(page).map(textOf)))]
    expect(Buffer.byteLength(texts.join('')), name).toBeLessThan(HEAVIEST_PAGE_IN_BYTES)
  }
})

test.each([
  ['GET', '/nothing'],
  ['GET', '/assets/nothing.css'],
  ['GET', '/blik/nobody'],
  ['GET', '/blik/nobody/stream'],
  ['POST', '/blik/nobody/phones'],
  ['GET', '/blik/demo-merchant/phones/none'],
  ['POST', '/blik/demo-merchant/phones/none/codes'],
  ['POST', '/blik/demo-merchant/phones/none/revoke'],
  ['GET', '/blik/demo-merchant/phones/none/codes/none'],
  ['GET', '/blik/demo-merchant/phones/none/codes/none/stream'],
  ['POST', '/blik/demo-merchant/phones/none/codes/none/decision'],
  ['GET', '/iris/none'],
  ['GET', '/iris/none/stream'],
  ['GET', '/iris/none/banks/elaia'],
  ['POST', '/iris/none/decision'],
  ['GET', '/iris/none/left'],
  ['GET', '/iris/none/banks/elaia/accounts?user=Maria'],
  ['POST', '/iris/none/banks/elaia/accounts/current'],
  ['GET', '/iris/%00/banks/%F0%9F'],
])('%s %s is a 404 page', async (method, path) => {
  const answer = await pages.request(path, { method })
  expect(answer.status).toBe(404)
  expect(await answer.text()).toContain('data-testid="to-start"')
})

test('a bank or an account that does not exist is not found', async () => {
  for (const path of ['none', 'none/accounts?user=Maria', 'elaia/accounts/none?user=Maria'])
    expect((await pages.request(`${fake.redirect()}/banks/${path}`)).status).toBe(404)
})

test('approval requires a bank and one of its accounts', async () => {
  const before = fake.decisions.length
  for (const path of ['/decision', '/banks/elaia/accounts/none', '/banks/none/accounts/current'])
    for (const action of ['approve', 'leave']) await pages.request(fake.redirect() + path, form(action))
  expect(fake.decisions).toHaveLength(before)
})

test('a code belongs to its phone, and a phone to its organization', async () => {
  const [phone, other] = [await fake.phone(), await fake.phone()]
  const { codeId } = await fake.features.shopper.createCode('demo-merchant', { phoneId: phone.phoneId })
  const statusOf = async (path: string) => (await pages.request(path)).status
  expect(await statusOf(`${phone.path}/codes/${codeId}`)).toBe(200)
  expect(await statusOf(`${other.path}/codes/${codeId}`)).toBe(404)
  expect(await statusOf(phone.path.replace('demo-merchant', 'second-shop'))).toBe(404)
})

test('a saved shop can be revoked only on its own phone', async () => {
  const [phone, other] = [await fake.phone(), await fake.phone()]
  fake.keep(phone.phoneId, { paymentToken: 'kept' })
  const revoke = (path: string) =>
    pages.request(`${path}/revoke`, { method: 'POST', body: new URLSearchParams({ paymentToken: 'kept' }) })
  expect((await revoke(other.path)).headers.get('Location')).toBe(other.path)
  expect(await textOf(phone.path)).toContain('data-standing="valid"')
  expect((await revoke(phone.path)).status).toBe(303)
  expect(await textOf(phone.path)).toContain('data-standing="revoked"')
})

test('an unknown bank creates no phone', async () => {
  for (const bank of ['none', 'constructor', '']) {
    const body = new URLSearchParams({ bank })
    const answer = await pages.request('/blik/demo-merchant/phones', { method: 'POST', body })
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/blik/demo-merchant'])
  }
})

test('a form without a known action decides nothing', async () => {
  const path = fake.redirect()
  const phone = await fake.phone()
  const { code, codeId } = await fake.features.shopper.createCode('demo-merchant', { phoneId: phone.phoneId })
  fake.push(code)
  const before = fake.decisions.length
  for (const place of [path, `${phone.path}/codes/${codeId}`]) {
    for (const request of [
      form('steal'),
      form('constructor'),
      { method: 'POST', body: '{"action":"approve"}' },
      { method: 'POST' },
    ]) {
      const answer = await pages.request(`${place}/decision`, request)
      expect([answer.status, answer.headers.get('Location')]).toEqual([303, place])
    }
  }
  expect(fake.decisions).toHaveLength(before)
})

test('the return URL is sent unchanged, unless a header cannot hold it', async () => {
  const returned = async (returnUrl: string) =>
    (await pages.request(fake.redirect({ returnUrl }) + AT_BANK, form('approve'))).headers.get('Location')
  expect(await returned('https://shop.example?a=%7e&b')).toBe('https://shop.example?a=%7e&b')
  expect(await returned('https://shop.example/é?a=%20ω')).toBe('https://shop.example/%C3%A9?a=%20%CF%89')
})

test('forms may lead to the scheme of an app, if the return URL has it', async () => {
  const policyOf = async (returnUrl: string) =>
    (await pages.request(fake.redirect({ returnUrl }))).headers.get('Content-Security-Policy')
  expect(await policyOf('myshop://back')).toMatch(/form-action 'self' http: https: myshop:$/)
  expect(await policyOf('https://shop.example/')).toMatch(/form-action 'self' http: https:$/)
})

test('a payment without a return URL ends on a page of the sandbox', async () => {
  const path = fake.redirect()
  const answer = await pages.request(path + AT_BANK, form('approve'))
  expect(answer.headers.get('Location')).toBe(path)
  expect(await textOf(path)).not.toContain('iris-return')
})

test('the stream of a page tells its stage and time as they change, and nothing of the payment', async () => {
  const phone = await fake.phone()
  const { code, codeId, now, expiresAt } = await fake.features.shopper.createCode('demo-merchant', {
    phoneId: phone.phoneId,
  })
  const line = await readEventStream(`${phone.path}/codes/${codeId}/stream`, {}, pages.request)
  const stages = (count: number) =>
    pollUntil(
      () => line.told.map(({ data }) => JSON.parse(data)),
      told => told.length >= count,
    )
  expect(await stages(1)).toEqual([{ stage: 'code', now, rate: 0, expiresAt }])
  fake.push(code)
  expect((await stages(2)).at(-1)).toEqual({ stage: 'waiting', now, rate: 0, expiresAt: now + 45_000 })
  line.stop()
})

test('the table of test ids and the pages agree', async () => {
  const seen = new Set<string>()
  for (const [, path] of await shopperPageAddresses(fake)) {
    const page = await textOf(path)
    for (const [, id] of page.matchAll(/data-testid="([^"]+)"/g)) seen.add(String(id))
  }
  const stage = await textOf('/shop/demo-merchant/key/stage?phone=phone-1')
  const kept = await pages.request('/shop/demo-merchant/key/products/jar', {
    headers: { cookie: 'assay-payer=shopper-0123456789abcdef0123.1.proof' },
  })
  const { phoneId } = await fake.phone()
  const phones = await pages.request('/blik/demo-merchant', { headers: { cookie: `assay-phone=${phoneId}` } })
  for (const page of [stage, await kept.text(), await phones.text()])
    for (const [, id] of page.matchAll(/data-testid="([^"]+)"/g)) seen.add(String(id))
  const banks = { 'iris-bank-{id}': BANKS, 'iris-account-{id}': ACCOUNTS, 'blik-bank-{id}': BLIK_BANKS }
  const known = TEST_IDS.flatMap(([id]) =>
    id in banks ? banks[id as keyof typeof banks].map(bank => id.replace('{id}', bank.id)) : [id],
  )
  expect([...seen].sort()).toEqual([...known].sort())
})

test.each([
  [12_999, 'PLN', 'PLN\u00a0129.99'],
  [5, 'EUR', '€0.05'],
  [500, 'JPY', 'JP¥500'],
  [1_234_567, 'KWD', 'KWD\u00a01,234.567'],
  [Number.MAX_SAFE_INTEGER, 'EUR', '€90,071,992,547,409.91'],
])('%i minor units of %s are formatted as %s', (amount, currency, written) => {
  expect(money(amount, currency, 'en')).toBe(written)
})
