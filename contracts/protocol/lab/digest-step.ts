import { hash } from 'node:crypto'
import { contentDigest, contentDigestFault, DIGESTS } from '../content-digest.ts'
import { type Finding, finding } from './causes.ts'
import { digestFunctionOf, type Facts, hasBody } from './facts.ts'
import { headerOf } from './request.ts'

/** What is wrong with Content-Digest, down to what was hashed in place of the body; undefined where it is right. */
export const digestFinding = (facts: Facts): Finding | undefined => {
  const { request } = facts
  const header = headerOf(request, 'content-digest')
  if (request.bodyIsPartial) return undefined
  const expected = contentDigest(request.body, digestFunctionOf(request).name)
  if (header === undefined) return hasBody(request) ? finding('digest-missing', { expected }) : undefined
  const fault = contentDigestFault(header, request.body)
  if (fault === undefined) return undefined
  return named(facts, header, expected) ?? finding('digest-unreadable', { detail: fault, expected })
}

const named = (facts: Facts, header: string, expected: string): Finding | undefined => {
  const [, name = '', opening, text = ''] = /^\s*([\w-]+)\s*=\s*(:?)([^:,;\s]*)/.exec(header) ?? []
  const claimed = text === '' ? header.trim() : text
  const body = Buffer.from(facts.request.body)
  const spelling = spellingOf(claimed, body)
  if (spelling) return finding(spelling, { expected })
  const bytes = Buffer.from(claimed, 'base64').toString('base64')
  const other = DIGESTS.find(row => hash(row.hash, body, 'base64') === bytes)
  if (other && name.toLowerCase() === other.name && name !== other.name)
    return finding('digest-old-header', { expected })
  if (other && opening === '') return finding('digest-bare', { expected })
  if (other && other.name !== name) return finding('digest-function', { function: other.hash.toUpperCase(), expected })
  for (const { cause, bytes: form, text: stand = '' } of facts.bodyForms)
    if (DIGESTS.some(row => hash(row.hash, form, 'base64') === bytes)) return finding(cause, { text: stand, expected })
  const old = ['sha1', 'md5'].find(function_ => hash(function_, body, 'base64') === bytes)
  if (old) return finding('digest-function', { function: old.toUpperCase(), expected })
  return opening === ':' && DIGESTS.some(row => row.name === name) ? finding('digest-other', { expected }) : undefined
}

/** The right digest of the body, spelled as no structured field spells bytes. */
const spellingOf = (claimed: string, body: Buffer) => {
  for (const { hash: function_ } of DIGESTS) {
    const digest = hash(function_, body, 'buffer')
    const hex = digest.toString('hex')
    if (claimed.toLowerCase() === hex || claimed === Buffer.from(hex).toString('base64')) return 'digest-hex'
    const [url, plain] = [digest.toString('base64url'), digest.toString('base64')]
    if (claimed.replaceAll('=', '') === url && claimed !== plain) return 'digest-url'
  }
}
