import type { Exchange } from '../client/exchange.ts'
import { type Reading, requestComponent, signatureBase } from '../protocol/signature-base.ts'
import { readSignatureInput } from '../protocol/signature-input.ts'
import type { Result } from './check.ts'
import type { Profile } from './profile.ts'

/** The command that makes the same calls and judges this check again. */
export const againText = (
  { id, journey }: Pick<Result, 'id' | 'journey'>,
  {
    profile,
    target,
    tier,
    again,
  }: { profile: { file: string }; target: { baseUrl: string }; tier: number; again?: string },
): string =>
  again?.replace('{journey}', () => journey) ??
  `assay certify --profile ${quoted(profile.file)} --base-url ${target.baseUrl} --tier ${tier} --only ${id}`

const quoted = (file: string): string => (/^[\w./@:+-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`)

/** The lines that the signature of a request covers, as sent; undefined where its Signature-Input cannot be read. */
export const baseText = ({ request }: Exchange, { dialect }: { dialect?: Profile['dialect'] }): string | undefined => {
  const { headers, method, url } = request
  const reading: Reading = dialect?.reading ?? 'literal'
  try {
    const { components, parameters } = readSignatureInput(headers['signature-input'] ?? '')
    const { pathname, search } = new URL(url)
    const parts = {
      method,
      target: `${pathname}${search}`,
      host: headers.host ?? '',
      contentDigest: headers['content-digest'],
      contentType: headers['content-type'],
      contentLength: request.body?.length,
      port: dialect?.port,
    }
    return signatureBase(components, name => requestComponent(parts, name), parameters, reading)
  } catch {
    return undefined
  }
}
