import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { FORGED_ID } from '../../contracts/protocol/untrusted.ts'
import { pause } from '../clock.ts'
import type { WireFault, WireKind } from '../providers/faults.ts'
import type { Bindings } from './call.ts'

/** An answer as it would go out. */
type Whole = { status: number; headers: Record<string, string>; body: string }

type Sending = {
  outgoing: ServerResponse
  /** The bytes of the body. */
  body: Buffer
  /** Milliseconds of real time. */
  after: number
  /** Lets so much time pass, or until the client is gone; what is written then goes nowhere. */
  lasting(milliseconds: number): Promise<void>
  writeHead(): void
  reset(): void
}

/** So many pieces a dribbling body has, if it has as many bytes. */
const PIECES = 10

/** What each fault does with the answer's bytes (7.4); what was done stays done. */
const WAYS: Readonly<Record<WireKind, (sending: Sending) => Promise<void> | void>> = {
  reset: ({ reset }) => reset(),
  slow: async ({ outgoing, body, after, lasting, writeHead }) => {
    await lasting(after)
    writeHead()
    outgoing.end(body)
  },
  dribble: async ({ outgoing, body, after, lasting, writeHead }) => {
    writeHead()
    const size = Math.ceil(body.length / PIECES)
    for (let sent = 0; sent < body.length; sent += size) {
      outgoing.write(body.subarray(sent, sent + size))
      await lasting(after / PIECES)
    }
    outgoing.end()
  },
  truncated: ({ outgoing, body, writeHead }) => {
    writeHead()
    outgoing.write(body.subarray(0, body.length / 2), () => outgoing.socket?.destroySoon())
  },
  /** Its signature was made so when it was signed. */
  missigned: ({ outgoing, body, writeHead }) => {
    writeHead()
    outgoing.end(body)
  },
  tampered: ({ outgoing, body, writeHead }) => {
    writeHead()
    outgoing.end(body.toString('utf8').replace(/("transactionId":")[0-9a-f]{8}/g, `$1${FORGED_ID}`))
  },
}

/** Sends an answer by hand, spoiled as its fault wants, and tells Hono that nothing is left to send. */
export const spoilAnswer = async (
  { kind, after = 0 }: WireFault,
  { status, headers, body }: Whole,
  { incoming, outgoing }: Bindings,
): Promise<Response> => {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  if (!outgoing.destroyed)
    await WAYS[kind]({
      outgoing,
      body: Buffer.from(body),
      after,
      lasting: milliseconds => pause(milliseconds, gone.signal),
      writeHead: () => outgoing.writeHead(status, headers),
      reset: () => incoming.reset?.(incoming.socket),
    })
  return RESPONSE_ALREADY_SENT
}
