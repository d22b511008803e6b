import { SIGNATURE_LABEL } from '../signature-input.ts'
import { type Finding, finding } from './causes.ts'

/** The bytes that a Signature header may stand for; the first way of reading it is the proper one, if it can be. */
export type KindSignature = {
  label: string
  bytes: Buffer
  /** How its text is at fault; a strict reader stops here. */
  faults: readonly Finding[]
}

/** Reads a Signature header that may be broken in all the usual ways; never throws. */
export const readSignatureKindly = (header: string): KindSignature => {
  const pattern = new RegExp(`(?:^|,)\\s*(${SIGNATURE_LABEL})\\s*=\\s*([^,]*)`)
  const [, label = '', value = header] = pattern.exec(header) ?? /^\s*([^\s=:"]+)\s*=\s*([^,]+)/.exec(header) ?? []
  const inColons = /^:([^:]*):\s*$/.exec(value.trim())?.[1]
  const text = inColons ?? value.trim().replaceAll(/^[":]+|[":]+$/g, '')
  const { bytes, faults } = decode(text)
  const bare = inColons === undefined ? [finding('signature-bare')] : []
  const labels = label === SIGNATURE_LABEL || label === '' ? [] : [finding('label-other', { label })]
  return { label, bytes, faults: [...bare, ...faults, ...labels] }
}

const decode = (text: string): { bytes: Buffer; faults: Finding[] } => {
  const faults: Finding[] = []
  let rest = text
  if (/%[0-9a-f]{2}/i.test(rest)) {
    faults.push(finding('encoding-percent'))
    rest = rest.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  if (/\s|\\n/.test(rest)) {
    faults.push(finding('encoding-space'))
    rest = rest.includes(' ') && !/[+\n]/.test(rest) ? rest.replaceAll(' ', '+') : rest.replaceAll(/\s|\\n/g, '')
  }
  if (/^[0-9a-f]{64,}$/i.test(rest) && rest.length % 2 === 0)
    return { bytes: Buffer.from(rest, 'hex'), faults: [...faults, finding('encoding-hex')] }
  if (/[-_]/.test(rest)) {
    faults.push(finding('encoding-url'))
    rest = rest.replaceAll('-', '+').replaceAll('_', '/')
  } else if (/^[A-Za-z0-9+/]+$/.test(rest) && rest.length % 4 !== 0) faults.push(finding('encoding-padding'))
  if (rest === '' || !/^[A-Za-z0-9+/]+=*$/.test(rest))
    return { bytes: Buffer.alloc(0), faults: [finding('signature-unreadable', { detail: 'it is no Base64' })] }
  const bytes = Buffer.from(rest, 'base64')
  const canonical = bytes.toString('base64')
  if (faults.length === 0 && canonical !== rest)
    faults.push(finding('signature-unreadable', { detail: 'its Base64 has surplus bits or padding' }))
  return { bytes, faults }
}
