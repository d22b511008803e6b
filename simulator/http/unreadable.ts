import type { Socket } from 'node:net'
import { chooseVersion, type ServiceVersion } from '../../contracts/protocol/service-version.ts'
import type { SigningKey, SigningOptions } from '../../contracts/protocol/sign.ts'
import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import type { Guard } from '../options.ts'
import { Refusal, refusalBody } from '../refusal.ts'
import { type Ladder, ladderHeaders } from './ladder.ts'
import { signedHeaders } from './layers/sign-answer.ts'
import { HEAD_LIMIT } from './listen.ts'

type Parts = {
  clock: Clock
  ids: Ids
  key: SigningKey
  dialect: Omit<SigningOptions, 'created'>
  ladder: Ladder
  versions: readonly ServiceVersion[]
}

/** Answers for what never became a request: the contract's envelope, signed like every other. */
export const createUnreadable = ({ clock, ids, key, dialect, ladder, versions }: Parts) => {
  const compose = async (reason: string, off: readonly Guard[]) => {
    const refusal = new Refusal('INVALID_INPUT', 'http', `The request cannot be read as HTTP: ${reason}.`)
    const body = JSON.stringify(refusalBody(refusal, ids.uuid()))
    const headers = await signedHeaders({ http: refusal.row.http, body }, key, {
      ...dialect,
      created: Math.floor(clock.real() / 1000),
    })
    const { version } = chooseVersion(versions, undefined).version
    const more = { 'service-version': version, ...ladderHeaders(off), connection: 'close' }
    return { status: refusal.row.http, headers: { ...headers, ...more }, body }
  }
  return {
    /** For an address or Host that the framework cannot take. */
    response: async (reason: string, off: readonly Guard[]): Promise<Response> => {
      const { body, ...init } = await compose(reason, off)
      return new Response(body, init)
    },
    /** For what the HTTP parser itself refused. */
    write: async (socket: Socket, code: string): Promise<void> => {
      const { status, headers, body } = await compose(REASONS[code] ?? 'it is malformed', ladder.of(socket))
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      if (socket.writable) socket.end(`HTTP/1.1 ${status} Bad Request\r\n${lines.join('')}\r\n${body}`)
    },
  }
}

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `its address and headers together are longer than ${HEAD_LIMIT} bytes`,
  HPE_INVALID_CONTENT_LENGTH: 'its Content-Length is not a number',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'it has a Content-Length where none may stand',
  HPE_INVALID_VERSION: 'its version of HTTP is neither 1.0 nor 1.1',
  HPE_INVALID_TRANSFER_ENCODING: 'its Transfer-Encoding is not one that can be read',
  LEADS_ELSEWHERE:
    'its path has a segment of dots, a backslash, a fragment or an encoded letter, and other servers read it otherwise',
  ERR_HTTP_REQUEST_TIMEOUT: 'it did not arrive in time',
  CONNECT: 'CONNECT is for proxies, and this is none',
}
