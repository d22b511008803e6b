import type { Page } from 'playwright'
import { test } from 'vitest'
import { expect } from './open-browser.ts'
import { completeBlikPayment, PORTAL } from './portal-sandbox.ts'
import { setUpPortalTests, type Visit } from './portal-test-setup.ts'

let visit: Visit
setUpPortalTests(arrived => {
  visit = arrived
})

const status = (page: Page) => page.locator('body > [role=status]')

/** Lets the browser refuse its clipboard, as on localhost without permission; `falls` also what older browsers do. */
const refuseClipboard = (page: Page, falls = false) =>
  page.addInitScript(also => {
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: () => Promise.reject(new Error('Write permission denied.')) },
    })
    if (also) document.execCommand = () => false
    document.addEventListener('copy', () => {
      document.documentElement.dataset.copied = getSelection()?.toString() ?? ''
    })
  }, falls)

const openPhone = async ({ page, site }: Visit) => {
  await page.goto(`${site.url}/blik/demo-merchant`)
  await page.getByTestId('blik-bank-modrzew').click()
  await page.getByTestId('blik-new-code').click()
}

test('where the clipboard is refused, the browser copies what is selected, on the phone and in the portal', async () => {
  const { page, site } = visit
  await refuseClipboard(page)
  await openPhone(visit)
  const code = (await page.getByTestId('blik-code').textContent()) ?? ''
  await page.getByTestId('blik-copy').click()
  await expect(page.getByTestId('blik-copy')).toHaveText('Copied')
  await expect(page.locator('html')).toHaveAttribute('data-copied', code)
  await page.goto(site.url + PORTAL)
  await page.locator('.identifier .copy').first().click()
  await expect(status(page)).toHaveText(/^Copied: /)
})

test('what cannot be copied is said, and is not marked as copied', async () => {
  const { page, site } = visit
  await refuseClipboard(page, true)
  await openPhone(visit)
  await page.getByTestId('blik-copy').click()
  await expect(status(page)).toHaveText('Your browser did not copy it: select it and copy it by hand.')
  await expect(status(page)).toBeInViewport()
  await expect(page.getByTestId('blik-copy')).toHaveText('Copy the code')
  await page.goto(site.url + PORTAL)
  const button = page.locator('.identifier .copy').first()
  await button.click()
  await expect(status(page)).toHaveText(/did not copy/)
  await expect(button).not.toHaveClass(/copied/)
})

test('each copy button names what it copies, and that is announced instead of its source', async () => {
  const { page, site } = visit
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const transactionId = await completeBlikPayment(site)
  for (const path of ['', '/payments', `/payments/${transactionId}`, '/identities', '/webhooks', '/inbox']) {
    await page.goto(site.url + PORTAL + path)
    const names = await page.locator('.copy').evaluateAll(buttons => buttons.map(one => one.textContent ?? ''))
    expect(names.filter(name => !/^Copy the (?!code$)/.test(name.trim()))).toEqual([])
  }
  await page.goto(`${site.url}${PORTAL}/payments/${transactionId}`)
  await page.getByRole('button', { name: 'Copy the payment’s id' }).first().click()
  await expect(status(page)).toHaveText('Copied: the payment’s id')
  await page.goto(`${site.url}${PORTAL}/journal`)
  await page.locator('.calls .jc').first().click()
  await page.getByTestId('call-copy-anew').click()
  await expect(status(page)).toHaveText('Copied: the curl command, signed anew')
  await page.getByTestId('call-copy-python').click()
  await expect(status(page)).toHaveText('Copied: the Python program')
})

test('a copy button has its name again after a moment, and is heard once', async () => {
  const { page, site } = visit
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  const pressAll = async () => {
    const buttons = page.locator('[data-copy]:visible')
    const names = await buttons.allTextContents()
    expect(names.length).toBeGreaterThan(0)
    for (const button of await buttons.all()) {
      await button.click()
      await expect(status(page)).toHaveText(/^Copied: /)
      await button.click()
      await expect(button.locator('[aria-live]')).toHaveCount(0)
    }
    await page.clock.runFor(6_000)
    expect(await buttons.allTextContents()).toEqual(names)
  }
  await openPhone(visit)
  await pressAll()
  await completeBlikPayment(site)
  await page.goto(`${site.url}${PORTAL}/journal`)
  await page.locator('.calls .jc').first().click()
  await page.getByTestId('call-copy-anew').waitFor()
  await pressAll()
  await page.goto(`${site.url}${PORTAL}/inbox`)
  await page.getByTestId('message').first().click()
  await pressAll()
})
