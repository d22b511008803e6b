import { generateKeyPairSync } from 'node:crypto'
import axe from 'axe-core'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { OutgoingRequest, Signer } from '../../contracts/client/send-signed-call.ts'
import { signOutgoing } from '../../contracts/client/send-signed-call.ts'
import { signRequest } from '../../contracts/protocol/sign-messages.ts'
import { merchantOf, type ScopedSimulator, startScopedSimulator } from '../support/test-scoped-simulator.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

let browser: TestBrowser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** Signs the host with its port, as clients do that sign what they send. */
const withPort: Signer = async ({ method, target, headers, body }, key, options) => {
  const host = `${headers.host}:1` // signing takes the last port off
  return signRequest(
    { method, target, host, contentType: headers['content-type'] ?? '', ...(body ? { body } : {}) },
    key,
    options,
  )
}

const labOf = ({ pagesUrl }: ScopedSimulator) => `${pagesUrl}/portal/organizations/demo-merchant/lab`

/** The text of a call as it went out. */
const asText = ({ method, target, headers, body }: OutgoingRequest): string =>
  [
    `${method} ${target} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body ? Buffer.from(body).toString() : '',
  ].join('\n')

const byTestId = (page: Page, id: string) => page.getByTestId(id)

describe('the signature lab', () => {
  test('5.2: a refused call is selected from the journal, and the port in the host is named and highlighted', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    await merchant.request('status', { path: { transactionId: 't-1' } }, { sign: withPort, token: 'none' })
    const page = await browser.newPage()
    await page.goto(labOf(simulator))
    await byTestId(page, 'lab-pick').first().click()
    expect(await byTestId(page, 'lab-verdict').getAttribute('data-cause')).toBe('authority-port')
    expect(await byTestId(page, 'lab-verdict').innerText()).toContain('"@authority" includes the port')
    expect(await byTestId(page, 'lab-differs').count()).toBe(1)
    await page.emulateMedia({ forcedColors: 'active' })
    const current = byTestId(page, 'lab-pick').and(page.locator('[aria-current]'))
    expect(await current.evaluate(one => getComputedStyle(one).borderLeftWidth)).toBe('3px')
    expect(await byTestId(page, 'lab-differs').locator('.signed mark').innerText()).toMatch(/^:\d+$/)
    expect(await page.locator('[data-step="signature"]').getAttribute('data-state')).toBe('fault')
    await page.close()
  })

  test('5.2: the shown correct request is accepted by the API', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    await merchant.request('status', { path: { transactionId: 't-1' } }, { sign: withPort, token: 'none' })
    const page = await browser.newPage()
    await page.goto(labOf(simulator))
    await byTestId(page, 'lab-pick').first().click()
    const text = await byTestId(page, 'lab-right-headers').innerText()
    const headers = Object.fromEntries(text.split('\n').map(line => line.split(/: (.*)/s).slice(0, 2)))
    const { response } = await merchant.request(
      'status',
      { path: { transactionId: 't-1' } },
      { sign: async () => headers, token: 'none' },
    )
    expect(JSON.parse(response?.body.toString() ?? '{}').statusInfo.reasonCode).toBe('4970') // past the signature
    await page.close()
  })

  test('5.2: a pasted request works without JavaScript, also a masked one', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const sent: OutgoingRequest[] = []
    const noting = (draft: OutgoingRequest) => {
      sent.push(draft)
      return draft
    }
    await merchant.request('status', { path: { transactionId: 't-2' } }, { afterSigning: noting, token: 'none' })
    const page = await browser.newPage({ javaScriptEnabled: false })
    await page.goto(labOf(simulator))
    await byTestId(page, 'lab-request').fill(asText(sent[0] as OutgoingRequest))
    await byTestId(page, 'lab-examine').click()
    expect(await byTestId(page, 'lab-result').getAttribute('data-verdict')).toBe('verifies')
    await byTestId(page, 'lab-request').fill('good morning')
    await byTestId(page, 'lab-examine').click()
    expect(await byTestId(page, 'portal-refused').innerText()).toContain('There is no request line')
    await page.close()
  })

  test('5.2: an unregistered key is recovered from two calls', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const [key] = merchant.credentials.signingKeys
    if (!key) throw new Error('no key')
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    const sign: Signer = (draft, _, options) => signOutgoing(draft, { ...key, privateKey }, options)
    for (const transactionId of ['a', 'b'])
      await merchant.request('status', { path: { transactionId } }, { sign, token: 'none' })
    const page = await browser.newPage()
    await page.goto(labOf(simulator))
    await byTestId(page, 'lab-pick').first().click()
    expect(await byTestId(page, 'lab-signer').getAttribute('data-use')).toBe('unregistered')
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()
    expect((await byTestId(page, 'lab-recovered').innerText()).trim()).toBe(pem)
    await page.close()
  })

  test('is accessible and fits a phone', { timeout: 90_000 }, async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    await merchant.request('status', { path: { transactionId: 't-1' } }, { sign: withPort, token: 'none' })
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 360, height: 740 } })
      onTestFinished(() => page.close())
      for (const step of ['empty', 'examined']) {
        if (step === 'empty') await page.goto(labOf(simulator))
        else await byTestId(page, 'lab-pick').first().click()
        await page.evaluate(axe.source)
        const { violations } = await page.evaluate(
          rules => (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly: rules }),
          RULES,
        )
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
      }
    }
  })
})

// The page that says what cannot be read is one with the status 400, which Chromium remarks upon.
test('the browser console has no other errors', () =>
  expect(browser.complaints.filter(text => !text.includes('400'))).toEqual([]))
