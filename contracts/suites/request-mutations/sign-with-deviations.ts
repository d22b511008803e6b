import { type OutgoingRequest, type Signer, toRequestToSign } from '../../client/send-signed-call.ts'
import { contentDigest } from '../../protocol/content-digest.ts'
import { signBase } from '../../protocol/sign-messages.ts'
import {
  type AuthorityPort,
  COVERED_COMPONENTS,
  mediaTypeOf,
  requestComponent,
  signatureBase,
} from '../../protocol/signature-base.ts'
import { SIGNATURE_LABEL, writeParameters } from '../../protocol/signature-input.ts'

/** Choice of deviations of one valid signature from clause 5.2: what it lists, what it covers, how it is labelled. */
export type SigningDeviations = {
  /** Components listed in Signature-Input. */
  list?: readonly string[]
  /** Components in the signature base, where they differ from the list. */
  base?: readonly string[]
  /** Component values in the signature base, computed from the real ones. */
  values?: Readonly<Record<string, (real: string) => string>>
  label?: string
  digest?: (body: Uint8Array) => string
  parameters?: (parameters: string) => string
}

/** Creates a signer by clause 5.2 with the given deviations; the signature verifies over the base that was built. */
export const signWithDeviations =
  (forgery: SigningDeviations): Signer =>
  async (draft, key, { created, reading = 'literal', encoding = 'der', digest = 'sha-256', order, port }) => {
    const { body, headers } = draft
    const content = body === undefined ? {} : contentOf(body, forgery.digest ?? (bytes => contentDigest(bytes, digest)))
    const sent = { ...headers, ...content }
    const usual = body === undefined ? COVERED_COMPONENTS.requestWithoutBody : COVERED_COMPONENTS.requestWithBody
    const list = forgery.list ?? usual
    const parameters = (forgery.parameters ?? same)(writeParameters(list, key.keyId, created, order))
    const valueInBase = (name: string) => {
      const real = requestValue(draft, sent, name, port) ?? ''
      return forgery.values?.[name]?.(real) ?? real
    }
    const { label = SIGNATURE_LABEL } = forgery
    const base = signatureBase(forgery.base ?? list, valueInBase, parameters, reading)
    const signature = await signBase(relabelled(base, label), key, encoding)
    return {
      ...content,
      'signature-input': `${label}=${parameters}`,
      signature: `${label}=:${signature.toString('base64')}:`,
    }
  }

const contentOf = (body: Uint8Array, digest: (body: Uint8Array) => string) => ({
  'content-digest': digest(body),
  'content-length': String(body.length),
})

const requestValue = (
  draft: OutgoingRequest,
  sent: Record<string, string>,
  name: string,
  port: AuthorityPort | undefined,
) => {
  if (name.startsWith('@')) return requestComponent({ ...toRequestToSign(draft), port }, name)
  return name === 'content-type' ? mediaTypeOf(sent[name] ?? '') : sent[name]
}

/** Writes another label into a base of the literal reading, which contains the label. */
const relabelled = (base: string, label: string): string =>
  base.replace(`"@signature-params": ${SIGNATURE_LABEL}=`, `"@signature-params": ${label}=`)

const same = (parameters: string): string => parameters
