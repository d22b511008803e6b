import type { Page } from 'playwright'
import { expect as judge, test } from 'vitest'
import { accessibilityFlaws } from './accessibility-flaws.ts'
import { expect } from './open-browser.ts'
import { setUpPortalTests, type Visit } from './portal-test-setup.ts'

let { site, browser } = {} as Visit
setUpPortalTests(visit => {
  ;({ site, browser } = visit)
})

const openStage = async (viewport = { width: 1280, height: 800 }, locale = 'en-US'): Promise<Page> => {
  const page = await browser.newPage({ viewport, locale })
  await page.goto(site.url)
  await page.getByTestId('open-stage').click()
  await page.getByTestId('stage-phone').waitFor()
  return page
}

const inFrame = (page: Page, name: 'shop' | 'phone' | 'timeline') => page.frameLocator(`[data-testid=stage-${name}]`)

/** Pays with BLIK in the shop of a stage, until the phone asks. */
const beginBlikPayment = async (page: Page): Promise<void> => {
  const shop = inFrame(page, 'shop')
  await shop.getByTestId('shop-product').first().click()
  await expect(shop.getByTestId('shop-code')).toHaveValue(/^\d{3} \d{3}$/)
  await shop.getByTestId('shop-pay-blik').click()
  await inFrame(page, 'phone').getByTestId('blik-waiting').waitFor()
  await expect(inFrame(page, 'timeline').locator('h1')).toContainText('BLIK')
}

test('at an IRIS bank the timeline has the payment from its initiation on, and the phone is said not to be needed', async () => {
  const page = await openStage()
  const [shop, note] = [inFrame(page, 'shop'), page.getByTestId('stage-phone-note')]
  await expect(note).toBeHidden()
  await shop.getByTestId('shop-product').first().click()
  await shop.getByTestId('shop-pay-iris').click()
  await shop.getByTestId('iris-bank-elaia').waitFor()
  await expect(inFrame(page, 'timeline').locator('h1')).toContainText('IRIS')
  await expect(note).toBeVisible()
  judge(await accessibilityFlaws(page)).toEqual([])
  await shop.getByTestId('iris-bank-elaia').click()
  await shop.getByTestId('iris-user').fill('Maria')
  await shop.getByTestId('iris-sign-in').click()
  await shop.getByTestId('iris-account-current').click()
  await expect(note).toBeVisible()
  await shop.getByTestId('iris-confirm').click()
  await expect(shop.getByTestId('shop-order')).toHaveAttribute('data-state', 'paid')
  await expect(note).toBeHidden()
  await shop.getByTestId('shop-more').click()
  await shop.getByTestId('shop-product').first().click()
  await expect(note).toBeHidden()
  await expect(inFrame(page, 'timeline').locator('h1')).toContainText('IRIS')
})

test('a reload in the midst of a payment keeps order, timeline and phone, and the language of the timeline is said', async () => {
  const page = await openStage(undefined, 'pl-PL')
  const shop = inFrame(page, 'shop')
  await beginBlikPayment(page)
  await page.reload()
  await expect(shop.getByTestId('shop-order')).toHaveAttribute('data-state', 'waiting')
  await expect(inFrame(page, 'timeline').locator('h1')).toContainText('BLIK')
  await expect(inFrame(page, 'timeline').locator('html')).toHaveAttribute('lang', 'en')
  await inFrame(page, 'phone').getByTestId('blik-waiting').click()
  await inFrame(page, 'phone').getByTestId('blik-decline').click()
  await expect(shop.getByTestId('shop-order')).toHaveAttribute('data-state', 'failed')
  await page.getByTestId('demo-mode').click()
  await expect(shop.getByTestId('shop-order')).toHaveAttribute('data-state', 'failed')
})

