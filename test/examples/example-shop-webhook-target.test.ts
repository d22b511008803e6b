import type { Merchant } from '@assay-sandbox/assay/merchant'
import { expect, test } from 'vitest'
import { createShop } from '../../examples/shop/shop.ts'

test('the example shop verifies a webhook for its path with the query, which the signature covers', async () => {
  const targets: string[] = []
  const verifyWebhook = async ({ target }: { target: string }) => {
    targets.push(target)
    return { ok: false, message: 'not signed' }
  }
  const merchant = { credentials: { processingAccountIds: ['account-1'] }, verifyWebhook } as unknown as Merchant
  const shop = createShop({ merchant })
  for (const target of ['/webhooks', '/webhooks?shop=1&note=a%20b']) await shop.request(target, { method: 'POST' })
  expect(targets).toEqual(['/webhooks', '/webhooks?shop=1&note=a%20b'])
})
