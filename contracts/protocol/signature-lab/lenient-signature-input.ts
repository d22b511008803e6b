import { readSignatureInput, SIGNATURE_LABEL } from '../signature-input.ts'
import { UnreadableField } from '../structured-field.ts'
import { type CauseId, type DetectedCause, detectedCause } from './signature-error-causes.ts'

/** A leniently parsed Signature-Input; `faults` lists what a strict parser would refuse. */
export type LenientSignatureInput = {
  label: string
  components: readonly string[]
  keyId: string | undefined
  created: number | undefined
  expires: number | undefined
  alg: string | undefined
  /** The text after the label as sent; `parameters` is the same serialised by RFC 9421. */
  asSent: string
  parameters: string
  faults: readonly DetectedCause[]
}

/** Parses a Signature-Input header leniently, for the signature lab, with the usual errors; never throws. */
export const readLenientSignatureInput = (header: string): LenientSignatureInput => {
  const member = memberOf(header)
  const { label, asSent } = member
  const listed = /\(([^)]*)\)?/.exec(asSent)?.[1] ?? ''
  const bareNames = listed.replaceAll(/;[\w*.-]+(?:=(?:"[^"]*"|[^\s")]+))?/g, '')
  const components = Array.from(
    bareNames.matchAll(/"([^"]*)"|([^\s",;“”]+)/g),
    ([, quoted, bare]) => quoted ?? bare ?? '',
  )
  const names = components.map(name => name.toLowerCase()).filter(name => name !== '@signature-params')
  const strict = readStrict(header, label, asSent)
  return {
    label,
    components: names,
    keyId: textOf(asSent, 'keyid'),
    created: secondsOf(asSent, 'created'),
    expires: secondsOf(asSent, 'expires'),
    alg: textOf(asSent, 'alg'),
    asSent,
    parameters: strict.parameters ?? asSent,
    faults: faultsIn(header, member, listed, strict.fault),
  }
}

type Member = { label: string; asSent: string }

/** Returns the dictionary member with the label service_sig, else the first. */
const memberOf = (header: string): Member => {
  const ours = new RegExp(`(?:^|,)\\s*(${SIGNATURE_LABEL})\\s*=\\s*(.*)$`).exec(header)
  const [, label = '', rest = header] = ours ?? /^([^\s=("]*)\s*=\s*(.*)$/.exec(header.trim()) ?? []
  return { label, asSent: firstMember(rest).trim() }
}

/** Returns the first dictionary member: the text up to a comma outside quotes and parentheses. */
const firstMember = (text: string): string => {
  let [depth, quoted] = [0, false]
  for (const [index, character] of [...text].entries()) {
    if (character === '"') quoted = !quoted
    else if (!quoted && character === '(') depth += 1
    else if (!quoted && character === ')') depth -= 1
    else if (!quoted && depth <= 0 && character === ',') return [...text].slice(0, index).join('')
  }
  return text
}

const readStrict = (header: string, label: string, asSent: string) => {
  try {
    const ours = label === SIGNATURE_LABEL || label === '' ? header : `${SIGNATURE_LABEL}=${asSent}`
    return { parameters: readSignatureInput(ours).parameters }
  } catch (error) {
    if (error instanceof UnreadableField) return { fault: error.message }
    throw error
  }
}

const parameterOf = (text: string, name: string): string | undefined =>
  new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*("(?:[^"\\\\]|\\\\.)*"|[^;,\\s]+)`, 'i').exec(text)?.[1]

const textOf = (text: string, name: string): string | undefined =>
  parameterOf(text, name)
    ?.replace(/^"(.*)"$/s, '$1')
    .replaceAll(/\\(.)/g, '$1')

const secondsOf = (text: string, name: string): number | undefined => {
  const digits = /^"?(\d{1,16})(?:\.\d*)?"?$/.exec(parameterOf(text, name) ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

// biome-ignore format: a table reads by its columns
const SHAPES: readonly (readonly [cause: CauseId, isSo: (asSent: string, listed: string) => boolean])[] = [
  ['smart-quotes',     asSent => /[“”„‟]/.test(asSent)],
  ['names-bare',       (_, listed) => listed.trim() !== '' && !listed.includes('"') && !/[“”]/.test(listed)],
  ['names-comma',      (_, listed) => listed.replaceAll(/"[^"]*"/g, '').includes(',')],
  ['names-parameter',  (_, listed) => listed.replaceAll(/"[^"]*"/g, '').includes(';')],
  ['params-in-list',   (_, listed) => listed.includes('@signature-params')],
  ['names-upper',      (_, listed) => listed !== listed.toLowerCase()],
  ['names-twice',      (_, listed) => new Set(namesIn(listed)).size < namesIn(listed).length],
  ['keyid-missing',    asSent => (textOf(asSent, 'keyid') ?? '') === ''],
  ['keyid-bare',       asSent => /^[^"]/.test(parameterOf(asSent, 'keyid') ?? '"')],
  ['created-missing',  asSent => parameterOf(asSent, 'created') === undefined],
  ['created-text',     asSent => /^"/.test(parameterOf(asSent, 'created') ?? '')],
  ['created-decimals', asSent => /^\d+\./.test(parameterOf(asSent, 'created') ?? '')],
]

const namesIn = (listed: string): string[] => Array.from(listed.matchAll(/"([^"]*)"/g), ([, name = '']) => name)

const faultsIn = (
  header: string,
  { label, asSent }: Member,
  listed: string,
  strictFault: string | undefined,
): readonly DetectedCause[] => {
  const shapes = SHAPES.filter(([, isSo]) => isSo(asSent, listed)).map(([cause]) =>
    detectedCause(cause, { header: 'Signature-Input' }),
  )
  const labels = label === SIGNATURE_LABEL || label === '' ? [] : [detectedCause('label-other', { label })]
  if (shapes.length > 0 || strictFault === undefined) return [...shapes, ...labels]
  const twice = new RegExp(`${SIGNATURE_LABEL}\\s*=.*,\\s*${SIGNATURE_LABEL}\\s*=`).test(header)
  if (twice) return [detectedCause('header-twice', { header: 'Signature-Input' })]
  return [detectedCause('input-unreadable', { detail: strictFault }), ...labels]
}
