import type { Exchange } from '../../client/http-exchange.ts'
import { shellWord } from '../../protocol/shell-word.ts'
import { type BaseReading, requestComponent, signatureBase } from '../../protocol/signature-base.ts'
import { readSignatureInput } from '../../protocol/signature-input.ts'
import type { CheckResult } from '../judge/check.ts'
import type { Profile } from '../profile/profile.ts'

/** Returns the shell command that repeats the calls of a check and judges it again. */
export const reproductionCommand = (
  { id, journey }: Pick<CheckResult, 'id' | 'journey'>,
  {
    profile,
    target,
    tier,
    again,
  }: { profile: { file: string }; target: { baseUrl: string }; tier: number; again?: string },
): string =>
  (again ?? commandOfRun({ profile: profile.file, 'base-url': target.baseUrl, tier: String(tier) }))
    .replace('{journey}', () => journey)
    .replace(ONLY_THAT_CHECK, () => `--only ${shellWord(id)}`)

const ONLY_THAT_CHECK = '--only {check}'

/** Returns the command of a run with these options, in which placeholders stand for the check that is judged again. */
export const commandOfRun = (options: Readonly<Record<string, string | boolean | undefined>>): string =>
  [
    'assay certify',
    ...Object.entries(options).flatMap(([name, value]) => {
      if (value === undefined || value === false) return []
      return value === true ? `--${name}` : `--${name} ${shellWord(value)}`
    }),
    ONLY_THAT_CHECK,
  ].join(' ')

/** Returns the signature base of a request as it was sent; undefined where its Signature-Input cannot be parsed. */
export const signatureBaseText = (
  { request }: Exchange,
  { dialect }: { dialect?: Profile['dialect'] },
): string | undefined => {
  const { headers, method, url } = request
  const reading: BaseReading = dialect?.reading ?? 'literal'
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
