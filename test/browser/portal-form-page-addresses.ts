import { completeBlikPayment, PORTAL, type PortalSandbox } from './portal-sandbox.ts'

/** Creates one address for each portal page of forms and tables in each state: empty and filled, for browser tests. */
export const portalFormPageAddresses = async (
  site: PortalSandbox,
  receiverUrl: string,
): Promise<[name: string, path: string][]> => {
  const { control, here } = site
  await control('POST', 'organizations', { id: 'second-shop' })
  const endpoint = await control('POST', `${here}/webhooks`, { url: receiverUrl, types: ['PAYMENT_CAPTURE'] })
  await control('POST', `${here}/webhooks/${endpoint.endpointId}/rotate`, {})
  await control('POST', `${here}/webhooks`, {
    url: 'http://localhost:1/86510/close-to-the-shop/notifications/699?of=shop',
  })
  await control('POST', `${here}/webhooks`, { url: `${site.url}/shop/webhooks/demo-merchant` })
  await completeBlikPayment(site, 'Honey, password: hive') // breaks a rule of conduct
  await completeBlikPayment(site)
  await control('POST', `${here}/clock`, { advance: 'P2D' })
  const { deliveryId } = await control('POST', `${here}/webhooks/${endpoint.endpointId}/test`, {})
  const [{ fingerprint }] = (await control('GET', `${here}/certificates`)).certificates
  const { signingKeys } = await control('GET', `${here}/signing-keys`)
  await control('DELETE', `${here}/signing-keys/${signingKeys[2].keyId}`)
  const off = await control('POST', `${here}/webhooks`, { url: `${receiverUrl}-off` })
  await control('PATCH', `${here}/webhooks/${off.endpointId}`, { enabled: false })
  await control('PUT', `${here}/accounts/demo-merchant-account-2/capabilities`, { IRIS: { laterCapture: true } })
  const failing = await control('POST', `${here}/webhooks`, { url: 'http://127.0.0.1:1/nobody-listens-here' })
  await control('POST', `${here}/webhooks/${failing.endpointId}/test`, {})
  const profile = "naming: snake_case\ndecisions: { D-07: '402', D-99: initiate }\n"
  await control('PUT', 'organizations/second-shop/dialect', { profile })
  const empty = '/portal/organizations/second-shop'
  return [
    ['organizations', '/portal/organizations'],
    ['overview', `${PORTAL}?done=organization-created`],
    ['overview of a week', `${PORTAL}?span=week`],
    ['overview, empty', empty],
    ['search, many', `${PORTAL}/search?q=order-1`],
    ['search, nothing', `${PORTAL}/search?q=nothing-like-it`],
    ['webhooks, resent', `${PORTAL}/webhooks?resent=2&skipped=1&since=0`],
    ['identities', `${PORTAL}/identities?done=key-registered`],
    ['certificate', `${PORTAL}/certificates/${fingerprint}`],
    ['webhooks', `${PORTAL}/webhooks`],
    ['webhooks, given up', `${PORTAL}/webhooks?state=dropped`],
    ['webhooks, older', `${PORTAL}/webhooks?before=${deliveryId}`],
    ['webhooks, one resent', `${PORTAL}/webhooks?again=${deliveryId}`],
    ['webhooks, none', `${empty}/webhooks`],
    ['endpoint', `${PORTAL}/webhooks/${endpoint.endpointId}`],
    ['endpoint, disabled', `${PORTAL}/webhooks/${off.endpointId}`],
    ['delivery', `${PORTAL}/deliveries/${deliveryId}?asked=resend`],
    ['inbox', `${PORTAL}/inbox`],
    ['inbox, empty', `${empty}/inbox`],
    ['reports', `${PORTAL}/reports`],
    ['reports, none', `${empty}/reports`],
    ['reports, refused', `${PORTAL}/reports?from=2026-03-02&to=2026-03-01`],
    ['conduct', `${PORTAL}/conduct`],
    ['conduct, nothing yet', `${empty}/conduct`],
    ['conduct, begun', `${PORTAL}/conduct?name=TOKEN_ENDED&since=2026-01-01T00:00:00.000Z&run=1`],
    ['conduct, with new keys', `${PORTAL}/conduct?name=KEY_ROTATION&since=2026-01-01T00:00:00.000Z&run=2`],
    ['conduct, ended', `${PORTAL}/conduct?judged=PLAIN_PAYMENT&since=2026-01-01T00:00:00.000Z`],
    ['dialect', `${PORTAL}/dialect?done=usual-dialect`],
    ['dialect, of its own', `${empty}/dialect?done=dialect-spoken`],
    ['capabilities', `${PORTAL}/capabilities?account=demo-merchant-account-2`],
  ]
}
