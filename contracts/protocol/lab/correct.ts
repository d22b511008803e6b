import { contentDigest } from '../content-digest.ts'
import { type SigningKey, signRequest } from '../sign.ts'
import { type Reading, signatureBase } from '../signature-base.ts'
import { writeParameters } from '../signature-input.ts'
import type { Dialect } from '../verify.ts'
import { digestFunctionOf, expectedComponents, type Facts, hasBody } from './facts.ts'
import { headerOf } from './request.ts'

/** How it is done: the base, and where the private key is at hand, headers that verify now. */
export type Correct = {
  keyId: string
  reading: Reading
  base: string
  /** Commands that make the signature of this base with a private key in signing-key.pem. */
  openssl: string
  /** Headers to send, made just now. */
  headers?: Readonly<Record<string, string>>
  /** The call as a command, with those headers. */
  curl?: string
}

type Parts = {
  facts: Facts
  dialect: Dialect
  /** The reading that the client uses, where that is known. */
  usual: Reading | undefined
  now: number
  hash: string
  signer: SigningKey | undefined
}

export const correctOf = async ({ facts, dialect, usual, now, hash, signer }: Parts): Promise<Correct> => {
  const { request } = facts
  const components = expectedComponents(request)
  const keyId = signer?.keyId ?? facts.input.keyId ?? 'YOUR-KEY-ID'
  const [first = 'rfc'] = dialect.readings
  const reading = usual !== undefined && dialect.readings.includes(usual) ? usual : first
  const digest = digestFunctionOf(request).name
  const componentOf = (name: string): string =>
    name === 'content-digest' && !request.bodyIsPartial ? contentDigest(request.body, digest) : facts.componentOf(name)
  const base = signatureBase(components, componentOf, writeParameters(components, keyId, now), reading)
  const shown = { keyId, reading, base, openssl: opensslCommand(base, signer?.algorithm.hash ?? hash) }
  if (!signer || request.bodyIsPartial) return shown
  const [encoding = 'der'] = dialect.encodings
  const headers = await signRequest(
    {
      method: request.method,
      target: request.target,
      host: facts.host,
      contentType: headerOf(request, 'content-type') ?? '',
      ...(hasBody(request) ? { body: request.body } : {}),
    },
    signer,
    { created: now, reading, encoding, digest },
  )
  return { ...shown, headers, curl: curlCommand(facts, headers) }
}

const opensslCommand = (base: string, hash: string): string =>
  `printf %s ${quoted(base)} |\n  openssl dgst -${hash} -sign signing-key.pem | base64 -w0`

/** In single quotes a shell changes nothing. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const SET_BY_CURL = [
  'host',
  'content-length',
  'connection',
  'accept-encoding',
  'user-agent',
  'transfer-encoding',
  'expect',
]

const curlCommand = ({ request, host }: Facts, signed: Readonly<Record<string, string>>): string => {
  const kept = request.headers.filter(
    ([name]) => !SET_BY_CURL.includes(name.toLowerCase()) && !(name.toLowerCase() in signed),
  )
  const fresh = Object.entries(signed).filter(([name]) => name !== 'content-length')
  const body = Buffer.from(request.body)
  const isText = Buffer.from(body.toString('utf8')).equals(body) && !body.includes(0)
  const lines = [
    `curl --cert certificate.pem --key private-key.pem --cacert ca.pem --request ${request.method}`,
    ...[...kept, ...fresh].map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(hasBody(request)
      ? [isText ? `--data-binary ${quoted(body.toString('utf8'))}` : '--data-binary @body.bin']
      : []),
    quoted(`https://${host}${request.target}`),
  ]
  return lines.join(' \\\n  ')
}
