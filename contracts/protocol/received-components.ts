import {
  type AcceptedDialect,
  matchSignature,
  type SignatureMatch,
  type VerifyingKey,
} from './match-signature-dialect.ts'
import { authorityOf, mediaTypeOf } from './signature-base.ts'
import { type SignatureInput, truncateName } from './signature-input.ts'

/** Reader of the components that a signature covers; undefined where the message has none of the name. */
export type ComponentReader = (name: string) => string | undefined

type Content = { header(name: string): string | undefined; body: Uint8Array }

/** Readers of a response's components: any header, its content type as 5.2 reads it and as RFC 9421 does. */
export const responseReaders = ({ status, ...content }: Content & { status: number }): readonly ComponentReader[] =>
  readersOf({ '@status': String(status) }, content)

/**
 * Readers of a webhook's components, those of RFC 9421 2.2 included: its authority with its port or without (5.2), and
 * the target that arrived or that was called, as a tunnel may change it. The Host header names the authority unless the
 * address that was called is known, which alone tells the scheme.
 */
export const webhookReaders = (
  { target, ...content }: Content & { target?: string | undefined },
  address?: URL,
): readonly ComponentReader[] => {
  const host = address?.host ?? content.header('host') ?? ''
  const targets = new Set([target, address && `${address.pathname}${address.search}`].filter(it => it !== undefined))
  const places = targets.size === 0 ? [{}] : [...targets].map(it => componentsOfTarget(it, address))
  const authorities = new Set([authorityOf(host), authorityOf(host, 'kept')])
  return places.flatMap(place =>
    [...authorities].flatMap(authority =>
      readersOf({ '@method': 'POST', ...place, ...(authority && { '@authority': authority }) }, content),
    ),
  )
}

const componentsOfTarget = (target: string, address: URL | undefined) => {
  const at = target.indexOf('?')
  return {
    '@request-target': target,
    '@path': at < 0 ? target : target.slice(0, at),
    '@query': at < 0 ? '?' : target.slice(at),
    ...(address && { '@scheme': address.protocol.slice(0, -1), '@target-uri': `${address.origin}${target}` }),
  }
}

const readersOf = (derived: Readonly<Record<string, string>>, { header, body }: Content): ComponentReader[] => {
  const type = header('content-type')?.trim()
  const types = type === undefined ? [type] : [...new Set([mediaTypeOf(type), type])]
  return types.map(contentType => name => {
    if (name.startsWith('@')) return derived[name]
    if (name === 'content-type') return contentType
    return header(name)?.trim() ?? (name === 'content-length' ? String(body.length) : undefined)
  })
}

/** Verifies a signature by each reader of its components, in each accepted form; undefined where none verifies. */
export const matchByReaders = async (
  input: SignatureInput,
  signature: Buffer,
  readers: readonly ComponentReader[],
  key: VerifyingKey,
  dialect: AcceptedDialect,
): Promise<SignatureMatch | undefined> => {
  for (const read of readers) {
    const match = await matchSignature(input, signature, read, key, dialect)
    if (match) return match
  }
}

/** Says which component of a signature that does not verify its message lacks, after a colon; empty where it lacks none. */
export const describeLackingComponent = (
  { components }: SignatureInput,
  [read]: readonly ComponentReader[],
  message: string,
): string => {
  const lacking = components.find(name => read?.(name) === undefined)
  return lacking === undefined ? '' : `: it covers "${truncateName(lacking)}", which the ${message} does not have`
}
