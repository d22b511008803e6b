import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readKit } from '../../contracts/client/credentials.ts'
import { deriveKeyId } from '../../simulator/installation/create-signing-key-pairs.ts'
import { StartError } from '../../simulator/support/start-error.ts'
import { readSource } from '../architecture/read-source-files.ts'
import { controlClient, organizationControl } from '../support/control-client.ts'
import { createSelfSignedIdentity, newKeyPair } from '../support/generate-keys-and-certificates.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { irisRequestOf, merchantWith, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const [, EXAMPLE = ''] = /^```yaml\n(# init\.yaml\n.*?)^```$/ms.exec(readSource('docs/containers.md')) ?? []

/** A folder with the example of the page and the files that it names. */
const exampleFolder = async () => {
  const folder = temporaryFolder()
  const identity = await createSelfSignedIdentity()
  const key = newKeyPair()
  writeFileSync(join(folder, 'client.pem'), identity.certificate)
  writeFileSync(join(folder, 'signing.pub'), key.pem)
  const init = join(folder, 'init.yaml')
  writeFileSync(init, EXAMPLE)
  return { init, identity, key }
}

test('a merchant that cannot call control pays with the keys, the endpoint and the outcomes of an init file', async () => {
  const { init, identity, key } = await exampleFolder()
  const first = await startScopedSimulator({ init, webhookPrivate: [] })
  const kit = readKit(join(first.dataDir, 'kit/checkout'))
  const own = { ...kit, identity, signingKeys: [key.signingKey(deriveKeyId('checkout', key.pem))] }
  for (const credentials of [kit, own]) expect((await merchantWith(credentials).search({})).status).toBe(200)
  const merchant = merchantWith(own)
  const declined = await merchant.initiate({ ...irisRequestOf(merchant), payerDetails: { payerId: 'poor-payer' } })
  expect(declined.exchange.response?.status).toBe(200)

  const { get } = organizationControl(first, 'checkout')
  const { webhooks } = (await get('webhooks')).body
  expect(webhooks).toMatchObject([{ url: 'http://shop:3000/webhooks', types: ['PAYMENT_CAPTURE', 'PAYMENT_REFUND'] }])
  expect(EXAMPLE).toContain(`secret: ${webhooks[0].secrets[0].secret.slice(0, 10)}`)
  expect((await get('mocks')).body.mocks).toMatchObject([
    { scenario: 'INSUFFICIENT_FUNDS', type: 'PASSTHROUGH', key: { type: 'PAYER_ID', value: 'poor-payer' } },
  ])
})

test('starting again with the file changes nothing that is there, and revives nothing that was revoked', async () => {
  const { init } = await exampleFolder()
  const look = async (simulator: Awaited<ReturnType<typeof startScopedSimulator>>) => {
    const { get } = organizationControl(simulator, 'checkout')
    const lists = ['webhooks', 'certificates', 'signing-keys'].map(async path => (await get(path)).body)
    return Promise.all(lists)
  }
  const first = await startScopedSimulator({ init })
  const { get } = organizationControl(first, 'checkout')
  const { fingerprint } = (await get('certificates')).body.certificates[1]
  await organizationControl(first, 'checkout').delete(`certificates/${fingerprint}`)
  const before = await look(first)
  await first.stop()
  const second = await startScopedSimulator({ init, dataDir: first.dataDir })
  expect(await look(second)).toEqual(before)
  expect((await organizationControl(second, 'checkout').get('mocks')).body.mocks).toHaveLength(1)
})

test('an endpoint stays as a team has left it, whatever a later file says of its address', async () => {
  const { init } = await exampleFolder()
  const first = await startScopedSimulator({ init, webhookPrivate: [] })
  const { get, post } = organizationControl(first, 'checkout')
  const { endpointId } = (await get('webhooks')).body.webhooks[0]
  const wanted = { enabled: false, types: ['PAYMENT_REFUND'] }
  await controlClient(first)('PATCH', `organizations/checkout/webhooks/${endpointId}`, wanted)
  await post(`webhooks/${endpointId}/rotate`, {})
  const { webhooks: before } = (await get('webhooks')).body
  expect(before).toMatchObject([{ enabled: false, types: ['PAYMENT_REFUND'], secrets: [{}, {}] }])
  await first.stop()
  const again = [
    {
      url: 'http://SHOP:3000/webhooks',
      types: ['PAYMENT_DISPUTE'],
      secret: `whsec_${btoa('another secret that the shop knows')}`,
    },
    { url: 'http://shop:3000/more' },
  ]
  writeFileSync(init, JSON.stringify({ organizations: [{ id: 'checkout', webhooks: again }] }))
  const second = await startScopedSimulator({ init, webhookPrivate: [], dataDir: first.dataDir })
  const { webhooks: after } = (await organizationControl(second, 'checkout').get('webhooks')).body
  expect(after).toEqual([...before, expect.objectContaining({ url: 'http://shop:3000/more', enabled: true })])
})

const withKey = newKeyPair().privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

test.each([
  ['no file', undefined, 'cannot be read: check --init'],
  ['no YAML', 'a: [', 'is no YAML'],
  [
    'a tag that YAML does not have',
    'organizations: !ours []',
    'is no YAML: Unresolved tag: !ours at line 1, column 16.',
  ],
  ['another shape', 'organisations: []', 'organizations in'],
  ['an unknown member', '{organizations: [{id: a, webhook: []}]}', 'is not known here'],
  ['an id', '{organizations: [{id: "A B"}]}', 'organization A B: An organization id is'],
  ['a missing file', '{organizations: [{id: a, signingKeys: [none.pub]}]}', 'none.pub cannot be read: check --init'],
  ['a private key', JSON.stringify({ organizations: [{ id: 'a', signingKeys: [withKey] }] }), 'private key'],
  ['no certificate', '{organizations: [{id: a, certificates: ["-----BEGIN"]}]}', 'organization a: certificate'],
  ['a webhook', '{organizations: [{id: a, webhooks: [{url: shop}]}]}', 'organization a: url is "shop"'],
  [
    'a webhook with a password',
    '{organizations: [{id: a, webhooks: [{url: "http://me:secret@shop.example/"}]}]}',
    'url is "http://***@shop.example/": leave name and password out of the address',
  ],
  ['a secret', '{organizations: [{id: a, webhooks: [{url: "http://a", secret: x}]}]}', 'must be whsec_ and a key'],
  [
    'a scenario',
    '{organizations: [{id: a, scenarios: [{scenario: NONE, key: {type: PAYER_ID, value: a}}]}]}',
    'organization a: ',
  ],
])('%s in an init file ends the start with one sentence', async (_what, content, sentence) => {
  const init = join(temporaryFolder(), 'init.yaml')
  if (content !== undefined) writeFileSync(init, content)
  const error = await startScopedSimulator({ init }).catch(thrown => thrown)
  expect(error).toBeInstanceOf(StartError)
  expect(error.message).toContain(sentence)
  expect(error.message).not.toContain('\n')
})
