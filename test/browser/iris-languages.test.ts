import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import { createPages } from '../../hosted-pages/all-page-routes.ts'
import { IRIS } from '../../hosted-pages/texts/iris.ts'
import { LANGUAGES, type Language } from '../../hosted-pages/texts/languages.ts'
import { createFakeShopperFeatures } from './fake-shopper-features.ts'
import { signInAtBank } from './iris-bank-steps.ts'
import { expect, openBrowser, type TestBrowser } from './open-browser.ts'
import { serveOnFreePort } from './serve-on-free-port.ts'

const SUMS = { en: '€129.99', pl: '129,99 €', el: '129,99 €' } as const satisfies Record<Language, string>

let browser: TestBrowser
let site: Awaited<ReturnType<typeof serveOnFreePort>>
const fake = createFakeShopperFeatures()

beforeAll(async () => {
  browser = await openBrowser()
  site = await serveOnFreePort(createPages(fake.features))
})
afterAll(async () => {
  await browser.close()
  await site.close()
})
afterEach(async () => {
  await browser.closePages()
  expect(browser.complaints.splice(0)).toEqual([])
})

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

describe.each(LANGUAGES)('%s', language => {
  /** A page that is to say this title of the table, in a document of this language. */
  const expectSaid = async (page: Page, title: keyof typeof IRIS) => {
    await expect(heading(page)).toHaveText(IRIS[title][language])
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language)
  }

  test.for([
    ['the payment says it (2.4)', { locale: `${language}-XX` }, 'de-DE'],
    ['the browser prefers it', {}, language],
  ] as const)('the whole way, because %s', async ([, about, locale]) => {
    const page = await browser.newPage({ locale })
    await page.goto(site.url + fake.redirect({ ...about, returnUrl: `${site.url}/` }))
    await expectSaid(page, 'irisTitle')
    await expect(page.getByTestId('iris-amount')).toHaveText(SUMS[language])
    await page.getByTestId('iris-bank-thymari').click()
    await expectSaid(page, 'signInTitle')
    await signInAtBank(page)
    await expectSaid(page, 'accountsTitle')
    await page.getByTestId('iris-account-current').click()
    await expectSaid(page, 'bankTitle')
    await page.getByTestId('iris-confirm').click()
    await expectSaid(page, 'confirmingTitle')
    fake.advance(20)
    await expect(page.getByTestId('iris-outcome')).toHaveText(IRIS.irisApprovedTitle[language])
  })

  // biome-ignore format: a table reads by its columns
  test.for([
    ['irisDeclinedTitle', { outcome: 'declined' },                              ''],
    ['irisByBankTitle',   { outcome: 'declined', cause: 'INSUFFICIENT_FUNDS' }, ''],
    ['irisExpiredTitle',  { outcome: 'expired' },                               ''],
    ['leftTitle',         { outcome: 'approved' },                              '/left'],
  ] as const)('the end: %s', async ([title, about, path]) => {
    const page = await browser.newPage()
    await page.goto(site.url + fake.redirect({ ...about, locale: language }) + path)
    await expectSaid(page, title)
  })
})

test('the payment’s locale precedes the browser’s, and an unsupported language becomes English', async () => {
  const page = await browser.newPage({ locale: 'pl-PL' })
  await page.goto(site.url + fake.redirect({ locale: 'el-GR' }))
  await expect(heading(page)).toHaveText(IRIS.irisTitle.el)
  const german = await browser.newPage({ locale: 'de-DE' })
  await german.goto(site.url + fake.redirect({ locale: 'de' }))
  await expect(heading(german)).toHaveText(IRIS.irisTitle.en)
})
