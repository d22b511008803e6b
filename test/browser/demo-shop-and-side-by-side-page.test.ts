import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { lintCheckout } from '../../fixtures/lint-blik-checkout.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { accessibilityFlaws } from './accessibility-flaws.ts'
import { expect, openBrowser, type TestBrowser } from './open-browser.ts'

let simulator: TestSimulator
let browser: TestBrowser

beforeAll(async () => {
  simulator = await startTestSimulator()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await simulator?.stop()
})
afterEach(async () => {
  await browser.closePages()
  expect(browser.complaints.splice(0)).toEqual([])
})

const WIDE = { viewport: { width: 1280, height: 860 } }

const openStage = async (options: typeof WIDE & { locale?: string } = WIDE): Promise<Page> => {
  const page = await browser.newPage(options)
  await page.goto(simulator.pagesUrl)
  await page.getByTestId('open-stage').click()
  await page.getByTestId('stage-phone').waitFor()
  return page
}

const inFrame = (page: Page, name: 'shop' | 'phone' | 'timeline') => page.frameLocator(`[data-testid=stage-${name}]`)

/** A phone with a fresh code, on its home screen. */
const openPhone = async (): Promise<{ phone: Page; code: string }> => {
  const phone = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await phone.goto(`${simulator.pagesUrl}/blik`)
  await phone.getByTestId('blik-bank-modrzew').click()
  await phone.getByTestId('blik-new-code').click()
  const code = (await phone.getByTestId('blik-code').textContent()) ?? ''
  await phone.getByTestId('blik-close').click()
  return { phone, code }
}

test('two clicks from the landing page show a BLIK payment: the first opens the stage, the second plays it', async () => {
  const page = await openStage()
  await page.getByTestId('stage-play').click()
  await expect(inFrame(page, 'phone').getByTestId('blik-outcome')).toHaveAttribute('data-outcome', 'approved')
  await expect(inFrame(page, 'shop').getByTestId('shop-order')).toHaveAttribute('data-state', 'paid')
  await expect(inFrame(page, 'timeline').locator('h1')).toContainText('BLIK')
  await expect(page.getByTestId('stage-play')).toBeEnabled()
  await page.goto(new URL((await page.getByTestId('stage-timeline').getAttribute('src')) ?? '', page.url()).href)
  await page.locator('svg.tl').waitFor()
  expect(await accessibilityFlaws(page)).toEqual([])
})

test('on the stage the code of the phone is typed into the shop, and the shopper decides by hand', async () => {
  const page = await openStage()
  await inFrame(page, 'shop').getByTestId('shop-product').first().click()
  await expect(inFrame(page, 'shop').getByTestId('shop-code')).toHaveValue(/^\d{3} \d{3}$/)
  await inFrame(page, 'shop').getByTestId('shop-pay-blik').click()
  await expect(inFrame(page, 'shop').getByText('This page updates by itself.')).toBeVisible()
  await inFrame(page, 'phone').getByTestId('blik-waiting').click()
  await inFrame(page, 'phone').getByTestId('blik-decline').click()
  await expect(inFrame(page, 'shop').getByTestId('shop-order')).toHaveAttribute('data-state', 'failed')
})

test('the demo mode hides hints on PINs and the buttons of testers, until it ends', async () => {
  const page = await openStage()
  await page.getByTestId('demo-mode').click()
  await inFrame(page, 'shop').getByTestId('shop-product').first().click()
  await expect(inFrame(page, 'shop').getByTestId('shop-code')).toHaveValue(/^\d{3} \d{3}$/)
  await inFrame(page, 'shop').getByTestId('shop-pay-blik').click()
  await inFrame(page, 'phone').getByTestId('blik-waiting').click()
  await inFrame(page, 'phone').getByTestId('blik-pin').waitFor()
  await expect(inFrame(page, 'phone').getByTestId('blik-lapse')).toHaveCount(0)
  await expect(inFrame(page, 'phone').locator('#pin-note')).toHaveText('')
  await expect(inFrame(page, 'shop').getByTestId('shop-step')).toHaveCount(0)
  await page.getByTestId('demo-mode').click()
  await inFrame(page, 'phone').getByTestId('blik-waiting').click()
  await inFrame(page, 'phone').getByTestId('blik-lapse').waitFor()
  await inFrame(page, 'phone').getByTestId('blik-decline').click()
})

