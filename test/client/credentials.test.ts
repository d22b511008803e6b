import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CredentialsError, credentialsFromKit, readKit } from '../../contracts/client/credentials.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'

let simulator: TestSimulator
const folder = mkdtempSync(join(tmpdir(), 'assay-kit-'))

beforeAll(async () => {
  simulator = await startTestSimulator()
})

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await simulator.stop()
})

test('a kit from its folder, its file and the control API gives the same credentials', async () => {
  const { kitFolder, pagesUrl } = simulator
  const fromFolder = readKit(kitFolder)
  const fromControl = await fetch(`${pagesUrl}/control/organizations/demo-merchant/kit`)
  const inline = credentialsFromKit((await fromControl.json()) as Parameters<typeof credentialsFromKit>[0])
  for (const { organizationId, identity, ca, signingKeys } of [readKit(join(kitFolder, 'kit.json')), inline]) {
    expect({ organizationId, identity, ca }).toEqual({
      organizationId: 'demo-merchant',
      identity: fromFolder.identity,
      ca: fromFolder.ca,
    })
    expect(signingKeys.map(key => key.algorithm.curve)).toEqual(['P-256', 'P-384', 'P-521'])
  }
})

test('a kit that is not named is refused in one sentence', () => {
  const sentence = 'No kit is named: give its folder or its kit.json.'
  for (const path of [undefined as never, '']) expect(() => readKit(path)).toThrow(new CredentialsError(sentence))
})

test('a key on another curve than its algorithm is refused', () => {
  const [first, ...others] = simulator.kit.signingKeys
  const kit = { ...simulator.kit, signingKeys: [{ ...first, algorithm: 'ECDSA_SHA_384' } as typeof first, ...others] }
  expect(() => credentialsFromKit(kit as typeof simulator.kit)).toThrow(/is no P-384 key: ECDSA_SHA_384 needs one/)
})

test('a key without its first and last line is refused without being repeated', () => {
  const bare = (pem: string) => pem.replaceAll(/-----[^-]+-----|\n/g, '')
  const { kit } = simulator
  const [first, ...others] = kit.signingKeys
  const faulty = [
    { ...kit, privateKey: bare(kit.privateKey) },
    { ...kit, signingKeys: [{ ...first, privateKey: bare(first?.privateKey ?? '') } as typeof first, ...others] },
  ]
  for (const one of faulty)
    expect(() => credentialsFromKit(one as typeof kit)).toThrow(
      /^The \S[^/+=]* of the kit is no PEM: it lacks its first line/,
    )
})

test.each([
  'localhost:8443',
  '',
  'http://localhost:8443',
  'https://localhost:8443?x=1',
  'https://localhost:8443/#a',
  'https://shop:secret@localhost:8443',
  'https://',
  ' https://localhost:8443',
])('the apiBaseUrl %j is refused where it stands, without a password in it', apiBaseUrl => {
  const file = join(folder, 'kit.json')
  writeFileSync(file, JSON.stringify({ ...simulator.kit, apiBaseUrl }))
  const rule =
    'is invalid: give an address that begins with https://, without a user name or password and without a query, such as https://localhost:8443.'
  for (const read of [() => readKit(file), () => credentialsFromKit({ ...simulator.kit, apiBaseUrl })]) {
    expect(read).toThrow(CredentialsError)
    expect(read).toThrow(rule)
    expect(read).not.toThrow('secret')
  }
  expect(() => readKit(file)).toThrow(`apiBaseUrl in ${file} `)
})

test('an apiBaseUrl may have a path', () => {
  const apiBaseUrl = 'https://pay.example/gateway/api/'
  expect(credentialsFromKit({ ...simulator.kit, apiBaseUrl }).baseUrl).toBe(apiBaseUrl)
})

// biome-ignore format: a table reads by its columns
test.each([
  ['no file at all',      undefined,                 /cannot be read: start the simulator/],
  ['something else',      'hello',                   /is not JSON/],
  ['JSON of other shape', '{"apiBaseUrl":"https://x"}', /has no organizationId/],
  ['null',                'null',                    /has no apiBaseUrl/],
])('%s instead of kit.json is refused in one sentence', (_what, text, sentence) => {
  const file = join(folder, 'kit.json')
  rmSync(file, { force: true })
  if (text !== undefined) writeFileSync(file, text)
  expect(() => readKit(file)).toThrow(CredentialsError)
  expect(() => readKit(file)).toThrow(sentence)
})
