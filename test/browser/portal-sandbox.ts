import { createMerchant } from '../../contracts/client/merchant-client.ts'
import type { Config } from '../../simulator/options/options.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'

export const PORTAL = '/portal/organizations/demo-merchant'

/** Starts a sandbox for tests of the portal, with a function that calls its control API. */
export const startPortalSandbox = async (config: Partial<Config> = {}) => {
  const simulator = await startTestSimulator({ ...config })
  const { pagesUrl } = simulator
  const control = async (method: string, path: string, body?: unknown) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${pagesUrl}/control/${path}`, { method, ...sent })
    return answer.json()
  }
  return { ...simulator, url: pagesUrl, control, here: 'organizations/demo-merchant' }
}

export type PortalSandbox = Awaited<ReturnType<typeof startPortalSandbox>>

/**
 * Makes a BLIK payment from its code to its capture in a portal test, so that reports and webhooks have content;
 * returns its id.
 */
export const completeBlikPayment = async (
  { control, here, ...simulator }: PortalSandbox,
  description = 'Honey',
): Promise<string> => {
  const merchant = createMerchant(simulator.credentials, { now: () => simulator.controlPlane.now('demo-merchant') })
  try {
    const processingAccountId = String(simulator.kit.processingAccountIds[0])
    const { code } = await control('POST', `${here}/blik/codes`, {})
    const initiated = await merchant.initiate({
      processingAccountId,
      clientTransactionId: 'order-1',
      transactionType: 'ONE_TIME',
      paymentDetails: { amount: 1000, currency: 'PLN', country: 'PL', description, autoCapture: true },
      providerDetails: { providerId: 'BLIK' },
      payerDetails: { oneTimeCode: code },
    })
    if (!initiated.ok) throw new Error(initiated.refusal?.statusInfo?.message)
    const { transactionId } = initiated.body
    await control('POST', `${here}/payments/${transactionId}/shopper`, { action: 'approve' })
    const finalized = await merchant.finalize({ processingAccountId, transactionId })
    if (!finalized.ok) throw new Error(finalized.refusal?.statusInfo?.message)
    return transactionId
  } finally {
    await merchant.close()
  }
}
