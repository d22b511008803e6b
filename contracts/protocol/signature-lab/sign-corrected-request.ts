import { contentDigest } from '../content-digest.ts'
import type { AcceptedDialect } from '../match-signature-dialect.ts'
import { type SigningKey, signRequest } from '../sign-messages.ts'
import { type BaseReading, signatureBase } from '../signature-base.ts'
import { writeParameters } from '../signature-input.ts'
import { readHeaderValue } from './lab-request.ts'
import { digestFunctionOf, expectedComponents, hasBody, type SignatureBaseInputs } from './signature-base-inputs.ts'
import { curlCommand, quoted } from './write-curl-command.ts'

/** The correctly signed request: its base and commands, and with a private key at hand, headers that verify now. */
export type CorrectedRequest = {
  keyId: string
  reading: BaseReading
  base: string
  /** Shell command that signs this base with the private key in signing-key.pem; a comment where the digest is unknown. */
  openssl: string
  /** Signature headers, computed now. */
  headers?: Readonly<Record<string, string>>
  /** The call as a curl command, with those headers. */
  curl?: string
}

type CorrectionInput = {
  facts: SignatureBaseInputs
  dialect: AcceptedDialect
  /** The reading that the client uses, if known. */
  usual: BaseReading | undefined
  now: number
  hash: string
  signer: SigningKey | undefined
}

/** Signs a request correctly (5.2); without a signer only the base and the openssl command. */
export const correctRequest = async ({
  facts,
  dialect,
  usual,
  now,
  hash,
  signer,
}: CorrectionInput): Promise<CorrectedRequest> => {
  const { request } = facts
  const components = expectedComponents(request)
  const keyId = signer?.keyId ?? facts.input.keyId ?? 'YOUR-KEY-ID'
  const { order, port, readings } = dialect
  const [first = 'rfc'] = readings
  const reading = usual !== undefined && readings.includes(usual) ? usual : first
  const digest = digestFunctionOf(request).name
  const componentOf = (name: string): string =>
    name === 'content-digest' && !request.bodyIsPartial ? contentDigest(request.body, digest) : facts.componentOf(name)
  const base = signatureBase(components, componentOf, writeParameters(components, keyId, now, order), reading)
  const shown = { keyId, reading, base, openssl: opensslCommand(base, signer?.algorithm.hash ?? hash) }
  if (!signer || request.bodyIsPartial) return shown
  const [encoding = 'der'] = dialect.encodings
  const headers = await signRequest(
    {
      method: request.method,
      target: request.target,
      host: facts.host,
      contentType: readHeaderValue(request, 'content-type') ?? '',
      ...(hasBody(request) ? { body: request.body } : {}),
    },
    signer,
    { created: now, reading, encoding, digest, ...(order && { order }), ...(port && { port }) },
  )
  return { ...shown, headers, curl: signedCurlCommand(facts, headers) }
}

const opensslCommand = (base: string, hash: string): string =>
  base.includes('"content-digest": \n')
    ? '# Give the request with its whole body: the digest of it is part of what is signed.'
    : `# signing-key.pem is your private signing key\nprintf %s ${quoted(base)} |\n  openssl dgst -${hash} -sign signing-key.pem | base64 -w0`

const signedCurlCommand = ({ request, host }: SignatureBaseInputs, signed: Readonly<Record<string, string>>): string =>
  curlCommand({
    method: request.method,
    url: `https://${host}${request.target}`,
    headers: [...request.headers.filter(([name]) => !(name.toLowerCase() in signed)), ...Object.entries(signed)],
    ...(hasBody(request) ? { body: request.body } : {}),
  })
