import type { Pool } from 'undici'
import { type Prepare, plainly, send, type Work } from './load.ts'

type Parts = { prepare: Prepare; pages: Pool; organizationId: string; processingAccountId: string }

/** A whole BLIK payment: a fresh code, initiate, the shopper's yes, finalize, capture, status: six calls, one after the other. */
export const blikPayment =
  ({ prepare, pages, organizationId, processingAccountId }: Parts): Work =>
  async pool => {
    const control = async (path: string, body: object) =>
      JSON.parse(
        await send(
          pages,
          await plainly({ method: 'POST', path: `/control/organizations/${organizationId}${path}`, body }),
        ),
      )
    const api = async (path: string, body?: object) =>
      JSON.parse(await send(pool, await prepare({ method: body ? 'POST' : 'GET', path, body })))

    const { code } = await control('/blik/codes', {})
    const { transactionId } = await api('/payments/initiate', {
      processingAccountId,
      clientTransactionId: `bench-${code}`,
      transactionType: 'ONE_TIME',
      paymentDetails: { amount: 1250, currency: 'PLN', country: 'PL', description: 'Bench', autoCapture: false },
      providerDetails: { providerId: 'BLIK' },
      payerDetails: { oneTimeCode: code },
    })
    await control(`/payments/${transactionId}/shopper`, { action: 'approve' })
    await api('/payments/finalize', { processingAccountId, transactionId })
    await api('/payments/capture', { processingAccountId, transactionId, clientTransactionId: `capture-${code}` })
    const { status } = await api(`/payments/${transactionId}/status`)
    if (status !== 'APPROVED') throw new Error(`A BLIK payment ended as ${status} and not APPROVED.`)
  }
