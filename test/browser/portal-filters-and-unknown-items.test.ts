import { expect as plainly, test } from 'vitest'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { expect } from './open-browser.ts'
import { completeBlikPayment, PORTAL } from './portal-sandbox.ts'
import { setUpPortalTests, type Visit } from './portal-test-setup.ts'

let { site, page } = {} as Visit
setUpPortalTests(visit => {
  ;({ site, page } = visit)
})

test('an unknown payment, delivery, endpoint, certificate or account is 404 within the navigation', async () => {
  for (const path of [
    'payments/none',
    'deliveries/none',
    'webhooks/none',
    'certificates/AA:BB',
    'capabilities?account=none',
  ]) {
    const response = await fetch(`${site.url}${PORTAL}/${path}`)
    const text = await response.text()
    plainly([path, response.status]).toEqual([path, 404])
    plainly(text, path).toContain('data-testid="nav-webhooks"')
    plainly(text, path).toContain('data-testid="portal-not-found"')
  }
})

test('28: a payment is found by its id as lists shorten it, or the end of it', async () => {
  const transactionId = await completeBlikPayment(site)
  await completeBlikPayment(site)
  for (const text of [transactionId, `…${transactionId.slice(-6)}`, transactionId.slice(-6)]) {
    await page.goto(`${site.url}${PORTAL}/payments`)
    await page.getByTestId('payments-transactionId').fill(text)
    await page.getByTestId('payments-find').click()
    await expect(page.getByTestId('payment-row')).toHaveCount(1)
    await expect(page.getByTestId('payment-row')).toContainText(transactionId.slice(-6))
    await expect(page.getByTestId('payments-transactionId')).toHaveValue(text)
    await expect(page.getByTestId('payments-totals')).toContainText('1 payment in total')
  }
  await page.getByTestId('payments-transactionId').fill('no-such-payment')
  await page.getByTestId('payments-find').click()
  await expect(page.getByTestId('payments-none')).toHaveText('No payment fits.')
  await page.getByTestId('payments-clientTransactionId').fill('order-1')
  await page.getByTestId('payments-transactionId').fill('')
  await page.getByTestId('payments-find').click()
  await expect(page.getByTestId('payment-row')).not.toHaveCount(0)
})

test('28: an amount that is none is refused in the units of the field, and nothing is said of payments', async () => {
  await page.goto(`${site.url}${PORTAL}/payments?amountTo=abc`)
  await expect(page.getByTestId('portal-refused')).toHaveText('Amount to is "abc": give an amount such as 19.99.')
  await expect(page.getByTestId('payments-amountTo')).toHaveAttribute('placeholder', '19.99')
  await expect(page.getByTestId('payments-none')).toHaveCount(0)
})

