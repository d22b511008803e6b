import { Hono } from 'hono'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest'
import { createIrisShopper } from '../../fixtures/iris-shopper.ts'
import { createPages } from '../../hosted-pages/all-page-routes.ts'
import { createFakeShopperFeatures } from './fake-shopper-features.ts'
import { confirmAtBank, goToBankConfirmation, signInAtBank } from './iris-bank-steps.ts'
import { expect, openBrowser, type TestBrowser } from './open-browser.ts'
import { serveOnFreePort } from './serve-on-free-port.ts'

type Site = Awaited<ReturnType<typeof serveOnFreePort>>

let browser: TestBrowser
let site: Site
let shop: Site
let page: Page
const fake = createFakeShopperFeatures()

beforeAll(async () => {
  browser = await openBrowser()
  site = await serveOnFreePort(createPages(fake.features))
  shop = await serveOnFreePort(
    new Hono()
      .get('/back', c => c.html('<!doctype html><html lang="en"><title>shop</title><link rel="icon" href="data:,">'))
      .get('/moved', c => c.redirect(`${site.url}/blik/demo-merchant`)),
  )
})
afterAll(async () => {
  await browser.close()
  await site.close()
  await shop.close()
})
afterEach(async () => {
  await browser.closePages()
  expect(browser.complaints.splice(0)).toEqual([])
})

/** Opens the payment page as the shop's redirect does; the answer is its address. */
async function openPayment(about: Parameters<typeof fake.redirect>[0] = {}, on: Page = page): Promise<string> {
  const address = site.url + fake.redirect({ returnUrl: `${shop.url}/back`, ...about })
  await on.goto(address)
  return address
}

const outcome = (on: Page = page) => on.getByTestId('iris-outcome')

// biome-ignore format: a table reads by its columns
test.each([
  ['after some seconds',      () => page.clock.runFor(10_000)],
  ['when it is seen again',   () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))],
])('a page that stays open as the browser hands over to an app shows how the payment ended, %s', async (_when, wait) => {
  page = await browser.newPage()
  await page.clock.install()
  await openPayment({ returnUrl: 'myshop://back/order-1' })
  await goToBankConfirmation(page, 'elaia')
  const isDecided = page.waitForResponse(answer => answer.request().method() === 'POST')
  await page.getByTestId('iris-confirm').click({ noWaitAfter: true })
  await isDecided
  await wait()
  await expect(outcome()).toHaveAttribute('data-outcome', 'approved')
  await page.context().close() // with the clock that it has
  browser.complaints.splice(0) // that it leads outside, as it must
})

test('a name of forty letters, one of them an emoji, is cut to whole letters and fits at 360 px', async () => {
  page = await browser.newPage({ viewport: { width: 360, height: 740 } })
  const address = await openPayment()
  for (const user of [`${'m'.repeat(39)}😀ia`, 'W'.repeat(40)]) {
    await page.goto(`${address}/banks/elaia/accounts?${new URLSearchParams({ user })}`)
    await expect(page.getByTestId('iris-greeting')).toContainText(user.slice(0, 39))
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await page.getByTestId('iris-account-current').click()
    await page.getByTestId('iris-confirm').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  }
})

const SCREENS = [
  ['a desk', { width: 1280, height: 800 }],
  ['a phone', { width: 360, height: 740 }],
] as const

