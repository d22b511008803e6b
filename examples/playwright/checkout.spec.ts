import { lintCheckout } from '@assay-sandbox/assay/playwright'
import { expect, test } from './fixtures.ts'

test('a shopper pays with BLIK', async ({ page, blik, webhooks }) => {
  await page.goto('/')
  await page.getByLabel('BLIK code').fill(await blik.code())
  await page.getByRole('button', { name: 'Pay with BLIK' }).click()
  const transactionId = await blik.approve()
  await expect(page.getByRole('heading')).toHaveText('Thank you')
  await webhooks.waitFor('PAYMENT_CAPTURE', { transactionId })
})

test('a shopper pays with IRIS', async ({ page, iris }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Pay with IRIS' }).click()
  await iris.pay({ bank: 'alkyon' })
  await expect(page.getByRole('heading')).toHaveText('Thank you')
})

test('a shopper who declines can try again', async ({ page, blik }) => {
  await page.goto('/')
  await page.getByLabel('BLIK code').fill(await blik.code())
  await page.getByRole('button', { name: 'Pay with BLIK' }).click()
  await blik.decline()
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByLabel('BLIK code')).toBeVisible()
})

test('a lost response costs nobody anything', async ({ page, blik, faults, merchant, clock }) => {
  await faults.next({ operation: 'finalize', kind: 'timeout', done: 'yes' })
  await page.goto('/')
  await page.getByLabel('BLIK code').fill(await blik.code())
  await page.getByRole('button', { name: 'Pay with BLIK' }).click()
  const transactionId = await blik.approve()
  await expect(page.getByRole('heading')).toHaveText('Thank you')
  await clock.drain()
  expect(await merchant.status(transactionId)).toMatchObject({ body: { lifecycle: { state: 'SETTLED' } } })
})

test('the checkout is one that BLIK shoppers know', async ({ page, blik }) => {
  const findings = await lintCheckout({
    page,
    open: () => page.goto('/'),
    field: page.getByLabel('BLIK code'),
    pay: page.getByRole('button', { name: 'Pay with BLIK' }),
    code: () => blik.code(),
  })
  expect(findings.filter(({ verdict }) => verdict === 'fail')).toEqual([])
})
