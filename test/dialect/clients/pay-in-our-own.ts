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
 * Pays with BLIK, captures and refunds with the TypeScript client generated for our own dialect; returns the words it
 * met.
 */
export const pay = async ({ baseUrl, fetch, account, code, approve, settle }: World): Promise<string[]> => {
  const client = createClient<paths>({ baseUrl, fetch })
  const money = { amount: 4999, currency: 'PLN', country: 'PL' }
  const begun = await client.POST('/payments/initiate', {
    params: { header: header() },
    body: {
      processingAccountId: account,
      clientTransactionId: 'order-1',
      transactionType: 'ONE_TIME',
      paymentDetails: { ...money, description: 'Two tickets', autoCapture: false },
      providerDetails: { providerId: 'BLIK' },
      payerDetails: { oneTimeCode: code },
    },
  })
  if (!begun.data) throw new Error(`refused: ${begun.error.statusInfo.reasonCode}`)
  await approve(begun.data.transactionId)
  const payment = { processingAccountId: account, transactionId: begun.data.transactionId }
  const completed = await client.POST('/payments/finalize', { params: { header: header() }, body: payment })
  const act = { ...payment, clientTransactionId: 'act-1' }
  const captured = await client.POST('/payments/capture', {
    params: { header: header() },
    body: { ...act, paymentDetails: { amount: 4999 } },
  })
  await settle()
  const refund = { ...act, paymentDetails: { amount: 1000, description: 'One ticket' } }
  const refunded = await client.POST('/payments/refund', { params: { header: header() }, body: refund })
  const read = { path: { transactionId: begun.data.transactionId }, header: SIGNED }
  const { data: events } = await client.GET('/payments/{transactionId}/events', { params: read })
  const again = await client.POST('/payments/capture', {
    params: { header: header() },
    body: { ...act, paymentDetails: {} },
  })
  return [
    begun.data.status,
    completed.data?.status ?? '',
    captured.data?.status ?? '',
    refunded.data?.status ?? '',
    events?.lifecycle?.state ?? '',
    `${events?.paymentDetails.capturedAmount} ${events?.paymentDetails.refundedAmount}`,
    `${again.error?.statusInfo.reasonCode}`,
  ]
}
