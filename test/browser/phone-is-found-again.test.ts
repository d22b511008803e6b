import type { Page } from 'playwright'
import { expect as judge, test } from 'vitest'
import { accessibilityFlaws } from './accessibility-flaws.ts'
import { expect } from './open-browser.ts'
import { setUpPortalTests, type Visit } from './portal-test-setup.ts'

let { site, browser } = {} as Visit
setUpPortalTests(visit => {
  ;({ site, browser } = visit)
})

/** A phone of a bank, with a code; the answer is the digits. */
const takePhone = async (page: Page, bank: string): Promise<string> => {
  await page.goto(`${site.url}/blik/demo-merchant`)
  await page.getByTestId(`blik-bank-${bank}`).click()
  await page.getByTestId('blik-new-code').click()
  return (await page.getByTestId('blik-code').textContent()) ?? ''
}

const buy = async (shop: Page, code: string) => {
  await shop.goto(`${site.url}/shop/demo-merchant`)
  await shop.getByTestId('shop-product').first().click()
  await shop.getByTestId('shop-code').fill(code)
  await shop.getByTestId('shop-pay-blik').click()
}

test.each([true, false])(
  'a closed phone is found again from the landing page, with its waiting payment; script: %s',
  async javaScriptEnabled => {
    const page = await browser.newPage({ javaScriptEnabled, viewport: { width: 360, height: 740 } })
    await takePhone(page, 'zuraw')
    const code = await takePhone(page, 'modrzew')
    await buy(page, code)
    await page.goto(site.url)
    await page.getByTestId('open-any-phone').click()
    const own = page.getByTestId('blik-own-phone')
    await expect(own).toHaveCount(2)
    await expect(own.first()).toContainText('Bank Modrzew')
    await expect(own.first()).toContainText('To approve: PLN 34.90')
    if (javaScriptEnabled) judge(await accessibilityFlaws(page)).toEqual([])
    await own.first().click()
    await page.getByTestId('blik-waiting').click()
    await page.getByTestId('blik-decline').click()
  },
)

test('a payment that comes while the choice of phones is open appears there; another browser finds no phone', async () => {
  const [page, shop] = [await browser.newPage(), await browser.newPage({ viewport: { width: 900, height: 700 } })]
  const code = await takePhone(page, 'modrzew')
  await page.goto(`${site.url}/blik`)
  await expect(page.getByTestId('blik-own-phone')).not.toContainText('To approve')
  await buy(shop, code)
  await expect(page.getByTestId('blik-own-phone')).toContainText('To approve')
  await shop.goto(`${site.url}/blik/demo-merchant`)
  await shop.getByTestId('blik-bank-modrzew').waitFor()
  await expect(shop.getByTestId('blik-own-phone')).toHaveCount(0)
})

test('the choice of phones follows each of those that it lists', async () => {
  const [page, shop] = [await browser.newPage(), await browser.newPage({ viewport: { width: 900, height: 700 } })]
  const code = await takePhone(page, 'zuraw')
  await takePhone(page, 'modrzew')
  await page.goto(`${site.url}/blik/demo-merchant`)
  await page.locator('html[data-connection=live]').waitFor()
  await buy(shop, code)
  await expect(page.getByTestId('blik-own-phone').nth(1)).toContainText('To approve')
})

test('with several organizations the phone asks in whose shops it pays, and each has its own phones', async () => {
  await site.control('POST', 'organizations', { id: 'second-shop' })
  try {
    const page = await browser.newPage({ viewport: { width: 320, height: 700 } })
    await takePhone(page, 'modrzew')
    await page.goto(site.url)
    await page.getByTestId('open-any-phone').click()
    judge(await accessibilityFlaws(page)).toEqual([])
    await page.getByRole('link', { name: 'second-shop' }).click()
    await page.getByTestId('blik-bank-modrzew').waitFor()
    await expect(page.getByTestId('blik-own-phone')).toHaveCount(0)
  } finally {
    await fetch(`${site.url}/control/organizations/second-shop`, { method: 'DELETE' })
  }
})
