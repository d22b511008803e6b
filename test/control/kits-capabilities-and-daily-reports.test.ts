import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { credentialsFromKit } from '../../contracts/client/credentials.ts'
import { controlClient, createMerchantOrganization } from '../support/control-client.ts'
import { merchantWith, startScopedSimulator } from '../support/test-scoped-simulator.ts'

test('5.1: renewing a kit issues a new key and certificate, and the previous ones stay valid', async () => {
  const simulator = await startScopedSimulator()
  const { kit, merchant, here } = await createMerchantOrganization(simulator)
  const ask = controlClient(simulator)
  const renewed = await ask('POST', `${here}/kit`)
  expect(renewed.status).toBe(201)
  expect({ ...renewed.body, certificate: kit.certificate, privateKey: kit.privateKey }).toEqual(kit)
  expect(renewed.body.privateKey).not.toBe(kit.privateKey)
  expect((await ask('GET', `${here}/kit`)).body).toEqual(renewed.body)
  const fresh = merchantWith(credentialsFromKit(renewed.body))
  for (const one of [merchant, fresh]) expect((await one.search({})).status).toBe(200)

  const { fingerprint256 } = new X509Certificate(kit.certificate)
  await ask('DELETE', `${here}/certificates/${fingerprint256}`)
  expect((await fresh.search({})).status).toBe(200)
  expect((await ask('POST', `${here}/kit`, { id: 'x' })).status).toBe(400)
  expect((await ask('POST', 'organizations/nobody/kit')).status).toBe(404)
})

test('5.2: renewing a kit replaces the signing keys that are no longer usable, and no others', async () => {
  const simulator = await startScopedSimulator()
  const { kit, here } = await createMerchantOrganization(simulator)
  const ask = controlClient(simulator)
  const [first, ...others] = kit.signingKeys
  await ask('DELETE', `${here}/signing-keys/${first?.keyId}`)
  const { body: renewed } = await ask('POST', `${here}/kit`)
  expect(renewed.signingKeys.slice(1)).toEqual(others)
  expect(renewed.signingKeys[0]).toMatchObject({
    algorithm: first?.algorithm,
    keyId: expect.not.stringContaining(first?.keyId ?? ''),
  })
  expect((await merchantWith(credentialsFromKit(renewed)).search({})).status).toBe(200)

  await ask('POST', `${here}/clock`, { advance: 'P366D' })
  const { body: again } = await ask('POST', `${here}/kit`)
  const ids = (keys: readonly { keyId: string }[]) => keys.map(({ keyId }) => keyId)
  expect(ids(again.signingKeys).filter(keyId => ids(renewed.signingKeys).includes(keyId))).toEqual([])
  expect((await merchantWith(credentialsFromKit(again)).search({})).status).toBe(200)
})

