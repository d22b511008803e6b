import type { Socket } from 'node:net'
import { chooseVersion, type ServiceVersion } from '../../contracts/protocol/api-versioning.ts'
import type { SecurityLayer } from '../options/options.ts'
import { stopwatch } from '../support/clock.ts'
import type { DialectRegistry } from '../support/dialect-registry.ts'
import type { Ids } from '../support/ids.ts'
import { Refusal, refusalReply } from '../support/refusal.ts'
import type { ApiCall } from './api-call.ts'
import type { CollectedRequest } from './collect-body.ts'
import { type DisabledLayers, disabledLayersHeader } from './disabled-layers.ts'
import type { FindShownOrganization } from './find-organization-of-refused-call.ts'
import { composeResponse, type ResponseSigning } from './layers/sign-response.ts'
import { MAX_HEADER_BYTES, type MalformedRequest } from './listen.ts'
import type { RecordCall } from './record-call.ts'

type Parts = ResponseSigning & {
  ids: Ids
  disabledLayers: DisabledLayers
  versions: readonly ServiceVersion[]
  dialects: DialectRegistry
  findShownOrganization: FindShownOrganization
  recordCall: RecordCall
}

/** Creates the responder to malformed HTTP, where there is no request: refused like any call, and recorded in the journal. */
export const createMalformedHttpResponder = ({
  ids,
  disabledLayers,
  versions,
  dialects,
  findShownOrganization,
  recordCall,
  ...signing
}: Parts) => {
  const { version } = chooseVersion(versions, undefined)
  const begun = async (incoming: CollectedRequest, off: readonly SecurityLayer[]): Promise<ApiCall> => {
    const organization = await findShownOrganization({ incoming, disabledLayers: off })
    return {
      callId: ids.uuid(),
      elapsed: stopwatch(),
      incoming,
      body: incoming.rawBody ?? Buffer.alloc(0),
      disabledLayers: off,
      version,
      dialect: organization ? dialects.of(organization.organizationId) : dialects.usual,
      responseHeaders: { 'service-version': version.version, ...disabledLayersHeader(off), connection: 'close' },
      ...(organization ? { organization } : {}),
    }
  }
  const compose = async (reason: string, incoming: CollectedRequest, off: readonly SecurityLayer[], isKept = true) => {
    const call = await begun(incoming, off)
    call.refusal = new Refusal('INVALID_INPUT', 'http', `The request cannot be read as HTTP: ${reason}.`)
    call.reply = refusalReply(call.refusal, call.callId, call.dialect.choices)
    const response = await composeResponse(call, call.reply, signing)
    if (isKept) recordCall(call, response)
    return response
  }
  return {
    /** Response to a URL or Host header that Hono cannot parse. */
    response: async (error: unknown, incoming: CollectedRequest, off: readonly SecurityLayer[]): Promise<Response> => {
      const { body, ...init } = await compose(parseErrorReason(error, incoming), incoming, off)
      return new Response(body === '' ? null : body, init)
    },
    /** Writes the response to bytes that were rejected before there was a request; `code` says why. */
    write: async (socket: Socket, code: string, request: MalformedRequest = NOTHING): Promise<void> => {
      const { method, url, headers: sent, rawHeaders } = request
      const incoming = { method, url, headers: sent, rawHeaders, socket }
      const off = disabledLayers.of(socket)
      const reason = REASONS[code] ?? 'it is malformed'
      const { status, headers, body } = await compose(reason, incoming as CollectedRequest, off, code !== ABORTED)
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      if (socket.writable) socket.end(`HTTP/1.1 ${status} Bad Request\r\n${lines.join('')}\r\n${body}`)
    },
  }
}

/** Says what Hono could not parse: an error of its own tells URL and Host apart only if Host is missing. */
const parseErrorReason = (error: unknown, { url = '' }: CollectedRequest): string => {
  if (!(error instanceof Error)) return 'it is malformed'
  if (error.message === 'Missing host header') return 'Host is missing'
  return url.startsWith('/')
    ? 'its Host is not a host name, with a port or without'
    : 'its address does not begin with a slash'
}

/** Error code of a client that disconnected within its request: nobody reads the response, and the journal has no call. */
const ABORTED = 'HPE_INVALID_EOF_STATE'

/** What is known of bytes that do not even begin like a request. */
const NOTHING: MalformedRequest = { method: '', url: '', headers: {}, rawHeaders: [] }

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `its address and headers together are longer than ${MAX_HEADER_BYTES} bytes`,
  HPE_INVALID_CONTENT_LENGTH: 'its Content-Length is no number or too large',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'it has more than one Content-Length',
  HPE_INVALID_VERSION: 'its version of HTTP is neither 1.0 nor 1.1',
  HPE_INVALID_TRANSFER_ENCODING: 'its Transfer-Encoding is not one that can be read',
  LENGTH_AND_ENCODING: 'it has both Content-Length and Transfer-Encoding',
  LEADS_ELSEWHERE:
    'its path has a segment of dots, a backslash, a fragment or an encoded letter, and other servers read it otherwise',
  ERR_HTTP_REQUEST_TIMEOUT: 'it did not arrive in time',
  CONNECT: 'CONNECT is for proxies, and this is not a proxy',
}
