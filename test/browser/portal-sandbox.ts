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

/** Makes a BLIK payment from its code to its capture, so that reports and webhooks have content; returns its id. */
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

/** Creates one address for each portal page of forms and tables in each state: empty and filled. */
export const portalFormPageAddresses = async (
  site: PortalSandbox,
  receiverUrl: string,
): Promise<[name: string, path: string][]> => {
  const { control, here } = site
  await control('POST', 'organizations', { id: 'second-shop' })
  const endpoint = await control('POST', `${here}/webhooks`, { url: receiverUrl, types: ['PAYMENT_CAPTURE'] })
  await control('POST', `${here}/webhooks/${endpoint.endpointId}/rotate`, {})
  await completeBlikPayment(site, 'Honey, password: hive') // breaks a rule of conduct
  await control('POST', `${here}/clock`, { advance: 'P2D' })
  const { deliveryId } = await control('POST', `${here}/webhooks/${endpoint.endpointId}/test`, {})
  const [{ fingerprint }] = (await control('GET', `${here}/certificates`)).certificates
  const { signingKeys } = await control('GET', `${here}/signing-keys`)
  await control('DELETE', `${here}/signing-keys/${signingKeys[2].keyId}`)
  const off = await control('POST', `${here}/webhooks`, { url: `${receiverUrl}-off` })
  await control('PATCH', `${here}/webhooks/${off.endpointId}`, { enabled: false })
  await control('PUT', `${here}/accounts/demo-merchant-account-2/capabilities`, { IRIS: { laterCapture: true } })
  const empty = '/portal/organizations/second-shop'
  return [
    ['organizations', '/portal/organizations'],
    ['overview', `${PORTAL}?done=organization-created`],
    ['identities', `${PORTAL}/identities?done=key-registered`],
    ['certificate', `${PORTAL}/certificates/${fingerprint}`],
    ['webhooks', `${PORTAL}/webhooks`],
    ['webhooks, none', `${empty}/webhooks`],
    ['endpoint', `${PORTAL}/webhooks/${endpoint.endpointId}`],
    ['endpoint, disabled', `${PORTAL}/webhooks/${off.endpointId}`],
    ['delivery', `${PORTAL}/deliveries/${deliveryId}`],
    ['inbox', `${PORTAL}/inbox`],
    ['inbox, empty', `${empty}/inbox`],
    ['reports', `${PORTAL}/reports`],
    ['reports, none', `${empty}/reports`],
    ['reports, refused', `${PORTAL}/reports?from=2026-03-02&to=2026-03-01`],
    ['conduct', `${PORTAL}/conduct`],
    ['conduct, nothing yet', `${empty}/conduct`],
    ['conduct, begun', `${PORTAL}/conduct?name=TOKEN_ENDED&since=2026-01-01T00:00:00Z&run=1`],
    ['conduct, with new keys', `${PORTAL}/conduct?name=KEY_ROTATION&since=2026-01-01T00:00:00Z&run=2`],
    ['conduct, ended', `${PORTAL}/conduct?judged=PLAIN_PAYMENT&since=2026-01-01T00:00:00Z`],
    ['capabilities', `${PORTAL}/capabilities?account=demo-merchant-account-2`],
  ]
}
