import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { getCACertificates } from 'node:tls'
import { stopwatch } from '../clock.ts'
import { RefusedTarget, type Targets } from './targets.ts'

/** What one try brought: an answer, or why there is none. */
export type Sent = {
  durationMilliseconds: number
  answer?: { status: number; headers: Record<string, string>; body: string }
  error?: string
}

type SendParts = {
  targets: Targets
  timeoutMilliseconds: number
  /** PEM of one more authority to trust. */
  ca?: string | undefined
}

export type Send = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
) => Promise<Sent>

/** As much of an answer as is read and kept. */
const ANSWER_BYTES = 16_384

/** Sends one POST over a connection of its own; never follows a redirect, never throws for what the other side does. */
export const createSend = ({ targets, timeoutMilliseconds, ca }: SendParts): Send => {
  const trusted = ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }
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
      const answer = await answered(request, body)
      const text = await beginningOf(answer)
      const status = answer.statusCode ?? 0
      return { ...measured(), answer: { status, headers: headersOf(answer), body: text } }
    } catch (error) {
      const told = timeout.aborted ? `No answer within ${timeoutMilliseconds / 1000} s.` : reasonOf(error)
      return { ...measured(), error: told }
    }
  }
}

/** The answer to a request; one that would go on in another protocol, or ends without a word, is none. */
const answered = (request: ClientRequest, body: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.on('upgrade', (_answer, socket) => {
      socket.destroy()
      reject(new Error('The receiver answered 101: a webhook goes over HTTP and nothing else.'))
    })
    request.on('close', () => reject(new Error('The connection was closed without an answer.')))
    request.on('error', reject).on('response', resolve).end(body)
  })

/** An answer that goes on for ever is left alone after what is kept of it. */
const beginningOf = async (answer: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= ANSWER_BYTES) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, ANSWER_BYTES)
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const reasonOf = (error: unknown): string => {
  const { message, code, errors } = error as { message: string; code?: string; errors?: Error[] }
  if (error instanceof RefusedTarget) return message
  return `${code === undefined ? '' : `${code}: `}${message || (errors?.[0]?.message ?? 'the connection failed')}`
}