test('28: the overview leads to the demo shop of the organization, where there is one', async () => {
  await page.goto(`${site.url}${PORTAL}`)
  await page.getByTestId('portal-shop').click()
  await expect(page).toHaveURL(/\/shop\/demo-merchant\//)
})

test('28: what is due next is told in words, a webhook with its endpoint and try', async () => {
  await site.control('POST', `${site.here}/clock`, { freeze: true })
  await site.control('POST', `${site.here}/webhooks`, { url: 'http://127.0.0.1:1/nobody' })
  await completeBlikPayment(site)
  await page.goto(`${site.url}${PORTAL}`)
  const due = page.getByTestId('due-next')
  await expect(due.filter({ hasText: /Webhook PAYMENT_\w+ to 127\.0\.0\.1:1\/nobody, try 2/ }).first()).toBeVisible()
  await expect(due.filter({ hasText: 'The capture is settled' }).first()).toBeVisible()
  await page.goto(`${site.url}${PORTAL}/clock`)
  await expect(page.getByTestId('clock-coming').filter({ hasText: 'The capture is settled' }).first()).toBeVisible()
})

test('28: the charts of calls say since when calls are counted, and nothing of the time before', async () => {
  await page.goto(`${site.url}${PORTAL}`)
  for (const chart of ['chart-calls', 'chart-refusals'])
    await expect(page.getByTestId(chart)).toContainText(/counted since \d{4}-\d\d-\d\d \d\d:\d\d/)
  await expect(page.getByTestId('chart-refusals')).not.toContainText('No call was refused in this time')
})

test('a call of the journal has the whole reason of its refusal, and no line is drawn where none fits', async () => {
  await site.control('POST', `${site.here}/clock`, { advance: 'P2D' })
  const merchant = createMerchant(site.credentials, { now: () => site.controlPlane.now('demo-merchant') })
  const { code } = await site.control('POST', `${site.here}/blik/codes`, {})
  for (const amount of [1.5, 1999, 10])
    await merchant.initiate({
      processingAccountId: String(site.kit.processingAccountIds[0]),
      clientTransactionId: `order-of-${amount}`,
      transactionType: 'ONE_TIME',
      paymentDetails: { amount, currency: 'PLN', country: 'PL', description: 'Honey' },
      providerDetails: { providerId: 'BLIK' },
      payerDetails: { oneTimeCode: code },
    })
  await merchant.search({})
  await merchant.close()
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`${site.url}${PORTAL}/journal`)
  const rows = page.getByTestId('journal-call')
  plainly((await rows.locator('.about').allTextContents()).slice(0, 4)).toEqual([
    '',
    'DECLINED 3001',
    'PENDING',
    '4000 paymentDetails.amount must be a whole number (validation)',
  ])
  // A screen reader would say "deletion" or "emphasis" in every line.
  plainly(await rows.locator('em, strong, s, del, ins').count()).toBe(0)
  const cut = await rows
    .locator('.about')
    .evaluateAll(all => all.filter(one => one.scrollWidth > one.clientWidth).length)
  plainly(cut).toBe(0)
  await page.goto(`${site.url}${PORTAL}/journal?q=nothing-like-it`)
  await expect(page.getByTestId('journal-empty')).toBeVisible()
  await expect(page.getByTestId('journal-calls')).toBeHidden()
})

test('the button of a filter stands in line with its fields', async () => {
  await page.setViewportSize({ width: 1280, height: 900 })
  for (const [path, field, button] of [
    ['webhooks', 'delivery-payment', 'find-deliveries'],
    ['journal?q=any', 'journal-q', 'journal-apply'],
    ['journal', 'journal-reasonCode', 'journal-apply'],
  ] as const) {
    await page.goto(`${site.url}${PORTAL}/${path}`)
    const [one, other] = [await page.getByTestId(field).boundingBox(), await page.getByTestId(button).boundingBox()]
    plainly([path, other?.y, other?.height]).toEqual([path, one?.y, one?.height])
  }
})

test('with forced colours the filter that is on looks otherwise, and a legend keeps the colours of its chart', async () => {
  await page.emulateMedia({ forcedColors: 'active' })
  await completeBlikPayment(site)
  for (const path of ['/journal?status=error', '', '/webhooks']) {
    await page.goto(site.url + PORTAL + path)
    const looks = await page
      .locator('.filter')
      .first()
      .locator('a')
      .evaluateAll(all =>
        all.map(one => {
          const { borderColor, borderWidth, outlineStyle } = getComputedStyle(one)
          return { isOn: one.hasAttribute('aria-current'), look: `${borderColor} ${borderWidth} ${outlineStyle}` }
        }),
      )
    const [on, off] = [looks.filter(({ isOn }) => isOn), looks.filter(({ isOn }) => !isOn)]
    plainly([path, on.length, off.length > 0]).toEqual([path, 1, true])
    plainly(
      off.map(({ look }) => look),
      path,
    ).not.toContain(on[0]?.look)
  }
  await page.goto(site.url + PORTAL)
  const colours = await page
    .locator('.legend i')
    .evaluateAll(all => all.map(one => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color]))
  plainly(new Set(colours.map(([background]) => background)).size).toBeGreaterThan(1)
  for (const [background, color] of colours) plainly(background).toBe(color)
})

test('links by state keep the payment that deliveries were searched for', async () => {
  await page.goto(`${site.url}${PORTAL}/webhooks?transactionId=order-1&state=waiting`)
  for (const filter of ['filter-dropped', 'filter-all'])
    await expect(page.getByTestId(filter)).toHaveAttribute('href', /[?&]transactionId=order-1(&|#)/)
  await page.getByTestId('filter-delivered').click()
  await expect(page).toHaveURL(/\?state=delivered&transactionId=order-1#deliveries$/)
  await expect(page.getByTestId('delivery-payment')).toHaveValue('order-1')
})
