import { createHash, createSign, type KeyObject, sign } from 'node:crypto'
import { rawFromDer } from '../../contracts/protocol/ecdsa-encoding.ts'
import type { LabRequest } from '../../contracts/protocol/signature-lab/lab-request.ts'
import { KEY_PAIRS, keyPair } from '../protocol/generated-key-pairs.ts'

export const NOW = 1_790_000_000
const [P256, P384, P521] = KEY_PAIRS as [Pair, Pair, Pair]
type Pair = (typeof KEY_PAIRS)[number]
export const CURVE_PAIRS = { P256, P384, P521 }
export const CERTIFICATE_KEY_PAIR = keyPair(P256.algorithm, 'certificate')
export const UNREGISTERED_KEY_PAIR = keyPair(P256.algorithm, 'stranger')

export const BODY = '{"transactionId":"t-1","paymentDetails":{"amount":1500,"description":"Żółć / herbata"}}'

/** All choices of a client when it signs a request in a test; a signing mistake changes one or two of them. */
export type SigningChoices = {
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
  parameters: (signing: SigningChoices) => string
  /** The value of the last line. */
  last: (signing: SigningChoices, parameters: string) => string
  base: (lines: readonly (readonly [string, string])[], last: string, signing: SigningChoices) => string | Buffer
  privateKey: KeyObject
  hash: string
  sign: (base: Buffer, signing: SigningChoices) => Buffer
  /** What stands after the label of Signature. */
  signatureText: (bytes: Buffer) => string
  headers: (headers: Record<string, string>) => Record<string, string>
}

const sha = (name: string, bytes: Buffer) => createHash(name).update(bytes).digest('base64')

export const digestOf = (body: Buffer | string, name = 'sha-256'): string =>
  `${name}=:${sha(name.replace('-', ''), Buffer.from(body))}:`

/** Choices of a client that signs a request correctly by 5.2, for tests, without code of the product. */
export const CORRECT_SIGNING: SigningChoices = {
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

export const GET_SIGNING: Partial<SigningChoices> = {
  method: 'GET',
  target: '/payments/t-1/status?full=true&b=2',
  contentType: undefined,
  body: undefined,
  components: ['@authority', '@method', '@request-target'],
}

/** Signs a test's request with node:crypto by the correct signing choices with some changed. */
export const signedRequest = (changes: Partial<SigningChoices> = {}): LabRequest => {
  const signing = { ...CORRECT_SIGNING, ...changes }
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

export const signRaw = (base: Buffer, { hash, privateKey }: SigningChoices): Buffer =>
  sign(hash, base, { key: privateKey, dsaEncoding: 'ieee-p1363' })

export const toRawSignature = (der: Buffer, width = 32): Buffer => rawFromDer(der, width) ?? Buffer.alloc(0)

/** Formats a test's signed request as HTTP/1.1 text, to paste it into the signature lab. */
export const toHttpText = ({ method, target, headers, body }: LabRequest): Buffer =>
  Buffer.concat([
    Buffer.from(
      `${method} ${target} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    ),
    body,
  ])
