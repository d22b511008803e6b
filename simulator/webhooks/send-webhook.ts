import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import tls from 'node:tls'
import { stopwatch } from '../support/clock.ts'
import { type AllowedTargets, LOOPBACK, RefusedTargetError } from './allowed-target-addresses.ts'

/** Result of sending one webhook: the response, or why no response came. */
export type SendResult = {
  durationMilliseconds: number
  response?: { status: number; headers: Record<string, string>; body: string }
  error?: string
  /** Whether the time for the response ran out. */
  isTimeout?: boolean
}

type SendParts = {
  targets: AllowedTargets
  timeoutMilliseconds: number
  /** PEM of an additional certificate authority to trust. */
  ca?: string | undefined
}

export type SendWebhook = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
) => Promise<SendResult>

/** Largest part of a receiver's response body that is read and kept, in bytes. */
const MAX_RESPONSE_BYTES = 16_384

/** The authorities that Node trusts without ours; before Node 22.15 without those of NODE_EXTRA_CA_CERTS. */
const usualAuthorities = (): readonly string[] =>
  (tls as Partial<typeof tls>).getCACertificates?.('default') ?? tls.rootCertificates

/** Creates the webhook sender: one POST on a new connection, no redirects, receiver failures returned, not thrown. */
export const createSendWebhook = ({ targets, timeoutMilliseconds, ca }: SendParts): SendWebhook => {
  const trusted = ca === undefined ? {} : { ca: [...usualAuthorities(), ca] }
  return async (address, headers, body, stopped) => {
    const elapsed = stopwatch()
    const measured = () => ({ durationMilliseconds: Math.round(elapsed()) })
    const url = new URL(address)
    const fault = targets.fault(url)
    if (fault) return { ...measured(), error: fault }
    const timeout = AbortSignal.timeout(timeoutMilliseconds)
    const options = {
      method: 'POST',
      headers,
      agent: false,
      lookup: targets.lookup,
      signal: AbortSignal.any([timeout, stopped]),
    } as const
    try {
      const request =
        url.protocol === 'https:' ? httpsRequest(url, { ...options, ...trusted }) : httpRequest(url, options)
      const response = await responseTo(request, body)
      const text = await readBeginning(response)
      const status = response.statusCode ?? 0
      return { ...measured(), response: { status, headers: headersOf(response), body: text } }
    } catch (error) {
      if (!timeout.aborted) return { ...measured(), error: reasonOf(error, url) }
      return { ...measured(), error: `No response within ${timeoutMilliseconds / 1000} s.`, isTimeout: true }
    }
  }
}

/** Sends a request and waits for its response; rejects on a protocol upgrade or a connection closed without one. */
const responseTo = (request: ClientRequest, body: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('The receiver answered 101: a webhook goes over HTTP and nothing else.'))
    })
    request.on('close', () => reject(new Error('The connection was closed without a response.')))
    request.on('error', reject).on('response', resolve).end(body)
  })

/** Reads the beginning of a response body, as text. */
const readBeginning = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= MAX_RESPONSE_BYTES) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_RESPONSE_BYTES)
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const reasonOf = (error: unknown, { hostname, host }: URL): string => {
  const { message, code, errors } = error as { message: string; code?: string; errors?: Error[] }
  if (error instanceof RefusedTargetError) return message
  if (code === 'ECONNREFUSED' && LOOPBACK.test(hostname))
    return `${code}: nothing listens at ${host} where the sandbox runs. ${ELSEWHERE}`
  return `${code === undefined ? '' : `${code}: `}${message || (errors?.[0]?.message ?? 'the connection failed')}`
}

/** The cure where the sandbox is in a container, and the receiver is not. */
const ELSEWHERE = 'If your receiver runs elsewhere, "assay listen --forward-to URL" takes its webhooks there.'
