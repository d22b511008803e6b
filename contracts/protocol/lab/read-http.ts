import { pastedBody } from './pasted-body.ts'
import { headerOf, type LabRequest } from './request.ts'

const REQUEST_LINE = /^([A-Za-z]{3,10}) +((?:\/|https?:\/\/|\*)\S*)(?: +HTTP\/[\d.]+)? *$/

/** Reads a request as it stands on the wire, or nearly; undefined where the text has no request line. */
export const readHttp = (bytes: Buffer): LabRequest | undefined => {
  const text = bytes.toString('latin1').replace(/^(?:\u00EF\u00BB\u00BF)?\s*/, '')
  const [head = '', body = ''] = text.split(/\r?\n[ \t]*\r?\n(.*)/s)
  const [first = '', ...rest] = head.split(/\r?\n/)
  const line = REQUEST_LINE.exec(first)
  if (!line) return undefined
  const [, method = '', address = ''] = line
  return assembled(method, fromUtf8(address), headersIn(rest), Buffer.from(body, 'latin1'))
}

/** A request of its parts; an address with a host stands for the Host header where that is missing. */
export const assembled = (
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
    ...pastedBody(body, headerOf({ headers: all }, 'content-length'), headerOf({ headers: all }, 'content-digest')),
    ...(sentAt === undefined || Number.isNaN(sentAt) ? {} : { sentAt: Math.floor(sentAt / 1000) }),
  }
}

/** Lines of a head; a line that begins with a blank goes on with the one before. */
export const headersIn = (lines: readonly string[]): readonly (readonly [string, string])[] => {
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
