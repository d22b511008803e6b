import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/api-response-checks.ts'
import { type RawRequest, withHeader } from '../support/create-signed-raw-request.ts'
import type { TlsIdentity } from '../support/raw-http.ts'
import { identityOf, irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'
import { createUntrustedCertificate } from '../support/untrusted-certificate.ts'

/** Decisions of three sandboxes: the usual ones, and two that choose otherwise. */
const CHOSEN = {
  usual: '{}',
  first:
    "{ D-09: '422', D-10: '5000', D-11: '401', D-12: '401', D-14: '405', D-16: '415', D-18: '428', D-21: unmarked, D-30: '403' }",
  second: "{ D-12: '403', D-14: 404-4001 }",
} as const
type Name = keyof typeof CHOSEN
const NAMES = ['usual', 'first', 'second'] as const

const folder = mkdtempSync(join(tmpdir(), 'assay-dialect-'))
const sandboxes = new Map<Name, RawSandbox>()
const sandboxOf = (name: Name): RawSandbox => sandboxes.get(name) as RawSandbox

beforeAll(async () => {
  for (const name of NAMES) {
    const dialect = join(folder, `${name}.yaml`)
    writeFileSync(dialect, `decisions: ${CHOSEN[name]}\n`)
    sandboxes.set(name, await openRawSandbox({ config: { dialect } }))
  }
})

afterAll(async () => {
  for (const { faults, close } of sandboxes.values()) {
    expect(faults).toEqual([])
    await close()
  }
  rmSync(folder, { recursive: true })
})

type Send = (sandbox: RawSandbox) => Promise<RawRequest>

const body = () => irisInitiateBody()
const initiate = ({ sign }: RawSandbox, parts: Parameters<RawSandbox['sign']>[0] = {}) =>
  sign({ body: body(), ...parts })
const manual = () => ({ ...body(), paymentDetails: { ...body().paymentDetails, autoCapture: false } })
const altered =
  (header: string, ...values: string[]): Send =>
  async sandbox =>
    withHeader(await initiate(sandbox), header, ...values)
const WRONG_DIGEST = 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:'
const UNKNOWN = '/payments/0c9b5a34-6f0e-4c53-9a55-0d6c1f6a7b10/status'
const foreignKey: Send = sandbox => initiate(sandbox, { signingKey: sandbox.other.signingKey })
const unknownKey: Send = sandbox => initiate(sandbox, { signingKey: { ...sandbox.demo.signingKey, keyId: 'nobodys' } })

// biome-ignore format: a table reads by its columns
test.each<[decision: string, what: string, send: Send, usual: string, first: string, second: string]>([
  ['D-09', 'an unsupported operation',           sandbox => initiate(sandbox, { body: manual() }),                '501/8003', '422/8003', '501/8003'],
  ['D-10', 'an unknown payment',                 ({ sign }) => sign({ target: UNKNOWN }),                         '404/4001', '404/5000', '404/4001'],
  ['D-11', 'a digest of another body',           altered('Content-Digest', WRONG_DIGEST),                         '400/4990', '400/4990', '400/4990'],
  ['D-11', 'a missing digest',                   altered('Content-Digest'),                                       '400/4990', '401/4990', '400/4990'],
  ['D-14', 'another method of a known path',     ({ sign }) => sign({ method: 'DELETE', target: UNKNOWN }),       '404/4000', '405/4000', '404/4001'],
  ['D-14', 'an unknown path',                    ({ sign }) => sign({ target: '/payments/nowhere' }),             '404/4000', '404/4000', '404/4001'],
  ['D-16', 'a body of another media type',       sandbox => initiate(sandbox, { contentType: 'text/plain' }),     '400/4000', '415/4000', '400/4000'],
  ['D-16', 'a token call of another media type', sandbox => initiate(sandbox, { target: '/auth/token' }),         '400/4000', '415/4000', '400/4000'],
  ['D-16', 'a body that is no JSON',             sandbox => initiate(sandbox, { body: '{' }),                     '400/4000', '400/4000', '400/4000'],
  ['D-18', 'no key',                             altered('Idempotency-Key'),                                      '400/4000', '428/4000', '400/4000'],
  ['D-18', 'an empty key',                       altered('Idempotency-Key', ''),                                  '400/4000', '428/4000', '400/4000'],
  ['D-18', 'a key that is too long',             altered('Idempotency-Key', 'k'.repeat(256)),                     '400/4000', '400/4000', '400/4000'],
  ['D-30', "another organization's key",         foreignKey,                                                      '401/4992', '403/4971', '401/4992'],
  ['D-30', 'an unknown key',                     unknownKey,                                                      '401/4992', '401/4992', '401/4992'],
])('%s: %s', async (_decision, _what, send, ...expected) => {
  for (const [index, name] of NAMES.entries()) {
    const sandbox = sandboxOf(name)
    await expectRefusal(await sandbox.send(await send(sandbox)), sandbox.keySet, expected[index] ?? '')
  }
})

describe("D-12: an untrusted authority's certificate", () => {
  test.each([
    ['usual', '400/4980'],
    ['first', '401/4980'],
    ['second', '403/4980'],
  ] as const)('%s: %s, an absent one 400/4980, and the right one is let in', async (name, expected) => {
    const sandbox = sandboxOf(name)
    const send = async (identity: TlsIdentity | null) => sandbox.send(await initiate(sandbox), { identity })
    await expectRefusal(await send(await createUntrustedCertificate('CN=nobody')), sandbox.keySet, expected)
    await expectRefusal(await send(null), sandbox.keySet, '400/4980')
    expect((await send(identityOf(sandbox.demo.kit))).status).toBe(200)
  })
})

describe('D-21: a replay', () => {
  test.each([
    ['usual', 'true'],
    ['first', undefined],
  ] as const)('%s: Idempotency-Replayed is %s, and the body is the same', async (name, mark) => {
    const sandbox = sandboxOf(name)
    const message = await initiate(sandbox)
    const [first, again] = [await sandbox.send(message), await sandbox.send(message)]
    expect([first, again].map(({ status }) => status)).toEqual([200, 200])
    expect(again.body).toEqual(first.body)
    expect(again.header('idempotency-replayed')).toBe(mark)
  })
})
