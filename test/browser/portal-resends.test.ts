import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { expect } from './open-browser.ts'
import { completeBlikPayment, PORTAL } from './portal-sandbox.ts'
import { setUpPortalTests, type Visit } from './portal-test-setup.ts'

let { site, page, browser } = {} as Visit
let receiver: Server
let url: string
let status = 500
/** Holds the response back until it is called. */
let hold: Promise<void> | undefined

beforeAll(async () => {
  receiver = createServer((request, answer) => {
    request.resume().on('end', async () => {
      await hold
      answer.writeHead(status).end()
    })
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
})
afterAll(() => void receiver?.close())
afterEach(async () => {
  hold = undefined
  for (const { endpointId } of (await site.control('GET', `${site.here}/webhooks`)).webhooks)
    await site.control('DELETE', `${site.here}/webhooks/${endpointId}`)
})
setUpPortalTests(visit => {
  ;({ site, page, browser } = visit)
  status = 500
})

const row = () => page.getByTestId('delivery-row')
const webhooks = (query = '') => `${site.url}${PORTAL}/webhooks${query}`
const addEndpoint = async (types?: string[]): Promise<string> =>
  (await site.control('POST', `${site.here}/webhooks`, { url, ...(types && { types }) })).endpointId
const countIn = (state: string, count: number) =>
  expect
    .poll(
      async () => (await site.control('GET', `${site.here}/deliveries?state=${state}&limit=1000`)).deliveries.length,
    )
    .toBeGreaterThanOrEqual(count)

test('6: an endpoint whose deliveries were given up is red, with tries and reason, until it takes one', async () => {
  const endpointId = await addEndpoint()
  await site.control('POST', `${site.here}/webhooks/${endpointId}/test`, {})
  await site.control('POST', `${site.here}/clock/drain`, {})
  await countIn('dropped', 1)
  await page.goto(webhooks())
  const endpoint = page.getByTestId('endpoint-row')
  await expect(endpoint.locator('[data-state="failing"]')).toBeVisible()
  await expect(endpoint).toContainText('10 tries, last: 500')
  await expect(endpoint).toContainText('1 given up')
  await page.goto(`${site.url}${PORTAL}`)
  const failing = page.getByTestId('failing-endpoint')
  await expect(failing).toContainText(url)
  await expect(failing).toContainText('1 given up')
  await expect(failing).toContainText('10 tries, last: 500')
  status = 200
  await failing.getByTestId('resend-given-up').click()
  await expect(page.getByTestId('resend-outcome')).toHaveText('1 sent again: 1 delivered, 0 failed again.')
  await page.goto(webhooks())
  await expect(endpoint.locator('[data-state="enabled"]')).toBeVisible()
  await page.goto(`${site.url}${PORTAL}`)
  await expect(failing).toHaveCount(0)
})

test('6: a row is resent where it stands, and tells what came of it, with the filters kept', async () => {
  const endpointId = await addEndpoint()
  for (let count = 0; count < 3; count += 1) await site.control('POST', `${site.here}/webhooks/${endpointId}/test`, {})
  await countIn('failing', 3)
  await page.goto(webhooks('?state=failing'))
  let release = () => {}
  hold = new Promise(resolve => {
    release = resolve
  })
  await row().nth(1).getByTestId('resend-row').click()
  await expect(page).toHaveURL(/\/webhooks\?state=failing&again=[\w-]+#row-[\w-]+$/)
  await expect(row()).toHaveCount(3)
  const told = row().nth(1).getByTestId('resend-row-outcome')
  await expect(told).toHaveText('on its way')
  release()
  await expect(told).toHaveText('failed again: 500')
  status = 200
  await row().nth(1).getByTestId('resend-row').click()
  await expect(told).toHaveText('delivered')
  await expect(row(), 'it stays in sight, though it fits the filter no longer').toHaveCount(3)
  await expect(page.getByTestId('resend-row-outcome')).toHaveCount(1)
  await page.getByTestId('filter-failing').click()
  await expect(row()).toHaveCount(2)

  await page.goto(`${site.url}${PORTAL}/webhooks/${endpointId}?state=failing`)
  await row().first().getByTestId('resend-row').click()
  await expect(page).toHaveURL(new RegExp(`/webhooks/${endpointId}\\?state=failing&again=`))
  await expect(row().first().getByTestId('resend-row-outcome')).toHaveText('delivered')
})

test('6: the page of a delivery tells what came of a resend, and of a test', async () => {
  const endpointId = await addEndpoint()
  await page.goto(`${site.url}${PORTAL}/webhooks/${endpointId}`)
  await page.getByTestId('test-endpoint').click()
  const told = page.getByTestId('delivery-outcome')
  await expect(told).toHaveText('The test failed: 500.')
  await expect(told).toHaveClass(/bad/)
  await page.getByTestId('resend').click()
  await expect(told).toHaveText('It was sent again and failed again: 500.')
  status = 200
  await page.getByTestId('resend').click()
  await expect(told).toHaveText('It was sent again and delivered.')
  await expect(told).toHaveClass(/good/)
})

test('6: without a script a resent row tells the same', async () => {
  const endpointId = await addEndpoint()
  await site.control('POST', `${site.here}/webhooks/${endpointId}/test`, {})
  await countIn('failing', 1)
  const plain = await browser.newPage({ javaScriptEnabled: false })
  await plain.goto(webhooks('?state=failing'))
  await plain.getByTestId('resend-row').first().click()
  await expect(async () => {
    await plain.reload()
    await expect(plain.getByTestId('resend-row-outcome')).toHaveText('failed again: 500', { timeout: 100 })
  }).toPass()
})

test('6: deliveries are found by a payment id, its end as it is shown, or the reference', async () => {
  status = 200
  await addEndpoint()
  const transactionId = await completeBlikPayment(site)
  await completeBlikPayment(site)
  await countIn('delivered', 2)
  await page.goto(webhooks())
  const shown = `…${transactionId.slice(-6)}`
  await expect(row().filter({ hasText: shown }).first()).toBeVisible()
  const find = async (text: string) => {
    await page.getByTestId('delivery-payment').fill(text)
    await page.getByTestId('find-deliveries').click()
    await expect(page.getByTestId('delivery-payment')).toHaveValue(text)
  }
  for (const text of [transactionId, shown, transactionId.slice(-6), ` ${transactionId.slice(-12)} `.trim()]) {
    await find(text)
    await expect(row().first()).toContainText(shown)
    await expect(row().filter({ hasNotText: shown })).toHaveCount(0)
  }
  const ofOne = await row().count()
  await find('order-1')
  await expect.poll(() => row().count()).toBeGreaterThan(ofOne)
  await find('order-none')
  await expect(page.getByTestId('no-deliveries')).toBeVisible()
})

test('6: the endpoint of the demo shop is marked, and older deliveries lead back to the newest', async () => {
  await site.control('POST', `${site.here}/webhooks`, { url: `${site.url}/shop/webhooks/demo-merchant` })
  const endpointId = await addEndpoint()
  for (let count = 0; count < 51; count += 1) await site.control('POST', `${site.here}/webhooks/${endpointId}/test`, {})
  await page.goto(webhooks())
  await expect(page.getByTestId('endpoint-row').filter({ hasText: 'demo shop' })).toHaveCount(1)
  await page.getByTestId('deliveries-older').click()
  await page.getByTestId('deliveries-newest').click()
  await expect(page).toHaveURL(webhooks('#deliveries'))
})
