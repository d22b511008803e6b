import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { OPERATIONS } from '../../contracts/operations.ts'
import { connectSandbox } from '../../fixtures/connect-sandbox.ts'
import { openTcpProxy } from '../outages/tcp-proxy.ts'
import { isOverPostgres } from '../runner/postgres-exclusions.ts'
import { askForKit, keySetStatus } from '../support/kits-under-host-names.ts'
import { irisRequest } from '../support/payment-requests.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

/** Maps a port of the sandbox as a container runtime does: to a number that the sandbox does not know. */
const mapped = async (url: string): Promise<number> => {
  const proxy = await openTcpProxy(Number(new URL(url).port))
  onTestFinished(proxy.close)
  return proxy.port
}

test('who mixes up the two ports is told so: a call of the API at the pages, plain HTTP at the API', async () => {
  const { apiUrl, pagesUrl } = await startScopedSimulator()
  for (const { method, path } of Object.values(OPERATIONS)) {
    const response = await fetch(pagesUrl + path.replace(/\{\w+\}/, 'some-id'), { method })
    expect([path, response.status]).toEqual([path, 404])
    expect(await response.json()).toEqual({ error: `The API is at ${apiUrl}: this port has the pages and control.` })
  }
  const plain = await fetch(`${apiUrl.replace('https:', 'http:')}/health`)
  expect([plain.status, await plain.text()]).toEqual([
    400,
    'This port takes HTTPS only: call it by https:// in place of http://.\n',
  ])
})

test('headers of proxies, which anybody can write, name no address', async () => {
  const { pagesUrl } = await startScopedSimulator()
  const headers = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', Forwarded: 'host=evil.example' }
  const answer = await fetch(`${pagesUrl}/control/organizations/demo-merchant/kit`, { headers })
  expect(await answer.json()).toMatchObject({ pagesBaseUrl: pagesUrl, apiBaseUrl: expect.not.stringContaining('evil') })
})

test('one mapped port is enough: kit, API and redirect are at the address that the client used', async () => {
  const { pagesUrl } = await startScopedSimulator()
  const port = await mapped(pagesUrl)
  const sandbox = connectSandbox({ url: `http://localhost:${port}` })
  const organization = await sandbox.create()
  expect(organization.kit).toMatchObject({
    apiBaseUrl: `https://localhost:${port}`,
    pagesBaseUrl: `http://localhost:${port}`,
  })
  const merchant = organization.merchant()
  onTestFinished(() => merchant.close())
  const [processingAccountId = ''] = organization.kit.processingAccountIds
  const begun = await merchant.initiate({ ...irisRequest(), processingAccountId })
  if (!begun.ok) throw new Error(begun.refusal?.statusInfo?.message)
  const { redirectUrl = '' } = begun.body.providerDetails as { redirectUrl?: string }
  expect(new URL(redirectUrl).origin).toBe(`http://localhost:${port}`)
  expect((await fetch(redirectUrl)).status).toBe(200)
})

test('a shop that reads its kit inside the network takes no redirect from the browser of the tests outside', async () => {
  const { pagesUrl, apiUrl } = await startScopedSimulator()
  const inside = Number(new URL(pagesUrl).port)
  const api = `https://localhost:${new URL(apiUrl).port}`
  const outside = connectSandbox({ url: `http://127.0.0.1:${await mapped(pagesUrl)}`, apiUrl: api })
  const organization = await outside.create()
  const merchant = organization.merchant()
  onTestFinished(() => merchant.close())
  const [processingAccountId = ''] = organization.kit.processingAccountIds
  await connectSandbox({ url: `http://localhost:${inside}` }).organization(organization.id)
  const begun = await merchant.initiate({ ...irisRequest(), processingAccountId })
  if (!begun.ok) throw new Error(begun.refusal?.statusInfo?.message)
  const { redirectUrl = '' } = begun.body.providerDetails as { redirectUrl?: string }
  expect(new URL(redirectUrl).origin).toBe(organization.kit.pagesBaseUrl)
})

test('the mapped port of the API is in the kit once the API was called there', async () => {
  const { apiUrl, pagesUrl } = await startScopedSimulator()
  const [pages, api] = [await mapped(pagesUrl), await mapped(apiUrl)]
  const sandbox = connectSandbox({ url: `http://localhost:${pages}`, apiUrl: `https://localhost:${api}` })
  const organization = await sandbox.organization('demo-merchant')
  expect(organization.kit).toMatchObject({
    apiBaseUrl: `https://localhost:${api}`,
    jwksUrl: expect.stringMatching(`^https://localhost:${api}/`),
  })
  const merchant = organization.merchant()
  onTestFinished(() => merchant.close())
  expect((await merchant.search({})).status).toBe(200)
  expect((await askForKit('localhost', pages)).body.apiBaseUrl).toBe(`https://localhost:${api}`)
})

/** Makes sure that the API has a certificate for a kit's name, at the own port of the pages and at a mapped one. */
const expectCovered = async (name: string): Promise<void> => {
  const { pagesUrl } = await startScopedSimulator()
  for (const port of [new URL(pagesUrl).port, await mapped(pagesUrl)]) {
    const { body: kit } = await askForKit(name, port)
    expect(new URL(kit.apiBaseUrl).hostname).toBe(name.toLowerCase())
    expect(await keySetStatus(kit)).toBe(200)
    expect(await keySetStatus(kit, '/payments/none/status')).toBe(401) // its certificate is trusted, it is not signed
  }
}