test('5.1: a certificate is returned with its PEM, to its own organization only', async () => {
  const simulator = await startScopedSimulator()
  const { kit, here } = await createMerchantOrganization(simulator)
  const ask = controlClient(simulator)
  const { fingerprint256 } = new X509Certificate(kit.certificate)
  for (const spelled of [fingerprint256, fingerprint256.replaceAll(':', '').toLowerCase()]) {
    const { status, body } = await ask('GET', `${here}/certificates/${spelled}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ fingerprint: fingerprint256, state: 'valid', ca: kit.ca })
    expect(new X509Certificate(body.certificate).fingerprint256).toBe(fingerprint256)
  }
  expect((await ask('GET', `organizations/demo-merchant/certificates/${fingerprint256}`)).status).toBe(404)
})

test('D-77: the capabilities of an account can be read', async () => {
  const ask = controlClient(await startScopedSimulator())
  const path = (account: string) => `organizations/demo-merchant/accounts/${account}/capabilities`
  const usual = (await ask('GET', path('demo-merchant-account-1'))).body
  expect(usual.capabilities).toMatchObject({ BLIK: { partialCapture: true }, IRIS: { partialCapture: false } })
  const set = await ask('PUT', path('demo-merchant-account-1'), { BLIK: { partialCapture: false } })
  expect((await ask('GET', path('demo-merchant-account-1'))).body).toEqual(set.body)
  expect((await ask('GET', path('demo-merchant-account-2'))).body.capabilities).toEqual(usual.capabilities)
  expect((await ask('GET', path('none'))).status).toBe(404)
})

test('5.2: a deregistered key has the time of its deregistration', async () => {
  const ask = controlClient(await startScopedSimulator())
  const here = 'organizations/demo-merchant/signing-keys'
  const [{ keyId, deregisteredAt }] = (await ask('GET', here)).body.signingKeys
  expect(deregisteredAt).toBeUndefined()
  const told = (await ask('DELETE', `${here}/${keyId}`)).body
  expect(told).toMatchObject({ state: 'deregistered', deregisteredAt: expect.stringMatching(/^\d{4}-.*Z$/) })
  expect((await ask('GET', here)).body.signingKeys[0]).toEqual(told)
})

test.each([
  ['from=2026-02-30', 'from is'],
  ['to=yesterday', 'to is'],
  ['from=2026-01-26garbage', 'from is'],
  ['from=2026-01-26T99:99', 'from is'],
  ['from=2026-02-30T00:00:00Z', 'from is'],
  ['to=0000-01-01T00:00:00%2B01:00', 'to is'],
  ['type=PROFIT', 'type is'],
  ['processingAccountId=none', 'processingAccountId is'],
  ['from=2026-03-02&to=2026-03-01', 'to is before from'],
  ['from=2026-01-01&to=2026-03-01', 'more than 31 days'],
])('4, D-75: a report query with %s is refused in one sentence', async (query, told) => {
  const ask = controlClient(await startScopedSimulator())
  const { status, body } = await ask('GET', `organizations/demo-merchant/reports?${query}`)
  expect([status, body.error]).toEqual([400, expect.stringContaining(told)])
})

test('4, D-75: a time of a report query is the same day in UTC as over the API', async () => {
  const ask = controlClient(await startScopedSimulator())
  const [from, to] = ['2026-11-27T00:30:00%2B02:00', '2026-11-27T23:30:00-02:00']
  const { body } = await ask('GET', `organizations/demo-merchant/reports?from=${from}&to=${to}`)
  expect(body).toMatchObject({ from: '2026-11-26', to: '2026-11-28' })
})

test('4, D-75: control lists and downloads the same reports as the merchant, of its organization only', async () => {
  const simulator = await startScopedSimulator()
  const { merchant, here, kit } = await createMerchantOrganization(simulator)
  const ask = controlClient(simulator)
  const { code } = (await ask('POST', `${here}/blik/codes`)).body
  const processingAccountId = String(kit.processingAccountIds[0])
  const initiated = await merchant.initiate({
    processingAccountId,
    clientTransactionId: 'order-1',
    transactionType: 'ONE_TIME',
    paymentDetails: { amount: 1000, currency: 'PLN', country: 'PL', description: 'Honey', autoCapture: true },
    providerDetails: { providerId: 'BLIK' },
    payerDetails: { oneTimeCode: code },
  })
  if (!initiated.ok) throw new Error(initiated.refusal?.statusInfo?.message)
  const { transactionId } = initiated.body
  await ask('POST', `${here}/payments/${transactionId}/shopper`, { action: 'approve' })
  await merchant.finalize({ processingAccountId, transactionId })

  const today = (await ask('GET', `${here}/reports`)).body
  expect(today.files).toEqual([])
  await ask('POST', `${here}/clock`, { to: today.nextAt })
  const { files, from, to } = (await ask('GET', `${here}/reports`)).body
  expect(files.length).toBeGreaterThan(0)
  const listed = await merchant.reports({ from, to })
  expect(listed.ok && listed.body.files).toEqual(files)

  const [{ reportId }] = files
  const path = (id: string) => `${simulator.pagesUrl}/control/${id}/reports/${reportId}`
  const answer = await fetch(path(here))
  expect(answer.headers.get('content-type')).toContain('text/csv')
  expect(await answer.text()).toMatch(/^timestamp,/)
  expect((await fetch(path('organizations/demo-merchant'))).status).toBe(404)
})
