import type { Pool } from 'undici'
import { type Prepare, prepareUnsigned, sendPrepared, type Work } from '../load/http-load.ts'

type Parts = { prepare: Prepare; pages: Pool; organizationId: string; processingAccountId: string }

/**
 * Creates the unit of load that makes one whole BLIK payment in six calls, from the code to the status after capture.
 */
export const blikPaymentWork =
  ({ prepare, pages, organizationId, processingAccountId }: Parts): Work =>
  async pool => {
    const control = async (path: string, body: object) =>
      JSON.parse(
        await sendPrepared(
          pages,
          await prepareUnsigned({ method: 'POST', path: `/control/organizations/${organizationId}${path}`, body }),
        ),
      )
    const api = async (path: string, body?: object) =>
      JSON.parse(await sendPrepared(pool, await prepare({ method: body ? 'POST' : 'GET', path, body })))

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
    await api('/payments/capture', {
      processingAccountId,
      transactionId,
      clientTransactionId: `capture-${code}`,
      paymentDetails: {},
    })
    const { status } = await api(`/payments/${transactionId}/status`)
    if (status !== 'APPROVED') throw new Error(`A BLIK payment ended as ${status} and not APPROVED.`)
  }
