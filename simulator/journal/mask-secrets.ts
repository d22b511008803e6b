import { isUtf8 } from 'node:buffer'
import type { JournalEntry } from './journal-entry.ts'

const BODY_LIMIT = 16_384
const MASK = '***'
/** Headers whose value is a secret, and those where it follows the name of a scheme. */
const SECRET_HEADERS: readonly string[] = ['cookie']
const CREDENTIAL_HEADERS: readonly string[] = ['authorization', 'proxy-authorization']
const SECRET_MEMBERS = ['access_token', 'paymentToken', 'client_secret', 'client_assertion']
/** Secret parameters in a form or a query (RFC 6749 2.3.1, RFC 6750 2.2 and 2.3), also as a careless client writes them. */
const SECRET_FORM =
  /((?:^|[?&;])(?:(?:access|refresh)(?:_|%5f)token|payment(?:_|%5f)?token|client(?:_|%5f)(?:secret|assertion)|password)=)[^&"\s]*/gi

/** Masks secrets in headers, for the journal. */
export const maskHeaders = (headers: NodeJS.Dict<string | string[]>): Record<string, string> => {
  const shown = { ...headers } as Record<string, string>
  for (const name in shown) {
    const value = String(shown[name])
    shown[name] = SECRET_HEADERS.includes(name)
      ? MASK
      : CREDENTIAL_HEADERS.includes(name)
        ? maskCredential(value)
        : value
  }
  return shown
}

/** What a secret member may hold, also where it is cut off: a text with escapes, a list, an object, or anything else. */
const VALUES = [
  String.raw`"(?:[^"\\]|\\.)*(?:"|\\?$)`,
  String.raw`\[[^\]]*(?:\]|$)`,
  String.raw`\{[^}]*(?:\}|$)`,
  String.raw`(?!null\b|true\b|false\b)[^\s,"[\]{}]+`,
]

/** Pattern of a letter of a member's name as JSON may write it: itself, or its escape. */
const asLetterOrEscape = (letter: string): string => {
  const code = letter.charCodeAt(0).toString(16).padStart(4, '0')
  const anyCase = code.replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`)
  return `(?:${letter.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}|\\\\u${anyCase})`
}

/** Creates the pattern by which the journal finds members that hold secrets; `more` are names of another dialect. */
export const secretMembers = (more: readonly string[]): RegExp => {
  const names = [...SECRET_MEMBERS, ...more].map(name => [...name].map(asLetterOrEscape).join(''))
  return new RegExp(`("(?:${names.join('|')})"\\s*:\\s*)(?:${VALUES.join('|')})`, 'gs')
}

const USUAL = secretMembers([])

/** Masks secrets in a text for the journal, such as a body or the path with its query. */
export const maskSecrets = (text: string, members = USUAL): string => {
  const masked = text.replace(members, `$1"${MASK}"`)
  return masked.includes('=') ? masked.replace(SECRET_FORM, `$1${MASK}`) : masked
}

/** Whether secrets are masked in a journal entry's request target, so that it differs from the one sent. */
export const isTargetMasked = ({ request }: JournalEntry): boolean => request.target.includes(`=${MASK}`)

/** Converts a body to text for the journal, with secrets masked, truncated to 16384 characters. */
export const toJournalBody = (body: string | Buffer, members?: RegExp): string => {
  const text = typeof body === 'string' ? body : body.toString('utf8', 0, 4 * BODY_LIMIT)
  const shown = maskSecrets(text, members)
  return shown.length > BODY_LIMIT ? `${shown.slice(0, BODY_LIMIT)}…` : shown
}

/** Converts a body that is not UTF-8 to base64 for the journal, with secrets masked, truncated to 16384 bytes. */
export const toJournalBytes = (body: Buffer): { bodyBase64?: string } =>
  isUtf8(body)
    ? {}
    : { bodyBase64: Buffer.from(maskSecrets(body.toString('latin1')), 'latin1').toString('base64', 0, BODY_LIMIT) }

/** Masks the credential in an Authorization header, but for its scheme. */
const maskCredential = (value: string): string => (value.includes(' ') ? `${value.split(' ', 1)[0]} ${MASK}` : MASK)
