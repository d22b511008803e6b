import { SIGNATURE_LABEL } from '../signature-input.ts'
import { type DetectedCause, detectedCause } from './signature-error-causes.ts'

/** A leniently parsed Signature header: label, decoded bytes, and the errors of its text. */
export type LenientSignature = {
  label: string
  bytes: Buffer
  /** Errors in the text, for which a strict parser would refuse it. */
  faults: readonly DetectedCause[]
}

/** Parses a Signature header leniently, for the signature lab, with the usual errors; never throws. */
export const readLenientSignature = (header: string): LenientSignature => {
  const pattern = new RegExp(`(?:^|,)\\s*(${SIGNATURE_LABEL})\\s*=\\s*([^,]*)`)
  const [, label = '', value = header] = pattern.exec(header) ?? /^\s*([^\s=:"]+)\s*=\s*([^,]+)/.exec(header) ?? []
  const inColons = /^:([^:]*):\s*$/.exec(value.trim())?.[1]
  const text = inColons ?? value.trim().replaceAll(/^[":]+|(?<![":])[":]+$/g, '')
  const { bytes, faults } = decode(text)
  const bare = inColons === undefined ? [detectedCause('signature-bare')] : []
  const labels = label === SIGNATURE_LABEL || label === '' ? [] : [detectedCause('label-other', { label })]
  return { label, bytes, faults: [...bare, ...faults, ...labels] }
}

const decode = (text: string): { bytes: Buffer; faults: DetectedCause[] } => {
  const faults: DetectedCause[] = []
  let rest = text
  if (/%[0-9a-f]{2}/i.test(rest)) {
    faults.push(detectedCause('encoding-percent'))
    rest = rest.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  if (/\s|\\n/.test(rest)) {
    faults.push(detectedCause('encoding-space'))
    rest = rest.includes(' ') && !/[+\n]/.test(rest) ? rest.replaceAll(' ', '+') : rest.replaceAll(/\s|\\n/g, '')
  }
  if (/^[0-9a-f]{64,}$/i.test(rest) && rest.length % 2 === 0)
    return { bytes: Buffer.from(rest, 'hex'), faults: [...faults, detectedCause('encoding-hex')] }
  if (/[-_]/.test(rest)) {
    faults.push(detectedCause('encoding-url'))
    rest = rest.replaceAll('-', '+').replaceAll('_', '/')
  } else if (/^[A-Za-z0-9+/]+$/.test(rest) && rest.length % 4 !== 0) faults.push(detectedCause('encoding-padding'))
  if (rest === '' || !/^[A-Za-z0-9+/]+=*$/.test(rest))
    return { bytes: Buffer.alloc(0), faults: [detectedCause('signature-unreadable', { detail: 'it is no Base64' })] }
  const bytes = Buffer.from(rest, 'base64')
  const canonical = bytes.toString('base64')
  if (faults.length === 0 && canonical !== rest)
    faults.push(detectedCause('signature-unreadable', { detail: 'its Base64 has surplus bits or padding' }))
  return { bytes, faults }
}
