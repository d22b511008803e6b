import { createPrivateKey, X509Certificate } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { readKit } from '../../contracts/client/credentials.ts'
import { algorithmNamed, algorithmOfKey } from '../../contracts/protocol/signature-algorithms.ts'
import {
  createCertificateAuthority,
  openCertificateAuthority,
} from '../../simulator/installation/certificate-authority.ts'
import type { Kit } from '../../simulator/installation/merchant-kit.ts'
import { openServerIdentity } from '../../simulator/installation/server-identity.ts'
import { createClock } from '../../simulator/support/clock.ts'
import { createIds } from '../../simulator/support/ids.ts'
import { isOverPostgres } from '../runner/postgres-exclusions.ts'
import { controlClient } from '../support/control-client.ts'
import { merchantWith, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const DAY = 86_400_000

const fileKit = (folder: string): Kit => JSON.parse(readFileSync(join(folder, 'kit.json'), 'utf8'))

/** The kit on disk with every path replaced by the content of the file. */
const filledIn = (folder: string): Kit => {
  const kit = fileKit(folder)
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')
  return {
    ...kit,
    ca: textOf(kit.ca),
    certificate: textOf(kit.certificate),
    privateKey: textOf(kit.privateKey),
    signingKeys: kit.signingKeys.map(key => ({ ...key, privateKey: textOf(key.privateKey) })),
  }
}

const controlled = async (pagesUrl: string, organizationId: string): Promise<Kit> =>
  (await (await fetch(`${pagesUrl}/control/organizations/${organizationId}/kit`)).json()) as Kit

describe('the kit written at the first start', () => {
  test('is the same as that of control, also after it was renewed or its keys were rotated', async () => {
    const { kitFolder, pagesUrl } = await startScopedSimulator()
    const before = filledIn(kitFolder)
    const post = (path: string) =>
      fetch(`${pagesUrl}/control/organizations/demo-merchant/${path}`, { method: 'POST', body: '{}' })
    await post('kit')
    const renewed = filledIn(kitFolder)
    expect(renewed.certificate).not.toBe(before.certificate)
    expect(renewed).toEqual(await controlled(pagesUrl, 'demo-merchant'))
    await post('drills/KEY_ROTATION/begin')
    await post('drills/KEY_ROTATION/between')
    expect(filledIn(kitFolder).signingKeys).not.toEqual(renewed.signingKeys)
    expect(filledIn(kitFolder)).toEqual(await controlled(pagesUrl, 'demo-merchant'))
  })

  test('says the dialect that control sets, at once', async () => {
    const { kitFolder, pagesUrl } = await startScopedSimulator()
    const usual = filledIn(kitFolder)
    const dialect = `${pagesUrl}/control/organizations/demo-merchant/dialect`
    const profile = 'naming: snake_case\n'
    await fetch(dialect, { method: 'PUT', body: JSON.stringify({ profile }) })
    expect(filledIn(kitFolder)).toMatchObject({ dialect: { naming: 'snake_case' } })
    expect(filledIn(kitFolder)).toEqual(await controlled(pagesUrl, 'demo-merchant'))
    await fetch(dialect, { method: 'DELETE' })
    expect(filledIn(kitFolder)).toEqual(usual)
  })

  test('has mode 0600 for private files and 0700 for the folder', async () => {
    const { kitFolder } = await startScopedSimulator()
    const modes = Object.fromEntries(
      readdirSync(kitFolder).map(name => [name, (statSync(join(kitFolder, name)).mode & 0o777).toString(8)]),
    )
    expect(modes).toEqual({
      'ca.pem': '644',
      'certificate.pem': '644',
      'kit.json': '600',
      'private-key.pem': '600',
      'signing-ecdsa_sha_256.pem': '600',
      'signing-ecdsa_sha_384.pem': '600',
      'signing-ecdsa_sha_512.pem': '600',
    })
    expect((statSync(kitFolder).mode & 0o777).toString(8)).toBe('700')
  })

  test('holds all credentials of a merchant, with paths relative to its folder', async () => {
    const { kitFolder, apiUrl, pagesUrl, dataDir } = await startScopedSimulator()
    expect(kitFolder).toBe(join(dataDir, 'kit', 'demo-merchant'))
    const keyId = expect.stringMatching(/^demo-merchant-[0-9a-f]{16}$/)
    expect(fileKit(kitFolder)).toEqual({
      apiBaseUrl: apiUrl,
      pagesBaseUrl: pagesUrl,
      jwksUrl: `${apiUrl}/.well-known/jwks.json`,
      organizationId: 'demo-merchant',
      clientId: 'demo-merchant',
      processingAccountIds: ['demo-merchant-account-1', 'demo-merchant-account-2'],
      ca: 'ca.pem',
      certificate: 'certificate.pem',
      privateKey: 'private-key.pem',
      signingKeys: [
        { keyId, algorithm: 'ECDSA_SHA_256', privateKey: 'signing-ecdsa_sha_256.pem' },
        { keyId, algorithm: 'ECDSA_SHA_384', privateKey: 'signing-ecdsa_sha_384.pem' },
        { keyId, algorithm: 'ECDSA_SHA_512', privateKey: 'signing-ecdsa_sha_512.pem' },
      ],
    })
  })

  test('is the same over control, with PEM texts instead of paths', async () => {
    const { kitFolder, pagesUrl } = await startScopedSimulator()
    expect(await controlled(pagesUrl, 'demo-merchant')).toEqual(filledIn(kitFolder))
  })

  test('5.2: holds a signing key for each algorithm, each on its curve', async () => {
    const { kit } = await startScopedSimulator()
    for (const { algorithm, privateKey } of kit.signingKeys)
      expect(algorithmOfKey(createPrivateKey(privateKey))).toBe(algorithmNamed(algorithm))
    expect(new Set(kit.signingKeys.map(({ keyId }) => keyId)).size).toBe(3)
  })

  test('5.1: has a certificate of its authority, with a key of its own, valid for a year', async () => {
    const { kit } = await startScopedSimulator()
    const [ca, certificate] = [new X509Certificate(kit.ca), new X509Certificate(kit.certificate)]
    expect(certificate.checkIssued(ca) && certificate.verify(ca.publicKey)).toBe(true)
    expect([ca.ca, certificate.ca]).toEqual([true, false])
    expect(certificate.checkPrivateKey(createPrivateKey(kit.privateKey))).toBe(true)
    expect(certificate.subject).toContain('CN=demo-merchant')
    const life = certificate.validToDate.getTime() - Date.now()
    expect(life).toBeGreaterThan(364 * DAY)
    expect(life).toBeLessThan(366 * DAY)
    const keys = [kit.privateKey, ...kit.signingKeys.map(({ privateKey }) => privateKey)]
    expect(new Set(keys).size).toBe(4)
  })

  test('is enough for a merchant client to get a token', async () => {
    const { kitFolder } = await startScopedSimulator()
    const answer = await merchantWith(readKit(kitFolder)).token()
    expect(answer.status).toBe(200)
  })
})

describe('the kit at a later start', () => {
  test('is the same; missing files are written again and file modes restored', async () => {
    const first = await startScopedSimulator()
    await first.stop()
    rmSync(join(first.kitFolder, 'ca.pem'))
    chmodSync(join(first.kitFolder, 'private-key.pem'), 0o644)
    const again = await startScopedSimulator({ dataDir: first.dataDir })
    const { apiBaseUrl: _a, pagesBaseUrl: _p, jwksUrl: _j, ...lasting } = first.kit
    expect(again.kit).toMatchObject(lasting)
    expect(filledIn(again.kitFolder)).toEqual(again.kit)
    expect(statSync(join(again.kitFolder, 'private-key.pem')).mode & 0o777).toBe(0o600)
  })
})

describe('the kit of another organization', () => {
  test('is returned over control, with its own keys and the same authority', async () => {
    const { pagesUrl, kit, dataDir } = await startScopedSimulator()
    const body = JSON.stringify({ id: 'second-shop' })
    const made = await fetch(`${pagesUrl}/control/organizations`, { method: 'POST', body })
    expect(made.status).toBe(201)
    const second = (await made.json()) as Kit
    expect(second).toMatchObject({ organizationId: 'second-shop', clientId: 'second-shop', ca: kit.ca })
    const secrets = ({ privateKey, signingKeys }: Kit) => [privateKey, ...signingKeys.map(key => key.privateKey)]
    expect(new Set([...secrets(kit), ...secrets(second)]).size).toBe(8)
    expect(await controlled(pagesUrl, 'second-shop')).toEqual(second)
    expect(readdirSync(join(dataDir, 'kit'))).toEqual(['demo-merchant'])
  })
})

test('of ten concurrent requests to create an organization of one id, one succeeds', async () => {
  const { pagesUrl } = await startScopedSimulator()
  const ask = () => fetch(`${pagesUrl}/control/organizations`, { method: 'POST', body: '{"id":"wanted"}' })
  const answers = await Promise.all(Array.from({ length: 10 }, ask))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  const made = answers.find(({ status }) => status === 201)
  expect(await made?.json()).toEqual(await controlled(pagesUrl, 'wanted'))
})

describe('5.1: the server’s certificate', () => {
  const presented = (apiUrl: string, ca: string) =>
    new Promise<X509Certificate | undefined>((resolve, reject) => {
      const socket = connect({ port: Number(new URL(apiUrl).port), host: '127.0.0.1', servername: 'localhost', ca })
      socket.on('error', reject)
      socket.on('secureConnect', () => {
        resolve(socket.getPeerX509Certificate())
        socket.destroy()
      })
    })

  test('is issued by the kit’s authority for localhost and the configured names', async () => {
    const { apiUrl, kit } = await startScopedSimulator({ tlsNames: ['assay.test', '10.1.2.3'] })
    const certificate = await presented(apiUrl, kit.ca)
    for (const name of ['localhost', 'assay.test']) expect(certificate?.checkHost(name)).toBe(name)
    for (const ip of ['127.0.0.1', '::1', '10.1.2.3']) expect(certificate?.checkIP(ip)).toBe(ip)
    expect(certificate?.checkHost('other.test')).toBeUndefined()
  })

  test('is kept while its names stay the same, and reissued when they change', async () => {
    const first = await startScopedSimulator()
    const original = await presented(first.apiUrl, first.kit.ca)
    await first.stop()
    const same = await startScopedSimulator({ dataDir: first.dataDir })
    expect((await presented(same.apiUrl, first.kit.ca))?.fingerprint256).toBe(original?.fingerprint256)
    await same.stop()
    const other = await startScopedSimulator({ dataDir: first.dataDir, tlsNames: ['assay.test'] })
    const renewed = await presented(other.apiUrl, first.kit.ca)
    expect(renewed?.fingerprint256).not.toBe(original?.fingerprint256)
    expect(renewed?.checkHost('assay.test')).toBe('assay.test')
  })
})

test.skipIf(isOverPostgres)(
  'the token of an organization adds four addresses to the server certificate, also over a restart; the operator more',
  async () => {
    const controlToken = 'a-token-of-the-operator'
    const first = await startScopedSimulator({ controlToken })
    const asker = (simulator: typeof first) => async (token: string, organizationId: string, nth: number) => {
      const path = `organizations/${organizationId}/kit?apiUrl=https://203.0.113.${nth}:8443`
      return controlClient(simulator)('GET', path, undefined, { authorization: `Bearer ${token}` })
    }
    const operator = { authorization: `Bearer ${controlToken}` }
    const tokenOf = async (id: string) => {
      await controlClient(first)('POST', 'organizations', { id }, operator)
      const body = { name: 'ci', role: 'act' }
      return (await controlClient(first)('POST', `organizations/${id}/control-tokens`, body, operator)).body.token
    }
    const [greedy, other] = [await tokenOf('greedy'), await tokenOf('other')]
    const ask = asker(first)
    for (const nth of [1, 2, 3, 4]) expect((await ask(greedy, 'greedy', nth)).status).toBe(200)
    const refused = await ask(greedy, 'greedy', 5)
    expect([refused.status, refused.body.error]).toEqual([
      409,
      'The certificate of the API has 4 addresses that greedy added, the most of one organization: let the operator add 203.0.113.5, by such a call or with --tls-names.',
    ])
    expect((await ask(greedy, 'greedy', 4)).status).toBe(200)
    await first.stop()
    const again = asker(await startScopedSimulator({ controlToken, dataDir: first.dataDir }))
    expect((await again(greedy, 'greedy', 5)).status).toBe(409)
    for (const nth of [5, 6, 7, 8, 9]) expect((await again(controlToken, 'greedy', nth)).status).toBe(200)
    expect((await again(greedy, 'greedy', 9)).status).toBe(200)
    expect((await again(other, 'other', 10)).status).toBe(200)
  },
)

test('an address that was added to the server certificate stays, however many are asked for afterwards', async () => {
  const clock = createClock()
  const parts = { now: clock.real, ids: createIds() }
  const root = await createCertificateAuthority(parts)
  const authority = () => openCertificateAuthority(root, parts)
  const nothing = async () => undefined
  const server = await openServerIdentity({
    clock,
    root,
    authority,
    configured: ['localhost'],
    read: nothing,
    save: nothing,
  })
  for (let host = 1; host <= 50; host += 1) await server.addAddress(`10.0.0.${host}`)
  await expect(server.addAddress('10.0.0.51')).rejects.toThrow(/50 addresses .* --tls-names\.$/)
  expect([server.covers('10.0.0.1'), server.covers('10.0.0.50'), server.covers('10.0.0.51')]).toEqual([
    true,
    true,
    false,
  ])
})
