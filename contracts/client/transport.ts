import type { IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { connect, type SecureVersion, type TLSSocket } from 'node:tls'
import type { Identity } from './credentials.ts'
import type { Exchange, TransportError, WireRequest, WireResponse } from './http-exchange.ts'
import { nowIso, stopwatch } from './wall-clock.ts'

/** Options of an HTTPS transport: CA, client certificate, timeout and size limit. */
export type TransportOptions = {
  ca?: string
  identity?: Identity
  /** Limit from the first byte sent to the last byte read. */
  timeoutMs?: number
  maxResponseBytes?: number
}

/** TLS settings of one call that differ from the transport's; `identity: null` presents no certificate. */
export type ConnectionOptions = {
  identity?: Identity | null
  minVersion?: SecureVersion
  maxVersion?: SecureVersion
  /** The TLS session to resume. */
  session?: Buffer
}

/** An HTTPS client that sends requests with a client certificate. */
export type Transport = {
  /** Sends one request. Never throws for the other side: a failed connection is a transport error in the exchange. */
  exchange(request: WireRequest, connection?: ConnectionOptions): Promise<Exchange>
  /** Obtains a TLS session ticket with this transport's certificate; undefined where the server offers none. */
  session(url: string): Promise<Buffer | undefined>
  close(): void
}

/** Creates an HTTPS transport: keep-alive, client certificate, timeout, size limit; redirects are not followed. */
export const createTransport = (options: TransportOptions): Transport => {
  const agents = new Map<string, Agent>()
  const agentFor = (connection: ConnectionOptions): Agent => {
    const name = JSON.stringify([connection, connection.session?.toString('base64')])
    const known = agents.get(name) ?? new Agent({ keepAlive: true, maxCachedSessions: 0 })
    agents.set(name, known)
    return known
  }
  const exchange = async (request: WireRequest, connection: ConnectionOptions = {}): Promise<Exchange> => {
    const send = () => sendOnce(request, { ...tlsOptions(options, connection), agent: agentFor(connection) }, options)
    const first = await send()
    return first.staleSocket ? (await send()).exchange : first.exchange
  }
  return {
    exchange,
    session: url => newSession(new URL(url), tlsOptions(options, {}), options.timeoutMs),
    close: () => {
      for (const agent of agents.values()) agent.destroy()
    },
  }
}

const DEFAULT_TIMEOUT_MS = 20_000
const DEFAULT_MAX_RESPONSE_BYTES = 4 * 1024 * 1024

type TransportAttempt = { exchange: Exchange; staleSocket: boolean }
type TlsOptions = ReturnType<typeof tlsOptions> & { agent: Agent }

const sendOnce = (request: WireRequest, tls: TlsOptions, options: TransportOptions): Promise<TransportAttempt> =>
  new Promise(resolve => {
    const elapsed = stopwatch()
    const at = nowIso()
    const signal = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
    const { method, headers } = request
    // A keyed call may have been carried out: only the merchant may retry it, under its key (7.4).
    const keyed = headers['idempotency-key'] !== undefined
    const outgoing = httpsRequest(request.url, { method, headers, signal, ...tls, ...serverName(request.url) })
    let version: string | null = null
    const end = (outcome: { response: WireResponse } | { transportError: TransportError }, staleSocket = false) => {
      const durationMs = elapsed()
      resolve({ exchange: { request, ...outcome, ...(version ? { tls: version } : {}), at, durationMs }, staleSocket })
    }
    const fail = (error: Error) =>
      end(
        { transportError: toTransportError(error) },
        outgoing.reusedSocket && !keyed && toTransportError(error).code === 'ECONNRESET',
      )
    outgoing.on('error', fail)
    // Without a listener, a connection that the other side takes over is a response that never comes.
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy()
      fail(Object.assign(new Error('the response switches protocols'), { code: 'ANSWER_SWITCHES' }))
    })
    outgoing.on('response', message => {
      version = (message.socket as TLSSocket).getProtocol()
      readResponse(message, options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES).then(
        response => end({ response }),
        fail,
      )
    })
    outgoing.end(request.body)
  })

const readResponse = async (response: IncomingMessage, maxBytes: number): Promise<WireResponse> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes)
      throw Object.assign(new Error(`the response is longer than ${maxBytes} bytes`), { code: 'ANSWER_TOO_LONG' })
    chunks.push(chunk)
  }
  const headers = Object.entries(response.headersDistinct).map(([name, values = []]) => [name, values.join(', ')])
  return { status: response.statusCode ?? 0, headers: Object.fromEntries(headers), body: Buffer.concat(chunks) }
}

const tlsOptions = (options: TransportOptions, connection: ConnectionOptions) => {
  const identity = connection.identity === undefined ? options.identity : connection.identity
  const { minVersion, maxVersion, session } = connection
  return {
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    ...(identity ? { cert: identity.certificate, key: identity.privateKey } : {}),
    ...(minVersion ? { minVersion } : {}),
    // Versions before 1.2 exist in OpenSSL only at its lowest security level.
    ...(maxVersion ? { maxVersion, ciphers: 'DEFAULT@SECLEVEL=0' } : {}),
    ...(session ? { session } : {}),
  }
}

/** Returns the SNI server name of a URL, regardless of the Host header; empty for an IP address. */
const serverName = (url: string) => {
  const { hostname } = new URL(url)
  return { servername: isIP(hostname.replace(/^\[|\]$/g, '')) ? '' : hostname }
}

/** An error of OpenSSL among addresses and source lines, which tell the reader nothing: only its reason does. */
const OPENSSL_ERROR = /:error:[\dA-F]+:[^:]*:[^:]*:([^:]+):/

const toTransportError = (error: Error & { code?: string | number; cause?: unknown }): TransportError => {
  if (error.name === 'TimeoutError' || (error.name === 'AbortError' && error.cause))
    return { code: 'TIMEOUT', message: 'no complete response came in time' }
  const [line = ''] = error.message.split('\n')
  return { code: String(error.code ?? error.name), message: OPENSSL_ERROR.exec(line)?.[1] ?? line }
}

const newSession = (url: URL, tls: object, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<Buffer | undefined> =>
  new Promise(resolve => {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const socket = connect({ host, port: Number(url.port || 443), ...serverName(url.href), ...tls })
    const end = (session?: Buffer) => {
      socket.destroy()
      resolve(session)
    }
    // A total timeout: an idle timeout never fires for a server that sends slowly.
    const tooLate = setTimeout(end, timeoutMs)
    socket.once('close', () => clearTimeout(tooLate))
    socket.on('session', end)
    socket.on('error', () => end())
    // TLS 1.3 sends its tickets after the handshake; a request ensures that they arrive.
    socket.write(`GET / HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`)
    socket.on('end', () => end())
    socket.resume()
  })
