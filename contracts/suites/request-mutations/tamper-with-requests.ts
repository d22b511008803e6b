import type { OutgoingRequest } from '../../client/send-signed-call.ts'

/** Creates a mutation that removes a header from an outgoing request. */
export const withoutHeader =
  (name: string) =>
  (draft: OutgoingRequest): OutgoingRequest => {
    const { [name]: _, ...headers } = draft.headers
    return { ...draft, headers }
  }

/** Creates a mutation that sets a header of an outgoing request, or computes it from its present value. */
export const withHeader =
  (name: string, value: string | ((old: string) => string)) =>
  (draft: OutgoingRequest): OutgoingRequest => {
    const old = draft.headers[name] ?? ''
    return { ...draft, headers: { ...draft.headers, [name]: typeof value === 'string' ? value : value(old) } }
  }

/** Creates a mutation that changes the body of an outgoing request, but not its digest, length or signature. */
export const withBody =
  (change: (body: string) => string) =>
  (draft: OutgoingRequest): OutgoingRequest => ({
    ...draft,
    body: Buffer.from(change(Buffer.from(draft.body ?? []).toString('utf8'))),
  })

/** Creates a mutation that changes the request target (path and query) of an outgoing request. */
export const withTarget =
  (change: (target: string) => string) =>
  (draft: OutgoingRequest): OutgoingRequest => ({ ...draft, target: change(draft.target) })

/** Returns a Base64 or URL-safe text with its middle character changed, where no bit is padding. */
export const withOneCharacterChanged = (text: string): string => {
  const at = Math.floor(text.length / 2)
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}

/** Returns a token that claims the same and says that it is not signed; of one without parts, one that claims nothing. */
export const withoutSignature = (token: string): string => {
  const claims = token.split('.')[1] ?? Buffer.from('{}').toString('base64url')
  return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`
}

/** Changes the signature of a token: its last part, or the middle of one without parts. */
export const withOtherSignature = (token: string): string => {
  const at = token.lastIndexOf('.') + 1
  return `${token.slice(0, at)}${withOneCharacterChanged(token.slice(at))}`
}
