import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, test } from 'vitest'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { parseCsv } from '../support/parse-csv.ts'
import { expect } from './open-browser.ts'
import { completeBlikPayment, PORTAL } from './portal-sandbox.ts'
import { setUpPortalTests, type Visit } from './portal-test-setup.ts'

let { site, browser, page } = {} as Visit
let receiver: Server
let url: string
let status = 503

beforeAll(async () => {
  receiver = createServer((request, answer) => {
    request.resume().on('end', () => answer.writeHead(status).end())
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
})
afterAll(() => void receiver?.close())
setUpPortalTests(
  visit => {
    ;({ site, browser, page } = visit)
  },
  { acceptDownloads: true },
)

const search = async (text: string): Promise<void> => {
  await page.getByTestId('portal-search').fill(text)
  await page.getByTestId('portal-search-now').click()
}

test('an amount with more digits than a payment can have finds nothing', async () => {
  await page.goto(`${site.url}${PORTAL}`)
  await search('1.234.567.890.123.456')
  await expect(page.getByTestId('search-none')).toBeVisible()
  await page.goto(`${site.url}${PORTAL}/search?${new URLSearchParams({ q: `${'m'.repeat(199)}😀ia` })}`)
  await expect(page.getByTestId('search-none')).toBeVisible()
})

test('the longest id of an organization fits into its overview and the list of all', async () => {
  const id = `a-${'b'.repeat(51)}c`
  await site.control('POST', 'organizations', { id })
  for (const width of [360, 800]) {
    await page.setViewportSize({ width, height: 700 })
    for (const path of ['', '/clock', '/payments']) {
      await page.goto(`${site.url}/portal/organizations/${id}${path}`)
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, width])
    }
    for (const path of ['/', '/portal/organizations', `/blik/${id}`]) {
      await page.goto(site.url + path)
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, width])
    }
  }
  for (const width of [1152, 1280, 1920]) {
    await page.setViewportSize({ width, height: 700 })
    for (const path of ['', '/journal', '/clock']) {
      await page.goto(`${site.url}/portal/organizations/${id}${path}`)
      expect([width, path, await sideColumn()]).toEqual([width, path, { isBesideContent: true, isNameCut: false }])
    }
  }
  await site.control('DELETE', `organizations/${id}`)
})

/** Whether all of the side column ends before the content, and whether a part of the organization's name is hidden. */
const sideColumn = () =>
  page.evaluate(() => {
    const ends = Array.from(document.querySelectorAll('.rail *'), part => part.getBoundingClientRect().right)
    const name = document.querySelector('.rail .whose')
    const content = document.querySelector('main')?.getBoundingClientRect()
    return {
      isBesideContent: Math.max(...ends) <= (content?.left ?? 0),
      isNameCut: (name?.scrollWidth ?? 0) > (name?.clientWidth ?? 0),
    }
  })

