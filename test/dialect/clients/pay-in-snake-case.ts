import createClient from 'openapi-fetch'
import type { paths } from './printed.ts'

/** What a paying program needs of the test: the service, the account and the shopper. */
type World = {
  baseUrl: string
  fetch: typeof fetch
  account: string
  code: string
  approve(id: string): Promise<void>
  settle(): Promise<void>
}

/** Headers that the signing `fetch` fills in. */
const SIGNED = { Signature: '', 'Signature-Input': '', 'Content-Digest': '' }

const header = () => ({ ...SIGNED, 'Idempotency-Key': crypto.randomUUID() })

/**
 * Pays with BLIK, captures and refunds with the TypeScript client generated for a snake_case dialect; returns the words
 * it met.
 */
export const pay = async ({ baseUrl, fetch, account, code, approve, settle }: World): Promise<string[]> => {
  const client = createClient<paths>({ baseUrl, fetch })
  const money = { amount: 4999, currency: 'PLN', country: 'PL' }
  const begun = await client.POST('/v2/payments', {
    params: { header: header() },
    body: {
      processing_account_id: account,
      order_ref: 'order-1',
      transaction_type: 'ONE_TIME',
      order: { ...money, description: 'Two tickets', auto_capture: false },
      provider_details: { provider_id: 'BLIK' },
      customer: { pin: code },
    },
  })
  if (!begun.data) throw new Error(`refused: ${begun.error.error.code}`)
  await approve(begun.data.payment_ref)
  const payment = { processing_account_id: account, payment_ref: begun.data.payment_ref }
  const completed = await client.POST('/v2/payments/complete', { params: { header: header() }, body: payment })
  const act = { ...payment, order_ref: 'act-1' }
  const captured = await client.POST('/v2/captures', {
    params: { header: header() },
    body: { ...act, order: { amount: 4999 } },
  })
  await settle()
  const refund = { ...act, order: { amount: 1000, description: 'One ticket' } }
  const refunded = await client.POST('/v2/refunds', { params: { header: header() }, body: refund })
  const read = { path: { transactionId: begun.data.payment_ref }, header: SIGNED }
  const { data: events } = await client.GET('/v2/payments/{transactionId}/history', { params: read })
  const again = await client.POST('/v2/captures', {
    params: { header: header() },
    body: { ...act, order: {} },
  })
  return [
    begun.data.status,
    completed.data?.status ?? '',
    captured.data?.status ?? '',
    refunded.data?.status ?? '',
    events?.lifecycle?.phase ?? '',
    `${events?.order.captured_amount} ${events?.order.refunded_amount}`,
    `${again.error?.error.code}`,
  ]
}
