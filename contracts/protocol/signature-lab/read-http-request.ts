import { type LabRequest, readHeaderValue } from './lab-request.ts'
import { restorePastedBody } from './restore-pasted-body.ts'

const REQUEST_LINE = /^([A-Za-z]{3,10}) +((?:\/|https?:\/\/|\*)\S*)(?: +HTTP\/[\d.]+)? *$/

/** Reads a lab request from raw HTTP, leniently; undefined where the text has no request line. */
export const readHttp = (bytes: Buffer): LabRequest | undefined => {
  const text = bytes.toString('latin1').replace(/^(?:\u00EF\u00BB\u00BF)?\s*/, '')
  const [head = '', body = ''] = text.split(/\r?\n[ \t]*\r?\n(.*)/s)
  const [first = '', ...rest] = head.split(/\r?\n/)
  const line = REQUEST_LINE.exec(first)
  if (!line) return undefined
  const [, method = '', address = ''] = line
  return toLabRequest(method, fromUtf8(address), parseHeaderLines(rest), Buffer.from(body, 'latin1'))
}

/** Builds a lab request from its parts; an absolute URL supplies a missing Host header. */
export const toLabRequest = (
  method: string,
  address: string,
  headers: readonly (readonly [string, string])[],
  body: Buffer,
  sentAt?: number,
): LabRequest => {
  const [, authority, path = address] = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(address) ?? []
  const target = path.startsWith('/') || authority === undefined ? path : `/${path}`
  const named = headers.some(([name]) => name.toLowerCase() === 'host')
  const all = named || authority === undefined ? headers : [['Host', authority] as const, ...headers]
  return {
    method,
    target,
    headers: all,
    ...restorePastedBody(
      body,
      readHeaderValue({ headers: all }, 'content-length'),
      readHeaderValue({ headers: all }, 'content-digest'),
    ),
    ...(sentAt === undefined || Number.isNaN(sentAt) ? {} : { sentAt: Math.floor(sentAt / 1000) }),
  }
}

/** Parses pasted header lines; a line that begins with a blank continues the one before. */
export const parseHeaderLines = (lines: readonly string[]): readonly (readonly [string, string])[] => {
  const headers: [string, string][] = []
  for (const line of lines) {
    const last = headers.at(-1)
    if (/^[ \t]+\S/.test(line) && last) last[1] += ` ${fromUtf8(line.trim())}`
    else {
      const [, name, value = ''] = /^(:?[^\s:]+)[ \t]*:(.*)$/.exec(line) ?? []
      if (name === ':authority') headers.push(['Host', value.trim()])
      else if (name !== undefined && !name.startsWith(':')) headers.push([name, fromUtf8(value.trim())])
    }
  }
  return headers
}

const fromUtf8 = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('utf8')
