import { hash } from 'node:crypto'
import type { LabRequest, PasteRepair } from './lab-request.ts'

type Body = Pick<LabRequest, 'body' | 'bodyIsPartial' | 'mended'>

/** Changes that forms and terminals make to a pasted body, with their reversal. */
// biome-ignore format: a table reads by its columns
const REPAIRS: readonly (readonly [mended: PasteRepair, change: (text: string) => string])[] = [
  ['last-newline', text => text.replace(/\r?\n$/, '')],
  ['last-newline', text => text.replace(/(?<!\n\r?)(\r?\n)+$/, '')],
  ['line-ends',    text => text.replaceAll('\r\n', '\n')],
  ['line-ends',    text => text.replaceAll('\r\n', '\n').replace(/(?<!\n)\n+$/, '')],
]

/**
 * Restores the body that was sent from a pasted one, if it can be made to fit Content-Length or Content-Digest; else
 * returns it unchanged. A body that is empty, masked or truncated despite its Content-Length is marked as partial.
 */
export const restorePastedBody = (bytes: Buffer, announced: string | undefined, digest: string | undefined): Body => {
  const length = announced === undefined || !/^\d+$/.test(announced.trim()) ? undefined : Number(announced)
  if (length === undefined || length === bytes.length) return restoreByDigest(bytes, digest) ?? { body: bytes }
  const text = bytes.toString('latin1')
  for (const [mended, change] of REPAIRS) {
    const body = Buffer.from(change(text), 'latin1')
    if (body.length === length) return { body, mended }
  }
  return isMasked(text, length) ? { body: bytes, bodyIsPartial: true } : { body: bytes }
}

/** Restores a body of the right length whose digest differs, as one line end was added and another dropped. */
const restoreByDigest = (bytes: Buffer, digest = ''): Body | undefined => {
  const [, name, claimed] = /(sha-(?:256|384|512))=:([^:]+):/.exec(digest) ?? []
  if (name === undefined || hash(name.replace('-', ''), bytes, 'base64') === claimed) return undefined
  const text = bytes.toString('latin1')
  for (const [mended, change] of REPAIRS) {
    const body = Buffer.from(change(text), 'latin1')
    if (body.length !== bytes.length && hash(name.replace('-', ''), body, 'base64') === claimed) return { body, mended }
  }
}

const CUT = Buffer.from('…').toString('latin1')

const isMasked = (text: string, length: number): boolean =>
  length > 0 && (text === '' || text.endsWith(CUT) || /"\*\*\*"|\[hidden, \d+ characters\]/.test(text))