const NAMES = ['assay', 'docker', 'ASSAY', 'host.docker.internal', 'assay.localhost']
test.each(NAMES)('a kit handed out under %s names an API whose certificate covers it', expectCovered)

// Replicas are behind a proxy, whose address is configured.
test.skipIf(isOverPostgres).each(['192.0.2.7', '[2001:db8::7]'])(
  'a kit handed out under %s names an API whose certificate covers it',
  expectCovered,
)

test.runIf(isOverPostgres)('replicas refuse a kit under an address that their certificate does not cover', async () => {
  const { pagesUrl, controlPlane } = await startScopedSimulator()
  const { status, body } = await askForKit('192.0.2.7', new URL(pagesUrl).port)
  expect([status, body.error]).toEqual([400, expect.stringContaining('add it with --tls-names')])
  expect(await controlPlane.organizations.list()).toHaveLength(1)
  const configured = await startScopedSimulator({ tlsNames: ['192.0.2.7'] })
  expect(await keySetStatus((await askForKit('192.0.2.7', new URL(configured.pagesUrl).port)).body)).toBe(200)
})

test.skipIf(isOverPostgres)(
  'an address that a kit was handed out under is covered after a restart, and beside other addresses',
  async () => {
    const first = await startScopedSimulator()
    const kits = []
    for (const name of ['192.0.2.7', '192.0.2.8']) kits.push((await askForKit(name, new URL(first.pagesUrl).port)).body)
    for (const kit of kits) expect(await keySetStatus(kit)).toBe(200)
    await first.stop()
    const { apiUrl } = await startScopedSimulator({ dataDir: first.dataDir })
    for (const kit of kits) {
      const jwksUrl = `https://${new URL(kit.apiBaseUrl).hostname}:${new URL(apiUrl).port}/.well-known/jwks.json`
      expect(await keySetStatus({ ...kit, jwksUrl })).toBe(200)
    }
  },
)

test('a name that others could own has a certificate only where it is configured', async () => {
  const unknown = await startScopedSimulator()
  const refused = await askForKit('sandbox.example.com', new URL(unknown.pagesUrl).port)
  expect(refused.status).toBe(403)
  expect(refused.body.error).toContain('--tls-names')
  const elsewhere = 'organizations/demo-merchant/kit?apiUrl=https://sandbox.example.com'
  const { status, body } = await askForKit('localhost', new URL(unknown.pagesUrl).port, elsewhere)
  expect([status, body.error]).toEqual([400, expect.stringContaining('add it with --tls-names')])
  const jwksUrl = unknown.kit.jwksUrl.replace('localhost', 'sandbox.example.com')
  await expect(keySetStatus({ ...unknown.kit, jwksUrl })).rejects.toThrow(/altnames/)

  const configured = await startScopedSimulator({ tlsNames: ['*.example.com'] })
  const { body: kit } = await askForKit('sandbox.example.com', new URL(configured.pagesUrl).port)
  expect(await keySetStatus(kit)).toBe(200)

  const names = ['sandbox.shop_default', 'registry.example.com__team__assay']
  const ofNetworks = await startScopedSimulator({ tlsNames: names })
  for (const name of names)
    expect(await keySetStatus((await askForKit(name, new URL(ofNetworks.pagesUrl).port)).body)).toBe(200)
})

test('a kit names the API where its caller says that it is, and the certificate covers that', async () => {
  const { pagesUrl, apiUrl } = await startScopedSimulator()
  const { port } = new URL(pagesUrl)
  for (const name of isOverPostgres ? ['assay'] : ['assay', '192.0.2.9']) {
    const api = `https://${name}:${new URL(apiUrl).port}`
    const { body: kit } = await askForKit('localhost', port, `organizations/demo-merchant/kit?apiUrl=${api}`)
    expect(kit.apiBaseUrl).toBe(api)
    expect(await keySetStatus(kit)).toBe(200)
  }
  for (const wrong of [
    'http://assay',
    'assay:8443',
    'https://assay/path',
    '',
    'https://u:pw-secret@a',
    'https://:secret@a',
  ]) {
    const asked = await askForKit('localhost', port, `organizations/demo-merchant/kit?apiUrl=${wrong}`)
    expect([asked.status, asked.body.error]).toEqual([400, expect.stringContaining('https://assay:8443')])
    expect(asked.body.error).not.toContain('secret')
  }
  const refused = connectSandbox({ url: pagesUrl, apiUrl: 'https://api.example.com' })
  await expect(refused.create('never-made')).rejects.toThrow('add it with --tls-names')
  expect(await refused.organizations()).toEqual(['demo-merchant'])
})

test('connections to the port of the pages that say nothing, and bytes of neither protocol, hold up no close', async () => {
  const simulator = await startScopedSimulator()
  const { port } = new URL(simulator.pagesUrl)
  const silent = connect(Number(port), '127.0.0.1')
  await once(silent, 'connect')
  const noise = connect(Number(port), '127.0.0.1').end('\x00\x01 noise\r\n\r\n')
  expect(String(await noise.toArray())).toMatch(/^HTTP\/1\.1 400 /)
  const closed = once(silent, 'close')
  await simulator.stop()
  await closed
})