test('the phone remembers: its open code, the payment that waits, and the last payments; closing loses nothing', async () => {
  const { phone, code } = await openPhone()
  await expect(phone.getByTestId('blik-code')).toHaveText(code)
  await phone.getByTestId('blik-countdown').waitFor()
  const shop = await browser.newPage(WIDE)
  await shop.goto(`${simulator.pagesUrl}/shop`)
  await shop.getByTestId('shop-product').first().click()
  await shop.getByTestId('shop-code').fill(code)
  await shop.getByTestId('shop-keep').check()
  await shop.getByTestId('shop-pay-blik').click()
  await phone.getByTestId('blik-waiting').waitFor()
  await expect(phone.getByTestId('blik-code')).toHaveCount(0)
  expect(await accessibilityFlaws(phone)).toEqual([])
  await phone.getByTestId('blik-waiting').click()
  await phone.getByTestId('blik-pin').fill('1234')
  await phone.getByTestId('blik-approve').click()
  await phone.getByTestId('blik-keep').click()
  await expect(shop.getByTestId('shop-order')).toHaveAttribute('data-state', 'paid')
  await phone.reload()
  await expect(phone.locator('.lead').first()).toHaveText(
    'It may charge you without asking you, until you revoke that.',
  )
  const end = phone.url()
  await phone.getByTestId('blik-close').click()
  await expect(phone.getByTestId('blik-payment')).toHaveAttribute('data-outcome', 'approved')

  await shop.getByTestId('shop-more').click()
  await shop.getByTestId('shop-product').nth(1).click()
  expect(await accessibilityFlaws(shop)).toEqual([])
  await shop.getByTestId('shop-pay-kept').click()
  await expect(shop.getByTestId('shop-order')).toHaveAttribute('data-state', 'paid')
  await expect(phone.getByTestId('blik-payment')).toHaveCount(2)
  await phone.getByTestId('blik-ask-revoke').click()
  expect(await accessibilityFlaws(phone)).toEqual([])
  await phone.getByTestId('blik-revoke').click()
  await phone.goto(end)
  await expect(phone.locator('.lead').first()).toContainText('You have revoked the consent since')
})

test('a form of shop or phone whose sending was stopped may be sent again', async () => {
  const page = await browser.newPage(WIDE)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  const sent: (string | null)[] = []
  const sendAgain = async (button: string) => {
    sent.length = 0
    await page.route('**/*', async route => {
      if (route.request().method() !== 'POST') return route.continue()
      sent.push(route.request().postData())
      await route.fulfill({ status: 204 }) // the page stays
    })
    await page.getByTestId(button).click()
    await expect.poll(() => sent.length).toBe(1)
    await page.clock.runFor(5_000)
    await page.getByTestId(button).click()
    await expect.poll(() => sent).toEqual([sent[0], sent[0]])
    await page.unroute('**/*')
    await page.clock.runFor(5_000)
  }
  await page.goto(`${simulator.pagesUrl}/shop`)
  await page.getByTestId('shop-product').first().click()
  await sendAgain('shop-pay-iris')
  await page.goto(`${simulator.pagesUrl}/blik/demo-merchant`)
  await page.getByTestId('blik-bank-modrzew').click()
  await sendAgain('blik-new-code')
})

test('a code that is made over control appears on its phone', async () => {
  const phone = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await phone.goto(`${simulator.pagesUrl}/blik`)
  await phone.getByTestId('blik-bank-zuraw').click()
  await phone.getByTestId('blik-new-code').waitFor()
  await expect(phone.getByTestId('blik-code')).toHaveCount(0)
  const answer = await fetch(`${simulator.pagesUrl}/control/organizations/demo-merchant/blik/codes`, {
    method: 'POST',
    body: JSON.stringify({ phone: phone.url().split('/').at(-1) }),
  })
  const { code } = (await answer.json()) as { code: string }
  await expect(phone.getByTestId('blik-code')).toHaveText(code)
})

