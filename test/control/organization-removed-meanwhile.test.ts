import { expect, test } from 'vitest'
import type { Store } from '../../simulator/store/store.ts'
import { controlClient, createMerchantOrganization } from '../support/control-client.ts'
import { createCertificateRequest, newKeyPair } from '../support/generate-keys-and-certificates.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const HERE = 'organizations/shop'
const CAPABILITIES = `${HERE}/accounts/shop-account-1/capabilities`
const MOCK = {
  processingAccountId: 'shop-account-1',
  key: { type: 'PAYER_ID', value: 'payer' },
  type: 'MOCK',
  scenario: 'BANK_TIMEOUT',
}

/** Starts a sandbox with an organization `shop`, which is removed just before the store is asked for `method`. */
const removedBefore = async (method: keyof Store) => {
  const store = await openTestStore(temporaryFolder())
  let remove: (() => Promise<unknown>) | undefined
  const original = store[method] as (...values: unknown[]) => unknown
  const overtaken = async (...values: unknown[]) => {
    const now = remove
    remove = undefined
    await now?.()
    return original(...values)
  }
  const simulator = await startScopedSimulator({}, { store: { ...store, [method]: overtaken } })
  const ask = controlClient(simulator)
  const { merchant } = await createMerchantOrganization(simulator, 'shop')
  await ask('POST', `${HERE}/delivery-plans`, { do: 'duplicate' })
  await ask('POST', `${HERE}/snapshots`, { name: 'earlier' })
  const arm = () => {
    remove = () => ask('DELETE', HERE)
  }
  return { simulator, store, ask, merchant, arm }
}

const rowsLeft = async (store: Store) => [
  ...Object.values((await store.organizationState('shop')).tables).flatMap(({ rows }) => rows),
  ...(await store.certificates('shop')),
  ...(await store.signingKeys('shop')),
  ...(await store.snapshots('shop')),
]

// biome-ignore format: a table reads by its columns
test.each<[what: string, method: keyof Store, call: [method: string, path: string, body?: object]]>([
  ['a certificate',           'addCertificate',           ['POST', `${HERE}/certificates`, { csr: (await createCertificateRequest(newKeyPair().privateKey)) }]],
  ['a signing key',           'addSigningKey',            ['POST', `${HERE}/signing-keys`, { publicKey: newKeyPair().pem }]],
  ['a new kit',               'addCertificate',           ['POST', `${HERE}/kit`]],
  ['a webhook endpoint',      'addEndpoint',              ['POST', `${HERE}/webhooks`, { url: 'http://127.0.0.1:1/hook' }]],
  ['a delivery plan',         'addPlan',                  ['POST', `${HERE}/delivery-plans`, { do: 'duplicate' }]],
  ['a snapshot',              'saveSnapshot',             ['POST', `${HERE}/snapshots`]],
  ['the state of a snapshot', 'replaceOrganizationState', ['POST', `${HERE}/snapshots/earlier/restore`]],
  ['a fault',                 'addFault',                 ['POST', `${HERE}/faults`, { operation: 'refund', kind: 'error' }]],
  ['a mock',                  'transact',                 ['POST', `${HERE}/mocks`, MOCK]],
  ['a phone',                 'addPhone',                 ['POST', `${HERE}/blik/phones`]],
  ['a BLIK code',             'addBlikCode',              ['POST', `${HERE}/blik/codes`]],
  ['a move of the clock',     'setClock',                 ['POST', `${HERE}/clock`, { advance: 'P1D' }]],
  ['a dialect',               'setDialect',               ['PUT',  `${HERE}/dialect`, { profile: 'naming: snake_case' }]],
  ['a capability',            'setCapabilities',          ['PUT',  CAPABILITIES, { IRIS: { refund: false } }]],
])('%s for an organization that is removed meanwhile: 404, and nothing is left', async (_, method, [verb, path, body]) => {
  const { simulator, store, ask, arm } = await removedBefore(method)
  arm()
  const { status, body: said } = await ask(verb, path, body)
  expect([status, said]).toEqual([404, { error: expect.stringMatching(/^There is no organization shop:/) }])
  expect(await rowsLeft(store)).toEqual([])
  expect((await ask('POST', 'organizations', { id: 'shop' })).status).toBe(201)
  expect((await ask('GET', `${HERE}/clock`)).body.mode).toBe('real')
  expect(Math.abs(simulator.controlPlane.now('shop') - simulator.controlPlane.now('demo-merchant'))).toBeLessThan(60_000)
  expect(simulator.controlPlane.dialects.of('shop')).toBe(simulator.controlPlane.dialects.usual)
})

test('the journal of a new organization has no call of one of its id that was removed meanwhile', async () => {
  const { ask, merchant, arm } = await removedBefore('transact')
  await merchant.token()
  arm()
  await merchant.status('before')
  await ask('POST', 'organizations', { id: 'shop' })
  expect((await ask('GET', `${HERE}/journal`)).body).toEqual({ calls: [] })
})
