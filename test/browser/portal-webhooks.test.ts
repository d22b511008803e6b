import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { expect } from './open-browser.ts'
import { completeBlikPayment, PORTAL } from './portal-sandbox.ts'
import { setUpPortalTests, type Visit } from './portal-test-setup.ts'

let { site, browser, page } = {} as Visit
let receiver: Server
let url: string
let status = 200
const received: { id: string; signature: string }[] = []

beforeAll(async () => {
  receiver = createServer((request, answer) => {
    request.resume().on('end', () => {
      const { 'webhook-id': id, 'webhook-signature': signature } = request.headers
      received.push({ id: String(id), signature: String(signature) })
      answer.writeHead(status, { 'x-told-by': 'the shop' }).end('{"taken":true}')
    })
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
})
afterAll(() => void receiver?.close())
afterEach(async () => {
  for (const { endpointId } of (await site.control('GET', `${site.here}/webhooks`)).webhooks)
    await site.control('DELETE', `${site.here}/webhooks/${endpointId}`)
})
setUpPortalTests(visit => {
  ;({ site, browser, page } = visit)
  status = 200
})

const done = () => page.getByTestId('portal-done')
const attempts = () => page.getByTestId('attempt')

async function addEndpoint(): Promise<void> {
  await page.goto(`${site.url}${PORTAL}/webhooks`)
  await page.getByTestId('url-field').fill(url)
  await page.getByTestId('add-endpoint').click()
  await expect(done()).toBeVisible()
}

test('6: an endpoint is added with types and tested, and its delivery appears without a reload', async () => {
  await page.goto(`${site.url}${PORTAL}/webhooks`)
  await page.getByTestId('url-field').fill('ftp://nowhere')
  await page.getByRole('checkbox', { name: 'PAYMENT_CAPTURE' }).check()
  await page.getByTestId('add-endpoint').click()
  await expect(page.getByTestId('portal-refused')).toContainText('ftp://nowhere')
  await page.getByTestId('url-field').fill(url)
  await page.getByTestId('add-endpoint').click()
  await expect(done()).toBeVisible()
  const [endpoint] = (await site.control('GET', `${site.here}/webhooks`)).webhooks
  expect(endpoint).toMatchObject({ url, types: ['PAYMENT_CAPTURE'] })

  await page.getByTestId('test-endpoint').click()
  await expect(page.getByTestId('delivery-state').locator('[data-state="delivered"]')).toBeVisible()
  await expect(attempts()).toHaveCount(1)
  await expect(attempts()).toContainText(`POST ${url}`)
  await expect(attempts()).toContainText('webhook-signature')
  await expect(attempts()).toContainText('x-told-by: the shop')
  await expect(attempts()).toContainText('{"taken":true}')
  expect(received.at(-1)?.id).toBeTruthy()
})

test('6: a failing webhook is red, with reason and next try, counted, found by state, and resent in bulk', async () => {
  status = 503
  await addEndpoint()
  await page.getByTestId('test-endpoint').click()
  await expect(page.getByTestId('delivery-state').locator('[data-state="failing"]')).toBeVisible()
  await page.getByTestId('nav-webhooks').click()
  await expect(page.getByTestId('endpoint-row').locator('[data-state="failing"]')).toBeVisible()
  await expect(page.getByTestId('filter-failing')).toContainText('1')
  await page.getByTestId('filter-failing').click()
  const row = page.getByTestId('delivery-row')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText('1 try, last: 503')
  await expect(row).toContainText('next ')
  await page.getByTestId('delivery-payment').fill('no-such-payment')
  await page.getByTestId('find-deliveries').click()
  await expect(page.getByTestId('no-deliveries')).toBeVisible()
  await page.getByTestId('delivery-payment').fill('')
  await page.getByTestId('find-deliveries').click()
  status = 200
  await page.getByTestId('resend-all').click()
  await expect(page.getByTestId('resend-outcome')).toHaveText('1 sent again: 1 delivered, 0 failed again.')
  await expect(async () => {
    await page.getByTestId('filter-delivered').click()
    await expect(row.first()).toContainText('2 tries, last: 200', { timeout: 100 })
  }).toPass()
  await expect(page.getByTestId('filter-failing')).toContainText('0')
})

test('6: a delivery is resent from its row, and older ones are a page away', async () => {
  await addEndpoint()
  const [{ endpointId }] = (await site.control('GET', `${site.here}/webhooks`)).webhooks
  for (let count = 0; count < 52; count += 1) await site.control('POST', `${site.here}/webhooks/${endpointId}/test`)
  await page.getByTestId('nav-webhooks').click()
  const row = page.getByTestId('delivery-row')
  await expect(row).toHaveCount(50)
  const newest = await row.first().getByRole('link').first().getAttribute('href')
  await page.getByTestId('deliveries-older').click()
  await expect(page.getByTestId('deliveries-older')).toHaveCount(0)
  await expect(row.first().getByRole('link').first()).not.toHaveAttribute('href', newest ?? '')
  await page.goBack()
  await expect(row.first()).toContainText('1 try')
  await row.first().getByTestId('resend-row').click()
  await expect(row.first()).toContainText('2 tries')
})

test('6: a failed delivery is resent by a button, and the page shows both attempts', async () => {
  status = 500
  await addEndpoint()
  await page.getByTestId('test-endpoint').click()
  await expect(attempts()).toHaveCount(1)
  await expect(attempts().locator('.tag.bad')).toHaveText('500')
  status = 200
  await page.getByTestId('resend').click()
  await expect(attempts()).toHaveCount(2)
  await expect(page.getByTestId('delivery-state').locator('[data-state="delivered"]')).toBeVisible()
  await page.getByTestId('nav-webhooks').click()
  await page.getByTestId('filter-delivered').click()
  await expect(page.getByTestId('delivery-row').first()).toContainText('2 tries')
  await page.getByTestId('filter-dropped').click()
  await expect(page.getByTestId('no-deliveries')).toBeVisible()
})

test('6: a secret is rotated: both sign during the overlap, and the new one is shown in full', async () => {
  await addEndpoint()
  await expect(page.getByTestId('secret')).toHaveCount(1)
  await page.getByTestId('open-rotate-secret').click()
  await page.getByTestId('rotate-secret').click()
  await expect(done()).toBeVisible()
  await expect(page.getByTestId('show-secret')).toHaveCount(2)
  await page.getByTestId('show-secret').first().click()
  await expect(page.getByTestId('secret').first()).toHaveText(/^whsec_.{20,}/)
  await page.getByTestId('test-endpoint').click()
  await expect(attempts()).toHaveCount(1)
  expect(received.at(-1)?.signature.split(' ')).toHaveLength(2)
})

test('6: an endpoint is changed, disabled, enabled, replayed to, and deleted', async () => {
  await completeBlikPayment(site)
  await addEndpoint()
  await page.getByTestId('open-change-endpoint').click()
  await page.getByRole('checkbox', { name: 'PAYMENT_FINALIZE' }).check()
  await page.getByTestId('url-field').fill('ftp://nowhere')
  await page.getByTestId('change-endpoint').click()
  await expect(page.getByTestId('portal-refused')).toContainText('ftp://nowhere')
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(1)
  await page.getByTestId('url-field').fill(url)
  await page.getByTestId('change-endpoint').click()
  await expect(done()).toBeVisible()
  await page.getByTestId('disable-endpoint').click()
  await expect(page.locator('[data-state="disabled"]')).toBeVisible()
  await page.getByTestId('enable-endpoint').click()
  await expect(page.locator('.facts-list [data-state="enabled"]')).toBeVisible()
  await page.getByTestId('open-replay').click()
  await page.getByTestId('replay').click()
  await expect(done()).toBeVisible()
  await expect(page.getByTestId('delivery-row').first()).toContainText('PAYMENT_FINALIZE')
  await page.locator('.confirm > summary').click()
  await page.getByTestId('delete-endpoint').click()
  await expect(page.getByTestId('no-endpoints')).toBeVisible()
  // The page of the endpoint follows its deletion, and may look for it once more before it is left.
  const others = browser.complaints.filter(complaint => !complaint.includes('status of 404'))
  browser.complaints.splice(0, browser.complaints.length, ...others)
})

test('6: the inbox lists signed notifications and is cleared', async () => {
  const transactionId = await completeBlikPayment(site)
  await site.control('POST', `${site.here}/clock/drain`)
  await page.goto(`${site.url}${PORTAL}/webhooks`)
  await page.getByTestId('open-inbox').click()
  const message = page.getByTestId('message').first()
  const line = new RegExp(`PAYMENT_CAPTURE order-1 …${transactionId.slice(-6)} CAPTURED$`)
  await expect(message.locator('summary')).toHaveText(line)
  await message.locator('summary').click()
  await expect(message).toContainText('webhook-signature')
  await expect(page.getByTestId('clear-inbox')).toBeHidden()
  await page.getByText('Clear the inbox', { exact: true }).click()
  await page.getByTestId('clear-inbox').click()
  await expect(page.getByTestId('no-messages')).toBeVisible()
})
