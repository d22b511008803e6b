import { hash } from 'node:crypto'
import type { LabRequest, Mended } from './request.ts'

type Body = Pick<LabRequest, 'body' | 'bodyIsPartial' | 'mended'>

/** What forms and terminals do to a body on its way into a paste. */
// biome-ignore format: a table reads by its columns
const UNDONE: readonly (readonly [mended: Mended, change: (text: string) => string])[] = [
  ['last-newline', text => text.replace(/\r?\n$/, '')],
  ['last-newline', text => text.replace(/(?<!\n\r?)(\r?\n)+$/, '')],
  ['line-ends',    text => text.replaceAll('\r\n', '\n')],
  ['line-ends',    text => text.replaceAll('\r\n', '\n').replace(/(?<!\n)\n+$/, '')],
]

/**
 * The body that was sent, where what was pasted can be made to fit the announced length, or its digest; else as it
 * stands. One that is empty, masked or cut off although a length was announced is no body to judge.
 */
export const pastedBody = (bytes: Buffer, announced: string | undefined, digest: string | undefined): Body => {
  const length = announced === undefined || !/^\d+$/.test(announced.trim()) ? undefined : Number(announced)
  if (length === undefined || length === bytes.length) return digestFits(bytes, digest) ?? { body: bytes }
  const text = bytes.toString('latin1')
  for (const [mended, change] of UNDONE) {
    const body = Buffer.from(change(text), 'latin1')
    if (body.length === length) return { body, mended }
  }
  return isMasked(text, length) ? { body: bytes, bodyIsPartial: true } : { body: bytes }
}

/** A body of the right length may still owe it to a line end that was added while another was dropped. */
const digestFits = (bytes: Buffer, digest = ''): Body | undefined => {
  const [, name, claimed] = /(sha-(?:256|384|512))=:([^:]+):/.exec(digest) ?? []
  if (name === undefined || hash(name.replace('-', ''), bytes, 'base64') === claimed) return undefined
  const text = bytes.toString('latin1')
  for (const [mended, change] of UNDONE) {
    const body = Buffer.from(change(text), 'latin1')
    if (body.length !== bytes.length && hash(name.replace('-', ''), body, 'base64') === claimed) return { body, mended }
  }
}

const CUT = Buffer.from('…').toString('latin1')

const isMasked = (text: string, length: number): boolean =>
  length > 0 && (text === '' || text.endsWith(CUT) || /"\*\*\*"|\[hidden, \d+ characters\]/.test(text))
