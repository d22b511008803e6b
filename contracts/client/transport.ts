import type { IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { connect, type SecureVersion, type TLSSocket } from 'node:tls'
import type { Identity } from './credentials.ts'
import type { Exchange, TransportFault, WireAnswer, WireRequest } from './exchange.ts'
import { nowText, stopwatch } from './real-time.ts'

export type TransportOptions = {
  ca?: string
  identity?: Identity
  /** From the first byte sent to the last byte read. */
  timeoutMs?: number
  maxAnswerBytes?: number
}

/** What one call may do differently at the TLS layer; `identity: null` presents no certificate. */
export type Connection = {
  identity?: Identity | null
  minVersion?: SecureVersion
  maxVersion?: SecureVersion
  /** A TLS session of another connection to resume. */
  session?: Buffer
}

export type Transport = {
  /** Sends one request. Never throws for what the other side does: a connection that fails is a fault in the exchange. */
  exchange(request: WireRequest, connection?: Connection): Promise<Exchange>
  /** A session that the server offers to a client with this transport's certificate. */
  session(url: string): Promise<Buffer | undefined>
  close(): void
}

/** HTTPS with keep-alive, a client certificate and bounds on time and size; redirects are never followed. */
export const createTransport = (options: TransportOptions): Transport => {
  const agents = new Map<string, Agent>()
  const agentFor = (connection: Connection): Agent => {
    const name = JSON.stringify([connection, connection.session?.toString('base64')])
    const known = agents.get(name) ?? new Agent({ keepAlive: true, maxCachedSessions: 0 })
    agents.set(name, known)
    return known
  }
  const exchange = async (request: WireRequest, connection: Connection = {}): Promise<Exchange> => {
    const send = () => attempt(request, { ...tlsOptions(options, connection), agent: agentFor(connection) }, options)
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
const DEFAULT_MAX_ANSWER_BYTES = 4 * 1024 * 1024

type Attempt = { exchange: Exchange; staleSocket: boolean }
type TlsOptions = ReturnType<typeof tlsOptions> & { agent: Agent }

const attempt = (request: WireRequest, tls: TlsOptions, options: TransportOptions): Promise<Attempt> =>
  new Promise(resolve => {
    const elapsed = stopwatch()
    const at = nowText()
    const signal = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
    const { method, headers } = request
    // Whether a keyed call was carried out is for its merchant to find out, by sending it again under the key (7.4).
    const keyed = headers['idempotency-key'] !== undefined
    const outgoing = httpsRequest(request.url, { method, headers, signal, ...tls, ...serverName(request.url) })
    let version: string | null = null
    const end = (outcome: { answer: WireAnswer } | { fault: TransportFault }, staleSocket = false) => {
      const durationMs = elapsed()
      resolve({ exchange: { request, ...outcome, ...(version ? { tls: version } : {}), at, durationMs }, staleSocket })
    }
    const fail = (error: Error) =>
      end({ fault: faultOf(error) }, outgoing.reusedSocket && !keyed && faultOf(error).code === 'ECONNRESET')
    outgoing.on('error', fail)
    outgoing.on('response', response => {
      version = (response.socket as TLSSocket).getProtocol()
      readAnswer(response, options.maxAnswerBytes ?? DEFAULT_MAX_ANSWER_BYTES).then(answer => end({ answer }), fail)
    })
    outgoing.end(request.body)
  })

const readAnswer = async (response: IncomingMessage, maxBytes: number): Promise<WireAnswer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes)
      throw Object.assign(new Error(`the answer is longer than ${maxBytes} bytes`), { code: 'ANSWER_TOO_LONG' })
    chunks.push(chunk)
  }
  const headers = Object.entries(response.headersDistinct).map(([name, values = []]) => [name, values.join(', ')])
  return { status: response.statusCode ?? 0, headers: Object.fromEntries(headers), body: Buffer.concat(chunks) }
}

const tlsOptions = (options: TransportOptions, connection: Connection) => {
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

/** The name for SNI comes from the address, whatever the Host header of the request says. */
const serverName = (url: string) => {
  const { hostname } = new URL(url)
  return { servername: isIP(hostname.replace(/^\[|\]$/g, '')) ? '' : hostname }
}

const faultOf = (error: Error & { code?: string | number; cause?: unknown }): TransportFault => {
  if (error.name === 'TimeoutError' || (error.name === 'AbortError' && error.cause))
    return { code: 'TIMEOUT', message: 'no complete answer came in time' }
  return { code: String(error.code ?? error.name), message: error.message.split('\n')[0] ?? '' }
}

const newSession = (url: URL, tls: object, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<Buffer | undefined> =>
  new Promise(resolve => {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const socket = connect({ host, port: Number(url.port || 443), ...serverName(url.href), ...tls })
    const end = (session?: Buffer) => {
      socket.destroy()
      resolve(session)
    }
    // From first to last: a server that drips is never idle.
    const tooLate = setTimeout(end, timeoutMs)
    socket.once('close', () => clearTimeout(tooLate))
    socket.on('session', end)
    socket.on('error', () => end())
    // TLS 1.3 sends its tickets after the handshake; a first request makes sure that they arrive.
    socket.write(`GET / HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`)
    socket.on('end', () => end())
    socket.resume()
  })