describe.each(SCREENS)('at %s', (_, viewport) => {
  beforeEach(async () => {
    page = await browser.newPage({ viewport })
  })

  test('the shopper chooses bank and account, confirms, and returns to the shop with its query as it was (2.1, E4)', async () => {
    const returnUrl = `${shop.url}/back?order=7&note=a%20b+c&empty=&%CE%B1=1`
    await openPayment({ returnUrl })
    await expect(page.getByTestId('iris-amount')).toHaveText('€129.99')
    await expect(page.getByTestId('iris-payee')).toHaveText('Papierówka Books')
    await expect(page.getByTestId('iris-countdown')).toHaveText('30:00')
    await page.getByTestId('iris-bank-pelagos').click()
    await expect(page.getByTestId('iris-bank-name')).toHaveText('Pelagos Bank')
    await signInAtBank(page, 'Maria')
    await expect(page.getByTestId('iris-greeting')).toContainText('Maria')
    await page.getByTestId('iris-account-savings').click()
    await expect(page.getByTestId('iris-amount')).toHaveText('€129.99')
    await expect(page.getByTestId('iris-account')).toHaveText('Savings account •••• 8820')
    await page.getByTestId('iris-confirm').click()
    await page.waitForURL(returnUrl)
    expect(page.url()).toBe(returnUrl)
    expect(fake.decisions.at(-1)).toMatch(/approve$/)
  })

  test('insufficient funds: the bank declines with an explanation and a link back (7.2, D-104)', async () => {
    await openPayment()
    await confirmAtBank(page, 'pelagos', 'travel')
    await expect(outcome()).toHaveAttribute('data-outcome', 'declined')
    await expect(outcome()).toHaveText('Your bank declined the payment')
    await expect(page.getByRole('main')).toContainText('not enough money')
    expect(fake.decisions.at(-1)).toMatch(/decline INSUFFICIENT_FUNDS$/)
    await page.getByTestId('iris-return').click()
    await page.waitForURL(`${shop.url}/back`)
  })

  test('paid without return: the payment is approved, and no link leads to the shop', async () => {
    const address = await openPayment()
    await goToBankConfirmation(page, 'elaia')
    await page.getByTestId('iris-confirm-and-leave').click()
    await expect(outcome()).toHaveAttribute('data-outcome', 'left')
    await expect(page.getByTestId('iris-return')).toHaveCount(0)
    expect(fake.decisions.at(-1)).toMatch(/ approve /)
    await page.goto(address)
    await expect(outcome()).toHaveAttribute('data-outcome', 'approved')
  })

  test.for(['banks', 'sign-in', 'accounts', 'confirm'])(
    'a request that expires on the open page of %s says so (R7)',
    async (where, _) => {
      await openPayment()
      if (where !== 'banks') await page.getByTestId('iris-bank-pelagos').click()
      if (where === 'accounts' || where === 'confirm') await signInAtBank(page)
      if (where === 'confirm') await page.getByTestId('iris-account-current').click()
      fake.advance(1799)
      await expect(page.getByTestId('iris-countdown')).toHaveText('0:01')
      fake.advance(1)
      await expect(outcome()).toHaveAttribute('data-outcome', 'expired')
      await page.getByTestId('iris-return').click()
      await page.waitForURL(`${shop.url}/back`)
    },
  )
})

