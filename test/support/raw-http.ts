import { connect as connectPlain, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectSecure } from 'node:tls'
import { type RawRequest, serializeRequest } from './create-signed-raw-request.ts'

export type TlsIdentity = { certificate: string; privateKey: string }

export type ExchangeOptions = {
  /** Null presents no certificate. */
  identity?: TlsIdentity | null
  /** Number of responses to wait for. */
  answers?: number
  /** The responses have no body whatever their Content-Length. */
  head?: boolean
  plain?: boolean
  tls?: ConnectionOptions
  /** Waits for the other side to close, not only for the responses. */
  untilClosed?: boolean
  /** Leaves the connection open. */
  keep?: boolean
}

/** A raw HTTP response in a test: lower-case header names with all their values, chunked bodies not decoded. */
export type RawResponse = {
  status: number
  headers: ReadonlyMap<string, readonly string[]>
  body: Buffer
  header(name: string): string | undefined
  json(): unknown
}

type ReadResult = { answers: RawResponse[]; closed: boolean; error?: NodeJS.ErrnoException }

const PATIENCE = 30_000

/** Opens a TLS or plain TCP connection for a test to a port of this machine. */
export const openConnection = (port: number, { identity, plain, tls }: ExchangeOptions = {}): Socket => {
  const address = { host: '127.0.0.1', port }
  if (plain) return connectPlain(address)
  const certificate = identity ? { cert: identity.certificate, key: identity.privateKey } : {}
  return connectSecure({ ...address, rejectUnauthorized: false, ...certificate, ...tls })
}

/**
 * Sends a test's raw requests over a new connection and reads the responses until all are there or the other side
 * closes.
 */
export const exchangeRaw = (
  port: number,
  said: RawRequest | Buffer | RawRequest[],
  conversation: ExchangeOptions = {},
) => {
  const socket = openConnection(port, conversation)
  socket.write(bytesOf(said))
  return readResponses(socket, conversation)
}

/** Reads raw responses from a test's open connection, and closes it unless `keep` is set. */
export const readResponses = (socket: Socket, conversation: ExchangeOptions = {}): Promise<ReadResult> =>
  new Promise((resolve, reject) => {
    const { answers: wanted = 1, head = false, untilClosed = false, keep = false } = conversation
    const answers: RawResponse[] = []
    let buffered = Buffer.alloc(0)
    let failure: NodeJS.ErrnoException | undefined
    const end = (closed: boolean) => {
      clearTimeout(timer)
      socket.removeAllListeners('data').removeAllListeners('close')
      if (!keep) socket.destroy()
      resolve({ answers, closed, ...(failure ? { error: failure } : {}) })
    }
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`Only ${answers.length} of ${wanted} responses came within ${PATIENCE} ms.`))
    }, PATIENCE)
    socket.on('data', chunk => {
      buffered = Buffer.concat([buffered, chunk])
      try {
        for (let next = readAnswer(buffered, head); next; next = readAnswer(buffered, head)) {
          answers.push(next.answer)
          buffered = buffered.subarray(next.length)
        }
      } catch (error) {
        reject(error)
        return end(false)
      }
      if (answers.length >= wanted && !untilClosed) end(false)
    })
    socket.on('error', error => {
      failure = error
    })
    socket.on('close', () => end(true))
  })

const bytesOf = (said: RawRequest | Buffer | RawRequest[]): Buffer => {
  if (Buffer.isBuffer(said)) return said
  return Array.isArray(said) ? Buffer.concat(said.map(serializeRequest)) : serializeRequest(said)
}

const readAnswer = (bytes: Buffer, head: boolean): { answer: RawResponse; length: number } | undefined => {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  if (!status) throw new Error(`This is not an HTTP response: ${first}`)
  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  if (status === 100) {
    const rest = readAnswer(bytes.subarray(end + 4), head)
    return rest && { ...rest, length: rest.length + end + 4 }
  }
  const chunked = headers.get('transfer-encoding')?.[0] === 'chunked'
  const rest = bytes.subarray(end + 4)
  const size = head ? 0 : chunked ? rest.indexOf('0\r\n\r\n') + 5 : Number(headers.get('content-length')?.[0] ?? 0)
  if (rest.length < size || (!head && chunked && size < 5)) return undefined
  const body = Buffer.from(rest.subarray(0, size))
  const header = (name: string) => headers.get(name)?.join(', ')
  const answer = { status, headers, body, header, json: () => JSON.parse(body.toString('utf8')) }
  return { answer, length: end + 4 + size }
}
