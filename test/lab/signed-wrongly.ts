import { createHash, createSign, type KeyObject, sign } from 'node:crypto'
import { rawFromDer } from '../../contracts/protocol/ecdsa-encoding.ts'
import type { LabParts } from '../../contracts/protocol/lab/diagnose.ts'
import { diagnose } from '../../contracts/protocol/lab/diagnose.ts'
import type { LabRequest } from '../../contracts/protocol/lab/request.ts'
import type { Candidate } from '../../contracts/protocol/lab/search.ts'
import { KEY_PAIRS, keyPair } from '../protocol/key-pairs.ts'

export const NOW = 1_790_000_000
const [P256, P384, P521] = KEY_PAIRS as [Pair, Pair, Pair]
type Pair = (typeof KEY_PAIRS)[number]
export const CURVE_PAIRS = { P256, P384, P521 }
export const CERTIFICATE = keyPair(P256.algorithm, 'certificate')
export const STRANGER = keyPair(P256.algorithm, 'stranger')

export const BODY = '{"transactionId":"t-1","paymentDetails":{"amount":1500,"description":"Żółć / herbata"}}'

/** All that a client decides when it signs; each wrong way changes one member or two. */
export type Signing = {
  method: string
  target: string
  host: string
  contentType: string | undefined
  body: Buffer | undefined
  digest: string | undefined
  components: readonly string[]
  /** Values of the lines, where they are not what they should be. */
  lines: Readonly<Record<string, string>>
  keyId: string
  created: number
  label: string
  /** Parameters as sent, after the label. */
  parameters: (signing: Signing) => string
  /** The value of the last line. */
  last: (signing: Signing, parameters: string) => string
  base: (lines: readonly (readonly [string, string])[], last: string, signing: Signing) => string | Buffer
  privateKey: KeyObject
  hash: string
  sign: (base: Buffer, signing: Signing) => Buffer
  /** What stands after the label of Signature. */
  signatureText: (bytes: Buffer) => string
  headers: (headers: Record<string, string>) => Record<string, string>
}

const sha = (name: string, bytes: Buffer) => createHash(name).update(bytes).digest('base64')

export const digestOf = (body: Buffer | string, name = 'sha-256'): string =>
  `${name}=:${sha(name.replace('-', ''), Buffer.from(body))}:`

/** A call that is signed as clause 5.2 wants, by code of the test's own. */
export const WELL: Signing = {
  method: 'POST',
  target: '/payments/capture?trace=a%20b&x=1',
  host: 'Localhost:8443',
  contentType: 'application/json; charset=utf-8',
  body: Buffer.from(BODY),
  digest: undefined,
  components: ['@authority', '@method', '@request-target', 'content-digest', 'content-type', 'content-length'],
  lines: {},
  keyId: P256.keyId,
  created: NOW,
  label: 'service_sig',
  parameters: ({ components, keyId, created }) =>
    `(${components.map(name => `"${name}"`).join(' ')});keyid="${keyId}";created=${created}`,
  last: (_, parameters) => parameters,
  base: (lines, last) =>
    [...lines.map(([name, value]) => `"${name}": ${value}`), `"@signature-params": ${last}`].join('\n'),
  privateKey: P256.privateKey,
  hash: 'sha256',
  sign: (base, { hash, privateKey }) => createSign(hash).update(base).sign(privateKey),
  signatureText: bytes => `:${bytes.toString('base64')}:`,
  headers: headers => headers,
}

export const GET: Partial<Signing> = {
  method: 'GET',
  target: '/payments/t-1/status?full=true&b=2',
  contentType: undefined,
  body: undefined,
  components: ['@authority', '@method', '@request-target'],
}

/** A request signed by node:crypto in exactly this way. */
export const request = (changes: Partial<Signing> = {}): LabRequest => {
  const signing = { ...WELL, ...changes }
  const { method, target, host, contentType, body } = signing
  const digest = signing.digest ?? (body && digestOf(body))
  const right: Record<string, string> = {
    '@authority': host.replace(/:\d*$/, '').toLowerCase(),
    '@method': method,
    '@request-target': target,
    'content-digest': digest ?? '',
    'content-type': (contentType ?? '').replace(/;.*/, '').toLowerCase(),
    'content-length': String(body?.length ?? 0),
  }
  const lines = signing.components.map(name => [name, signing.lines[name] ?? right[name] ?? ''] as const)
  const parameters = signing.parameters(signing)
  const base = signing.base(lines, signing.last(signing, parameters), signing)
  const signature = signing.sign(Buffer.from(base as string), signing)
  const headers = signing.headers({
    Host: host,
    ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
    ...(body === undefined ? {} : { 'Content-Length': String(body.length) }),
    ...(digest === undefined ? {} : { 'Content-Digest': digest }),
    'Signature-Input': `${signing.label}=${parameters}`,
    Signature: `${signing.label}=${signing.signatureText(signature)}`,
  })
  return { method, target, headers: Object.entries(headers), body: body ?? Buffer.alloc(0), sentAt: NOW }
}

export const raw = (base: Buffer, { hash, privateKey }: Signing): Buffer =>
  sign(hash, base, { key: privateKey, dsaEncoding: 'ieee-p1363' })

export const rawOf = (der: Buffer, width = 32): Buffer => rawFromDer(der, width) ?? Buffer.alloc(0)

/** The organization's keys, as the lab has them. */
export const KEYS: readonly Candidate[] = [
  ...KEY_PAIRS.map(({ keyId, algorithm, publicKey }) => ({
    name: keyId,
    use: 'signing' as const,
    algorithm,
    publicKey,
  })),
  { use: 'certificate', name: 'certificate', algorithm: P256.algorithm, publicKey: CERTIFICATE.publicKey },
]

export const lab = (asked: LabRequest, more: Partial<LabParts> = {}) =>
  diagnose({
    request: asked,
    keys: KEYS,
    dialect: { readings: ['rfc', 'literal'], encodings: ['der', 'raw'] },
    now: NOW,
    maxAge: 300,
    maxAhead: 60,
    budget: { verifications: 60_000, isOver: () => false },
    clientIds: ['demo-merchant'],
    ...more,
  })

export const causesOf = async (changes: Partial<Signing>, more: Partial<LabParts> = {}) => {
  const { faults, alternatives } = await lab(request(changes), more)
  return { faults: faults.map(({ cause }) => cause), alternatives: alternatives.map(({ cause }) => cause) }
}