test('a stage without a phone takes one to play a payment', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${site.url}/shop?stage=`)
  await inFrame(page, 'phone').getByTestId('blik-bank-modrzew').waitFor()
  await page.getByTestId('stage-play').click()
  await expect(inFrame(page, 'shop').getByTestId('shop-order')).toHaveAttribute('data-state', 'paid')
})

test('a code that expires is typed anew, unless the shopper has typed another', async () => {
  const page = await openStage()
  const [shop, phone] = [inFrame(page, 'shop'), inFrame(page, 'phone')]
  const expire = async () => {
    await site.control('POST', `${site.here}/clock`, { advance: 'PT3M' })
    await phone.getByTestId('blik-code').waitFor({ state: 'detached' })
    await phone.getByTestId('blik-new-code').click()
    const digits = (await phone.getByTestId('blik-code').textContent()) ?? ''
    return `${digits.slice(0, 3)} ${digits.slice(3)}`
  }
  await shop.getByTestId('shop-product').first().click()
  await expect(shop.getByTestId('shop-code')).toHaveValue(/^\d{3} \d{3}$/)
  await expect(shop.getByTestId('shop-code')).toHaveValue(await expire())
  await shop.getByTestId('shop-code').fill('123 45')
  await expire()
  const note = page.getByTestId('stage-phone-note')
  await note.evaluate(element => element.removeAttribute('hidden'))
  await expect(note).toBeHidden() // the stage has looked since
  await expect(shop.getByTestId('shop-code')).toHaveValue('123 45')
})

test('a timeline that begins while its frame is open has its stylesheets', async () => {
  const page = await openStage()
  const shop = await page.locator('main').getAttribute('data-front')
  const order = `shop-${crypto.randomUUID()}`
  await page.goto(`${site.url}${shop}/timeline?order=${order}`)
  await page.locator('html[data-connection=live]').waitFor()
  await page.request.post(`${site.url}${shop}/products/jar`, { form: { method: 'IRIS', order } })
  await expect(page.locator('main.stage-column h1')).toContainText('IRIS')
  await expect(page.locator('link[href*="/portal.css"]')).toHaveCount(1)
})

test('an address with an order that is none opens the shop', async () => {
  const page = await openStage()
  await page.goto(`${page.url()}&order=shop-nothing`)
  await inFrame(page, 'shop').getByTestId('shop-product').first().waitFor()
})

test.each([
  [1024, 768],
  [800, 600],
])(
  'at %i × %i shop, phone and timeline are side by side, whole, and stay in view while a payment plays',
  async (width, height) => {
    const page = await openStage({ width, height })
    const boxes = async () => {
      const found = []
      for (const name of ['shop', 'phone', 'timeline'])
        found.push(await page.getByTestId(`stage-${name}`).boundingBox())
      return found.flatMap(box => box ?? [])
    }
    for (const { x, y, width: wide, height: high } of await boxes()) {
      judge(x + wide).toBeLessThanOrEqual(width)
      judge(y + high).toBeLessThanOrEqual(height)
      judge(high).toBeGreaterThan(height / 2)
    }
    const [before] = await boxes()
    await page.getByTestId('stage-play').click()
    await expect(inFrame(page, 'shop').getByTestId('shop-order')).toHaveAttribute('data-state', 'paid')
    judge(await page.evaluate(() => [scrollX, scrollY])).toEqual([0, 0])
    judge((await boxes())[0]).toEqual(before)
    for (const frame of page.frames())
      judge(await frame.evaluate(() => document.documentElement.scrollWidth <= innerWidth), frame.url()).toBe(true)
    judge(await accessibilityFlaws(page)).toEqual([])
  },
)

test('two stages and further pages in visible windows of one browser leave connections to forms, and all go on', {
  timeout: 120_000,
}, async () => {
  const first = await openStage()
  const second = await first.context().newPage()
  await second.goto(site.url)
  await second.getByTestId('open-stage').click()
  for (const page of [first, second]) {
    await beginBlikPayment(page)
  }
  const portal = await first.context().newPage()
  await portal.goto(`${site.url}/portal/organizations/demo-merchant/payments`)
  await expect(portal.getByTestId('payment-row').first()).toContainText('AWAITING_SHOPPER')
  for (const page of [second, first]) {
    await inFrame(page, 'phone').getByTestId('blik-waiting').click()
    await inFrame(page, 'phone').getByTestId('blik-pin').fill('1234')
    await inFrame(page, 'phone').getByTestId('blik-approve').click()
    await expect(inFrame(page, 'shop').getByTestId('shop-order')).toHaveAttribute('data-state', 'paid')
  }
  await expect(portal.getByTestId('payment-row').first()).toContainText(/CAPTURED|SETTLED/) // a settlement may overtake
  await first.close()
  await second.close()
  await expect(portal.locator('html')).toHaveAttribute('data-connection', 'live')
})
