import { randomUUID } from 'node:crypto'
import { type SigningKey, type SigningOptions, signRequest } from '../../contracts/protocol/sign-messages.ts'
import type { RawMerchant } from './raw-request-sandbox.ts'

/** A raw HTTP/1.1 request of a test, sent without changes or checks. */
export type RawRequest = {
  method: string
  target: string
  version?: string
  headers: [name: string, value: string][]
  body?: Buffer
}

/** Parts of a test's signed raw request; omitted parts default to those of a valid request. */
export type RawRequestParts = Partial<SigningOptions> & {
  merchant?: RawMerchant
  method?: string
  target?: string
  host?: string
  body?: string | Buffer | object
  contentType?: string
  token?: string | null
  key?: string
  signingKey?: SigningKey
}

/** Creates a test's raw request with bearer token, idempotency key and signature (5); one without a body is a GET. */
export const createSignedRawRequest = async (
  parts: RawRequestParts & { merchant: RawMerchant; created: number },
): Promise<RawRequest> => {
  const { merchant, host = 'localhost', contentType = 'application/json', key = randomUUID() } = parts
  const { created, reading, encoding, digest, signingKey = merchant.signingKey } = parts
  const body = bytesOf(parts.body)
  const method = parts.method ?? (body ? 'POST' : 'GET')
  const target = parts.target ?? '/payments/initiate'
  const token = parts.token === undefined ? merchant.token : parts.token
  const signing = {
    created,
    ...(reading ? { reading } : {}),
    ...(encoding ? { encoding } : {}),
    ...(digest ? { digest } : {}),
  }
  const signature = await signRequest(
    { method, target, host, ...(body ? { body, contentType } : {}) },
    signingKey,
    signing,
  )
  return {
    method,
    target,
    headers: [
      ['Host', host],
      ...(token ? [['Authorization', `Bearer ${token}`] as [string, string]] : []),
      ...(method === 'POST' ? [['Idempotency-Key', key] as [string, string]] : []),
      ...(body ? [['Content-Type', contentType] as [string, string]] : []),
      ...Object.entries(signature),
    ],
    ...(body ? { body } : {}),
  }
}

const bytesOf = (body: RawRequestParts['body']): Buffer | undefined => {
  if (body === undefined || Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Copies a test's raw request with all headers of a name replaced by these values; none removes the header. */
export const withHeader = (message: RawRequest, name: string, ...values: string[]): RawRequest => ({
  ...message,
  headers: [
    ...message.headers.filter(([known]) => known.toLowerCase() !== name.toLowerCase()),
    ...values.map((value): [string, string] => [name, value]),
  ],
})

/** Returns the value of a header of a test's raw request, or the empty string. */
export const headerValue = ({ headers }: RawRequest, name: string): string =>
  headers.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1] ?? ''

/** Serializes a test's raw request to bytes; header values are Latin-1. */
export const serializeRequest = ({ method, target, version = '1.1', headers, body }: RawRequest): Buffer => {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/${version}\r\n${lines}\r\n`, 'latin1'),
    body ?? Buffer.alloc(0),
  ])
}
