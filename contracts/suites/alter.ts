import { type Draft, requestOf, type Signer } from '../client/send.ts'
import { contentDigest } from '../protocol/content-digest.ts'
import { signBase } from '../protocol/sign.ts'
import { COMPONENTS, mediaTypeOf, type Port, requestComponent, signatureBase } from '../protocol/signature-base.ts'
import { SIGNATURE_LABEL, writeParameters } from '../protocol/signature-input.ts'

/** Takes a header away. */
export const without =
  (name: string) =>
  (draft: Draft): Draft => {
    const { [name]: _, ...headers } = draft.headers
    return { ...draft, headers }
  }

/** Sets a header, or changes the one that is there. */
export const withHeader =
  (name: string, value: string | ((old: string) => string)) =>
  (draft: Draft): Draft => {
    const old = draft.headers[name] ?? ''
    return { ...draft, headers: { ...draft.headers, [name]: typeof value === 'string' ? value : value(old) } }
  }

/** Changes the bytes of the body, and nothing that was computed from them. */
export const withBody =
  (change: (body: string) => string) =>
  (draft: Draft): Draft => ({
    ...draft,
    body: Buffer.from(change(Buffer.from(draft.body ?? []).toString('utf8'))),
  })

export const withTarget =
  (change: (target: string) => string) =>
  (draft: Draft): Draft => ({ ...draft, target: change(draft.target) })

/** One character of a Base64 or URL-safe text becomes another, near the middle, where every bit counts. */
export const withOneCharacterChanged = (text: string): string => {
  const at = Math.floor(text.length / 2)
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}

export type Forgery = {
  /** Components named in Signature-Input. */
  list?: readonly string[]
  /** Components of the base, where they are not those of the list. */
  base?: readonly string[]
  /** Values in the base that are not those of the message, made from the true ones. */
  values?: Readonly<Record<string, (real: string) => string>>
  label?: string
  digest?: (body: Uint8Array) => string
  parameters?: (parameters: string) => string
}

/** Signs as clause 5.2 asks, but for what the forgery says: the signature itself is always sound. */
export const forge =
  (forgery: Forgery): Signer =>
  async (draft, key, { created, reading = 'literal', encoding = 'der', digest = 'sha-256', order, port }) => {
    const { body, headers } = draft
    const content = body === undefined ? {} : contentOf(body, forgery.digest ?? (bytes => contentDigest(bytes, digest)))
    const sent = { ...headers, ...content }
    const usual = body === undefined ? COMPONENTS.requestWithoutBody : COMPONENTS.requestWithBody
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

const requestValue = (draft: Draft, sent: Record<string, string>, name: string, port: Port | undefined) => {
  if (name.startsWith('@')) return requestComponent({ ...requestOf(draft), port }, name)
  return name === 'content-type' ? mediaTypeOf(sent[name] ?? '') : sent[name]
}

/** The literal reading puts the label into the base, so another label stands there too. */
const relabelled = (base: string, label: string): string =>
  base.replace(`"@signature-params": ${SIGNATURE_LABEL}=`, `"@signature-params": ${label}=`)

const same = (parameters: string): string => parameters
