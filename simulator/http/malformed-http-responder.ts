import type { Socket } from 'node:net'
import { refusalRow } from '../../contracts/dialect/refusal-choices.ts'
import { chooseVersion, type ServiceVersion } from '../../contracts/protocol/api-versioning.ts'
import type { SigningKey, SigningOptions } from '../../contracts/protocol/sign-messages.ts'
import type { SecurityLayer } from '../options/options.ts'
import type { Clock } from '../support/clock.ts'
import type { DialectRegistry } from '../support/dialect-registry.ts'
import type { Ids } from '../support/ids.ts'
import { Refusal, refusalBody } from '../support/refusal.ts'
import { type DisabledLayers, disabledLayersHeader } from './disabled-layers.ts'
import { signResponseHeaders } from './layers/sign-response.ts'
import { MAX_HEADER_BYTES } from './listen.ts'

type Parts = {
  clock: Clock
  ids: Ids
  key: SigningKey
  dialect: Omit<SigningOptions, 'created'>
  disabledLayers: DisabledLayers
  versions: readonly ServiceVersion[]
  dialects: DialectRegistry
}

/** Creates the responder to malformed HTTP, where there is no request: the contract's error body, signed as usual. */
export const createMalformedHttpResponder = ({
  clock,
  ids,
  key,
  dialect,
  disabledLayers,
  versions,
  dialects,
}: Parts) => {
  const compose = async (reason: string, off: readonly SecurityLayer[]) => {
    const refusal = new Refusal('INVALID_INPUT', 'http', `The request cannot be read as HTTP: ${reason}.`)
    const { choices } = dialects.usual
    const { http } = refusalRow(refusal.refusal, choices)
    const body = JSON.stringify(refusalBody(refusal, ids.uuid(), choices))
    const headers = await signResponseHeaders({ http, body }, key, {
      ...dialect,
      created: Math.floor(clock.real() / 1000),
    })
    const { version } = chooseVersion(versions, undefined).version
    const more = { 'service-version': version, ...disabledLayersHeader(off), connection: 'close' }
    return { status: http, headers: { ...headers, ...more }, body }
  }
  return {
    /** Response to a URL or Host header that Hono cannot parse. */
    response: async (reason: string, off: readonly SecurityLayer[]): Promise<Response> => {
      const { body, ...init } = await compose(reason, off)
      return new Response(body, init)
    },
    /** Writes the response to bytes that Node's HTTP parser rejected; `code` is the parser's error code. */
    write: async (socket: Socket, code: string): Promise<void> => {
      const { status, headers, body } = await compose(REASONS[code] ?? 'it is malformed', disabledLayers.of(socket))
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      if (socket.writable) socket.end(`HTTP/1.1 ${status} Bad Request\r\n${lines.join('')}\r\n${body}`)
    },
  }
}

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `its address and headers together are longer than ${MAX_HEADER_BYTES} bytes`,
  HPE_INVALID_CONTENT_LENGTH: 'its Content-Length is not a number',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'it has a Content-Length where none is allowed',
  HPE_INVALID_VERSION: 'its version of HTTP is neither 1.0 nor 1.1',
  HPE_INVALID_TRANSFER_ENCODING: 'its Transfer-Encoding is not one that can be read',
  LEADS_ELSEWHERE:
    'its path has a segment of dots, a backslash, a fragment or an encoded letter, and other servers read it otherwise',
  ERR_HTTP_REQUEST_TIMEOUT: 'it did not arrive in time',
  CONNECT: 'CONNECT is for proxies, and this is not a proxy',
}
