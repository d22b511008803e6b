import type { DialectLines } from './dialect-lines.ts'

/** Names of the headers that sign a response: those of RFC 9421 and RFC 9530, with those of a deployment. */
export type SignatureHeaderNames = Readonly<Record<'signature' | 'signature-input' | 'content-digest', string>>

/** Returns the names of the signature headers of a deployment, in lower case (5.4). */
export const signatureHeaderNames = ({ headers = {} }: Pick<DialectLines, 'headers'>): SignatureHeaderNames => ({
  signature: (headers.signature ?? 'signature').toLowerCase(),
  'signature-input': (headers.signatureInput ?? 'signature-input').toLowerCase(),
  'content-digest': (headers.contentDigest ?? 'content-digest').toLowerCase(),
})

type Headers = Readonly<Record<string, string>>

/** Writes the signature headers of a response or webhook under the names of a deployment. */
export const writeHeaders = (headers: Headers, names: SignatureHeaderNames): Record<string, string> =>
  renamed(headers, new Map(Object.entries(names)))

/** Reads the headers of a response, its signature headers under their usual names. */
export const readHeaders = (headers: Headers, names: SignatureHeaderNames): Record<string, string> => {
  const others = Object.entries(headers).filter(([name]) => !(name in names) || Object.values(names).includes(name))
  return renamed(Object.fromEntries(others), new Map(Object.entries(names).map(([usual, own]) => [own, usual])))
}

const renamed = (headers: Headers, names: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [names.get(name) ?? name, value]))
