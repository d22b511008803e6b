import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { TAMPERED_ID_PREFIX } from '../../contracts/protocol/verify-response.ts'
import type { ResponseFault, ResponseFaultKind } from '../providers/fault-kinds.ts'
import { pause } from '../support/clock.ts'
import type { ApiBindings } from './api-call.ts'

/** The complete response, before the fault is injected. */
type CompleteResponse = { status: number; headers: Record<string, string>; body: string }

type Transmission = {
  outgoing: ServerResponse
  /** The bytes of the body. */
  body: Buffer
  /** Duration of the fault, in milliseconds of real time. */
  after: number
  /** Waits for this time, or until the client disconnects; later writes have no effect. */
  wait(milliseconds: number): Promise<void>
  writeHead(): void
  reset(): void
}

/** Number of chunks in which the `dribble` fault sends a body, if it has as many bytes. */
const CHUNKS = 10

const sendWhole = ({ outgoing, body, writeHead }: Transmission): void => {
  writeHead()
  outgoing.end(body)
}

/** Sends a response with each kind of fault (7.4); the operation itself has taken effect. */
const SENDERS: Readonly<Record<ResponseFaultKind, (transmission: Transmission) => Promise<void> | void>> = {
  reset: ({ reset }) => reset(),
  slow: async transmission => {
    const { after, wait } = transmission
    await wait(after)
    sendWhole(transmission)
  },
  dribble: async ({ outgoing, body, after, wait, writeHead }) => {
    writeHead()
    const size = Math.ceil(body.length / CHUNKS)
    for (let sent = 0; sent < body.length; sent += size) {
      outgoing.write(body.subarray(sent, sent + size))
      await wait(after / CHUNKS)
    }
    outgoing.end()
  },
  truncated: ({ outgoing, body, writeHead }) => {
    writeHead()
    outgoing.write(body.subarray(0, body.length / 2), () => outgoing.socket?.destroySoon())
  },
  /** The signing layer has already made the signature a wrong one. */
  missigned: sendWhole,
  /** The signing layer has already put another payment's id into the body. */
  tampered: sendWhole,
}

/**
 * Replaces the transactionId in a response of the document's own dialect, for the injected `tampered` fault (5.4), by
 * one of the same form (D-121): without hyphens the letters are capital.
 */
export const tamper = (body: string): string =>
  body.replace(
    /("transactionId":")\w{8}(-?)/g,
    (_, name, hyphen) => `${name}${hyphen ? TAMPERED_ID_PREFIX : TAMPERED_ID_PREFIX.toUpperCase()}${hyphen}`,
  )

/** Sends a response with an injected fault (7.4), bypassing Hono. */
export const injectResponseFault = async (
  { kind, after = 0 }: ResponseFault,
  { status, headers, body }: CompleteResponse,
  { incoming, outgoing }: ApiBindings,
): Promise<Response> => {
  const disconnected = new AbortController()
  outgoing.once('close', () => disconnected.abort())
  if (!outgoing.destroyed)
    await SENDERS[kind]({
      outgoing,
      body: Buffer.from(body),
      after,
      wait: milliseconds => pause(milliseconds, disconnected.signal),
      writeHead: () => outgoing.writeHead(status, headers),
      reset: () => incoming.reset?.(incoming.socket),
    })
  return RESPONSE_ALREADY_SENT
}