// biome-ignore format: a table reads by its columns
test.each([
  ['a digit in the middle',                 2, ['Backspace', '9'],           '193 456'],
  ['the digit before the space',            3, ['Backspace', '9'],           '129 456'],
  ['the digit before the space, after it',  4, ['Backspace', 'Backspace', '9'], '129 456'],
  ['the digit after the space',             3, ['Delete', 'Delete', '9'],    '123 956'],
  ['digits up to the space and on',         1, ['Delete', 'Delete', 'Delete', '7', '8', '9'], '178 956'],
])('in the shop’s code %s is corrected where the caret is', async (_what, caret, keys, code) => {
  const page = await browser.newPage(WIDE)
  await page.goto(`${simulator.pagesUrl}/shop`)
  await page.getByTestId('shop-product').first().click()
  const field = page.getByTestId('shop-code')
  await field.pressSequentially('123456')
  await expect(field).toHaveValue('123 456')
  await field.evaluate((input, at) => (input as HTMLInputElement).setSelectionRange(at, at), caret)
  for (const key of keys) await page.keyboard.press(key)
  await expect(field).toHaveValue(code)
})

test('the checkout of the shop keeps every rule of a BLIK checkout', async () => {
  const page = await browser.newPage(WIDE)
  await page.goto(`${simulator.pagesUrl}/shop`)
  const front = page.url()
  const control = `${simulator.pagesUrl}/control/organizations/demo-merchant/blik/codes`
  const findings = await lintCheckout({
    page,
    open: () => page.goto(`${front}/products/jar`),
    field: page.getByTestId('shop-code'),
    pay: page.getByTestId('shop-pay-blik'),
    code: async () => ((await (await fetch(control, { method: 'POST', body: '{}' })).json()) as { code: string }).code,
  })
  expect(findings.filter(({ verdict }) => verdict === 'fail').map(({ id, reason }) => [id, reason])).toEqual([])
})

test.each([
  [320, 'en'],
  [390, 'en'],
  [800, 'en'],
  [1280, 'en'],
  [1920, 'en'],
  [360, 'pl'],
  [360, 'el'],
  [800, 'el'],
])('the stage is accessible and nothing sticks out at %i px in %s', async (width, locale) => {
  const page = await openStage({ viewport: { width, height: 860 }, locale })
  await inFrame(page, 'phone').getByTestId('blik-code').waitFor()
  expect(await accessibilityFlaws(page)).toEqual([])
})

test('without JavaScript a payment goes from the landing page to the end', async () => {
  const options = { javaScriptEnabled: false, ...WIDE }
  const [phone, shop] = [await browser.newPage(options), await browser.newPage(options)]
  await phone.goto(`${simulator.pagesUrl}/blik`)
  await phone.getByTestId('blik-bank-modrzew').click()
  await phone.getByTestId('blik-new-code').click()
  const code = (await phone.getByTestId('blik-code').textContent()) ?? ''
  const { clock } = simulator.controlPlane
  await clock.freeze('demo-merchant', true) // nothing settles meanwhile
  await shop.goto(simulator.pagesUrl)
  await shop.getByTestId('open-shop').click()
  await shop.getByTestId('shop-product').first().click()
  await shop.getByTestId('shop-code').fill(code)
  await shop.getByTestId('shop-pay-blik').click()
  await expect(shop.getByText('This page updates by itself.')).toBeHidden()
  await expect(shop.locator('noscript .quiet-line')).toBeVisible()
  await phone.getByTestId('blik-refresh').click()
  await phone.getByTestId('blik-pin').fill('1234')
  await phone.getByTestId('blik-approve').click()
  await expect(async () => {
    await shop.getByTestId('shop-look').click({ timeout: 2_000 })
    await expect(shop.getByTestId('shop-order')).toHaveAttribute('data-state', 'paid', { timeout: 1_000 })
  }).toPass()
  await expect(shop.getByTestId('shop-refund')).toBeHidden()
  await shop.getByTestId('shop-ask-refund').click()
  await shop.getByTestId('shop-refund').click()
  await expect(shop.getByTestId('shop-problem')).toHaveText('It cannot be sent back just now. Please try again later.')
  await clock.freeze('demo-merchant', false)
})