test('the charts of the overview leave no hole, however many stand in a row', async () => {
  await page.goto(`${site.url}${PORTAL}`)
  for (const [width, inRows] of [
    [390, [1, 1, 1]],
    [800, [2, 1]],
    [1280, [3]],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    const boxes = await page.locator('.chart').evaluateAll(all => all.map(one => one.getBoundingClientRect().toJSON()))
    const rows = Map.groupBy(boxes, ({ top }) => top)
    expect([...rows.values()].map(row => row.length)).toEqual(inRows)
    expect(new Set([...rows.values()].map(row => Math.round(row.at(-1).right))).size).toBe(1)
  }
})

test('landing page and overview say where the API is, and lead to its reference and that of control', async () => {
  for (const [path, id, reference] of [
    ['/', 'api-address', '/openapi.yaml'],
    [PORTAL, 'overview-api', '/control/organizations/demo-merchant/openapi.yaml'],
  ] as const) {
    await page.goto(site.url + path)
    await expect(page.getByTestId(id)).toContainText(site.apiUrl)
    const links = await page.getByTestId(id).locator('a').all()
    const hrefs = await Promise.all(links.map(link => link.getAttribute('href')))
    expect(hrefs).toEqual([reference, '/control/openapi.yaml'])
    for (const href of hrefs) expect((await fetch(site.url + href)).status).toBe(200)
  }
})

test('28: a failing webhook is named on the overview and sent again two clicks from the landing page', async () => {
  const { endpointId } = await site.control('POST', `${site.here}/webhooks`, { url })
  await completeBlikPayment(site)
  await expect
    .poll(async () => (await site.control('GET', `${site.here}/deliveries?state=failing`)).deliveries.length)
    .toBeGreaterThan(0)
  await page.goto(site.url)
  await page.getByTestId('open-overview').first().click()
  const failing = page.getByTestId('failing-endpoint')
  await expect(failing).toContainText(url)
  await expect(failing).toContainText('503')
  await expect(failing).toContainText('next ')
  status = 200
  await page.getByTestId('resend-failing').click()
  const outcome = page.getByTestId('resend-outcome')
  await expect(outcome).toHaveAttribute('data-open', '0')
  await expect(outcome).toHaveText(/^(\d+) sent again: \1 delivered, 0 failed again\.$/)
  await page.goto(`${site.url}${PORTAL}`)
  await expect(page.getByTestId('failing-endpoint')).toHaveCount(0)

  await page.goto(`${site.url}${PORTAL}/webhooks`)
  await page.getByTestId('delivery-row').first().getByRole('link').first().click()
  await expect(page.locator('.facts-list')).toContainText(url)
  await site.control('DELETE', `${site.here}/webhooks/${endpointId}`)
  await page.reload()
  await expect(page.locator('.facts-list')).toContainText(`deleted, …${endpointId.slice(-6)}`)
})

test('28: charts count calls, refusals by layer and payments, as a table too, and follow what happens', async () => {
  const merchant = createMerchant(site.credentials, { now: () => site.controlPlane.now('demo-merchant') })
  await page.goto(`${site.url}${PORTAL}?span=hour`)
  const refusals = page.getByTestId('chart-refusals')
  await expect(refusals).toContainText('No counted call was refused')
  await refusals.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await merchant.request('providers', {}, { token: 'none' })
  await merchant.close()
  await expect(refusals.getByRole('img')).toHaveAccessibleName('Refusals by layer')
  await expect(refusals.getByRole('img')).toHaveAccessibleDescription(/^token 1; at most 1/)
  await refusals.locator('summary').click()
  await expect(refusals.getByRole('table')).toContainText('token')
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  await completeBlikPayment(site, 'Live')
  await expect(page.getByTestId('newest-payment').first()).toContainText('order-1')
  await expect(refusals.locator('details')).toHaveAttribute('open')
  await expect(page.getByTestId('chart-payments').getByRole('img')).toHaveAccessibleDescription(/approved \d/)
})

test('28: the search finds everything by its id or the end of it, as lists shorten it', async () => {
  const transactionId = await completeBlikPayment(site, 'Sought')
  await page.goto(`${site.url}${PORTAL}/payments`)
  const shown = await page.getByTestId('payment-row').first().locator('.id').last().textContent()
  expect(shown).toBe(`…${transactionId.slice(-6)}`)
  await search(shown ?? '')
  await expect(page).toHaveURL(`${site.url}${PORTAL}/payments/${transactionId}`)

  const [{ keyId }] = (await site.control('GET', `${site.here}/signing-keys`)).signingKeys
  await search(keyId)
  await expect(page).toHaveURL(`${site.url}${PORTAL}/identities#keys`)
  const [{ fingerprint }] = (await site.control('GET', `${site.here}/certificates`)).certificates
  await search(`…${fingerprint.slice(-8)}`)
  await expect(page.getByTestId('certificate-pem')).toBeVisible()
  const [{ callId }] = (await site.control('GET', `${site.here}/journal?limit=1`)).calls
  await search(callId.slice(-8))
  await expect(page.getByTestId('journal-details')).toBeVisible()

  await search('order-1')
  await expect(page.getByTestId('search-hit').first()).toContainText('order-1')
  const found = page.getByTestId('search-hit').filter({ hasText: 'Payment' })
  const byReference = await found.count()
  await search('10.00')
  await expect(found).toHaveCount(byReference)
  await search('nothing like it')
  await expect(page.getByTestId('search-none')).toBeVisible()
  await expect(page.getByTestId('portal-search')).toHaveValue('nothing like it')
})

test('28: pages without an organization search in every one', async () => {
  await site.control('POST', 'organizations', { id: 'second-shop' })
  const [key] = await site.controlPlane.signingKeys.list('second-shop')
  const everywhere = async (path: string, text: string) => {
    await page.goto(site.url + path)
    await search(text)
  }
  await everywhere('/portal/organizations', String(key?.keyId))
  await expect(page).toHaveURL(/\/organizations\/second-shop\/identities/)
  await everywhere('/portal/journal', 'order-1')
  await expect(page.getByTestId('search-hit').first()).toContainText('demo-merchant')
  await page.goto(site.url)
  await page.getByTestId('find-anything').fill(String(key?.keyId))
  await page.getByTestId('find-anything-now').click()
  await expect(page).toHaveURL(/\/organizations\/second-shop\/identities/)
  await everywhere('/portal/organizations', 'nothing-like-it')
  await expect(page.getByTestId('search-none')).toBeVisible()
  await expect(page.getByTestId('portal-search')).toHaveValue('nothing-like-it')
})

test('28: payments are narrowed by state, method, day and amount, added up and exported', async () => {
  await completeBlikPayment(site, 'Summed')
  await page.goto(`${site.url}${PORTAL}/payments`)
  const all = await page.getByTestId('payment-row').count()
  await page.getByTestId('payments-providerId').selectOption('BLIK')
  await page.getByTestId('payments-accountId').selectOption('demo-merchant-account-1')
  await page.getByTestId('payments-amountFrom').fill('10')
  await page.getByTestId('payments-amountTo').fill('10.00')
  await page.getByTestId('payments-find').click()
  await expect(page.getByTestId('payment-row')).toHaveCount(all)
  await expect(page.getByTestId('payments-totals')).toContainText(`PLN ${all * 10}.00`)
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('payments-csv').click()])
  expect(file.suggestedFilename()).toBe('demo-merchant-payments.csv')
  const csv = await (await fetch(`${site.url}/control/${site.here}/payments.csv?amountFrom=1000`)).text()
  expect(parseCsv(csv)).toHaveLength(all)
  await page.getByTestId('payments-amountFrom').fill('ten')
  await page.getByTestId('payments-find').click()
  await expect(page.getByTestId('portal-refused')).toContainText('Amount from is "ten"')
  await page.getByTestId('payments-all').click()
  await page.getByTestId('payments-state').selectOption('TOKENIZED')
  await page.getByTestId('payments-find').click()
  await expect(page.getByTestId('payments-none')).toBeVisible()
})

test('28: without a script the overview and the search show the same', async () => {
  const plain = await browser.newPage({ javaScriptEnabled: false })
  const transactionId = await completeBlikPayment(site, 'Plain')
  await plain.goto(`${site.url}${PORTAL}`)
  await expect(plain.getByTestId('newest-payment').first()).toBeVisible()
  await expect(plain.getByTestId('chart-payments').getByRole('img')).toBeVisible()
  await plain.getByTestId('portal-search').fill(transactionId.slice(-6))
  await plain.getByTestId('portal-search').press('Enter')
  await expect(plain).toHaveURL(`${site.url}${PORTAL}/payments/${transactionId}`)
})
