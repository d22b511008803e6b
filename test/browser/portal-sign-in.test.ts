import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { accessibilityFlaws } from './accessibility-flaws.ts'
import { expect, openBrowser, type TestBrowser } from './open-browser.ts'
import { PORTAL, type PortalSandbox, startPortalSandbox } from './portal-sandbox.ts'

const TOKEN = 'a-token-for-browsers-9'

let site: PortalSandbox
let browser: TestBrowser

beforeAll(async () => {
  site = await startPortalSandbox({ controlToken: TOKEN })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await site?.stop()
})
afterEach(async () => {
  await browser.closePages()
  // The page that asks says 401, and JSON has no icon.
  expect(browser.complaints.splice(0).filter(complaint => !/status of (401|404)/.test(complaint))).toEqual([])
})

test.each([
  [360, 'light'],
  [1280, 'dark'],
] as const)(
  'who has the token types it in once, and the page that was wanted opens: %i px, %s',
  async (width, colorScheme) => {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } })
    await page.goto(`${site.url}${PORTAL}/webhooks?state=waiting`)
    expect(await accessibilityFlaws(page)).toEqual([])
    await page.getByTestId('token-field').fill('another')
    await page.getByTestId('portal-sign-in').click()
    await expect(page.getByTestId('portal-refused')).toBeVisible()
    await expect(page.getByTestId('token-field')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByTestId('token-field')).toHaveAccessibleDescription(/^This is no token of this sandbox/)
    await page.getByTestId('token-field').fill(TOKEN)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${site.url}${PORTAL}/webhooks?state=waiting`)
    const [cookie] = await page.context().cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', expires: -1 })
    expect(JSON.stringify(cookie)).not.toContain(TOKEN)
    expect(await page.evaluate(() => document.cookie)).toBe('')
    await page.getByTestId('portal-sign-out').click()
    await expect(page.getByTestId('token-field')).toBeVisible()
  },
)

test('the choice of a phone asks for the token and opens after sign-in', async () => {
  const page = await browser.newPage()
  await page.goto(`${site.url}/blik`)
  await page.getByTestId('token-field').fill(TOKEN)
  await page.getByTestId('portal-sign-in').click()
  await expect(page).toHaveURL(`${site.url}/blik/demo-merchant`)
})

test('an address of control leads there after sign-in, and the landing page then links to kit and journal', async () => {
  const page = await browser.newPage()
  await page.goto(site.url)
  await expect(page.getByTestId('organizations-hidden')).toBeVisible()
  await page.goto(`${site.url}/control/organizations/demo-merchant/journal`)
  await page.getByTestId('token-field').fill(TOKEN)
  await page.getByTestId('portal-sign-in').click()
  await expect(page).toHaveURL(`${site.url}/control/organizations/demo-merchant/journal`)
  await expect(page.locator('body')).toContainText('"calls"')
  await page.goto(site.url)
  await page.getByTestId('open-kit').click()
  await expect(page.locator('body')).toContainText('"privateKey"')
})