describe('wherever', () => {
  beforeEach(async () => {
    page = await browser.newPage()
  })

  test('a shop that redirects to another host is reached', async () => {
    await openPayment({ returnUrl: `${shop.url}/moved` })
    await confirmAtBank(page, 'alkyon')
    await page.waitForURL(/\/blik\/demo-merchant/)
  })

  test.for(['banks', 'bank'])('cancelling on the page of the %s returns to the shop (7.5)', async (where, _) => {
    await openPayment()
    if (where === 'bank') await goToBankConfirmation(page, 'pelagos')
    await page.getByTestId('iris-cancel').click()
    await page.waitForURL(`${shop.url}/back`)
    expect(fake.decisions.at(-1)).toMatch(/decline$/)
  })

  // biome-ignore format: a table reads by its columns
  test.for([
    [{},                                           '/back'],
    [{ account: 'savings' },                       '/back'],
    [{ account: 'travel' },                        '/back'],
    [{ bank: 'thymari', account: 'travel' },       '/back'],
    [{ bank: 'thymari' },                          '/iris'],
  ] as const)('iris.pay of the fixtures returns to the shop, unless the bank has not answered: %j', async ([choice, end]) => {
    await openPayment()
    await createIrisShopper(page).pay(choice)
    if (end === '/back') await page.waitForURL(`${shop.url}/back`)
    else expect(await page.getByTestId('iris-confirming').count()).toBe(1)
  })

  test('iris.pay of the fixtures stays on the page of a bank that declines where the shop has no returnUrl', async () => {
    const address = site.url + fake.redirect()
    await page.goto(address)
    await createIrisShopper(page).pay({ account: 'travel' })
    await expect(outcome()).toHaveAttribute('data-outcome', 'declined')
    expect(page.url()).toBe(address)
  })

  test('another account and another bank can be chosen', async () => {
    const address = await openPayment()
    await goToBankConfirmation(page, 'pelagos')
    await page.getByTestId('iris-other-account').click()
    await expect(page.getByTestId('iris-greeting')).toBeVisible()
    await page.getByTestId('iris-other-bank').click()
    await expect(page).toHaveURL(address)
  })

  test('the bank requires a name before it shows accounts', async () => {
    const address = await openPayment()
    await page.goto(`${address}/banks/elaia/accounts`)
    await expect(page.getByTestId('iris-user')).toBeVisible()
    await page.getByTestId('iris-user').fill('   ')
    await page.getByTestId('iris-sign-in').click()
    await expect(page.getByTestId('iris-user')).toBeVisible()
    await page.goto(`${address}/banks/elaia/accounts/current`)
    await expect(page.getByTestId('iris-user')).toBeVisible()
  })

  test('a name is shown as text and never executed', async () => {
    await openPayment()
    await page.getByTestId('iris-bank-elaia').click()
    await signInAtBank(page, '<b>Ω</b> "x" &')
    await expect(page.getByTestId('iris-greeting')).toContainText('<b>Ω</b> "x" &')
    await page.getByTestId('iris-account-current').click()
    await page.getByTestId('iris-other-account').click()
    await expect(page.getByTestId('iris-greeting')).toContainText('<b>Ω</b> "x" &')
  })

  test('reload, Back and a double click have no further effect', async () => {
    const address = await openPayment()
    const before = fake.decisions.length
    await goToBankConfirmation(page, 'pelagos')
    await page.reload()
    await page.goBack()
    await page.goForward()
    await page.getByTestId('iris-confirm').dblclick()
    await page.waitForURL(`${shop.url}/back`)
    expect(new Set(fake.decisions.slice(before).map(one => one.split(' ')[1]))).toEqual(new Set(['approve']))
    await page.goBack()
    await expect(outcome()).toHaveAttribute('data-outcome', 'approved')
    await page.goto(address)
    await expect(outcome()).toHaveAttribute('data-outcome', 'approved')
    await page.getByTestId('iris-return').click()
    await page.waitForURL(`${shop.url}/back`)
  })

  test('cancelling in a second tab after confirming shows that the payment was confirmed', async () => {
    const address = await openPayment()
    const stale = await browser.newPage({ javaScriptEnabled: false })
    await stale.goto(address)
    await confirmAtBank(page, 'pelagos')
    await page.waitForURL(`${shop.url}/back`)
    await stale.getByTestId('iris-cancel').click()
    await expect(outcome(stale)).toHaveAttribute('data-outcome', 'approved')
  })

  test('two tabs at two banks pay once: the second shows the result of the first', async () => {
    const other = await browser.newPage()
    const address = await openPayment()
    await other.goto(address)
    await goToBankConfirmation(other, 'meltemi')
    await goToBankConfirmation(page, 'pelagos')
    await page.getByTestId('iris-confirm').click()
    await page.waitForURL(`${shop.url}/back`)
    await expect(outcome(other)).toHaveAttribute('data-outcome', 'approved')
  })

  test('without JavaScript links and forms suffice', async () => {
    const plain = await browser.newPage({ javaScriptEnabled: false })
    const address = await openPayment({}, plain)
    await expect(plain.getByText('This page updates by itself.')).toBeHidden()
    await expect(plain.locator('noscript .quiet-line')).toBeVisible()
    await expect(plain.getByTestId('iris-refresh')).toHaveAttribute('href', new URL(address).pathname)
    await confirmAtBank(plain, 'pelagos')
    await plain.waitForURL(`${shop.url}/back`)
  })

  test('with JavaScript the choice of a bank says that it follows the payment', async () => {
    await openPayment()
    await expect(page.getByText('This page updates by itself.')).toBeVisible()
    await expect(page.getByTestId('iris-refresh')).toHaveCount(0)
  })

  test('a user name of blanks alone is not sent, and the field says what it takes', async () => {
    await openPayment()
    await page.getByTestId('iris-bank-alkyon').click()
    const user = page.getByTestId('iris-user')
    await user.fill('   ')
    await page.getByTestId('iris-sign-in').click()
    await expect(page.locator('#user:invalid')).toHaveAttribute('title', 'Not only spaces')
    await expect(user).toHaveValue('   ')
    await user.fill(' Maria ')
    await page.getByTestId('iris-sign-in').click()
    await page.getByTestId('iris-account-current').waitFor()
  })

  test('the keyboard suffices to pay', async () => {
    await openPayment()
    await page.getByTestId('iris-bank-alkyon').focus()
    await page.keyboard.press('Enter')
    await page.getByTestId('iris-user').focus()
    await page.keyboard.type('Maria')
    await page.keyboard.press('Enter')
    await page.getByTestId('iris-account-current').waitFor()
    await page.keyboard.press('Tab')
    await expect(page.getByTestId('iris-account-current')).toBeFocused()
    await page.keyboard.press('Enter')
    await page.getByTestId('iris-confirm').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(page.getByTestId('iris-confirm')).toBeFocused()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${shop.url}/back`)
  })
})
