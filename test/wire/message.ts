import { randomUUID } from 'node:crypto'
import { type SigningKey, type SigningOptions, signRequest } from '../../contracts/protocol/sign.ts'
import type { Merchant } from './sandbox.ts'

/** One request as it goes over the wire; nothing is added and nothing is checked. */
export type Message = {
  method: string
  target: string
  version?: string
  headers: [name: string, value: string][]
  body?: Buffer
}

/** What a signed request is made of; all that is left out is what a good merchant would send. */
export type Parts = Partial<SigningOptions> & {
  merchant?: Merchant
  method?: string
  target?: string
  host?: string
  body?: string | Buffer | object
  contentType?: string
  token?: string | null
  key?: string
  signingKey?: SigningKey
}

/** A request with bearer token, idempotency key and signature (5); one without a body is a GET. */
export const signedMessage = async (parts: Parts & { merchant: Merchant; created: number }): Promise<Message> => {
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

const bytesOf = (body: Parts['body']): Buffer | undefined => {
  if (body === undefined || Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** The message with every header of this name replaced by these values; none removes it. */
export const withHeader = (message: Message, name: string, ...values: string[]): Message => ({
  ...message,
  headers: [
    ...message.headers.filter(([known]) => known.toLowerCase() !== name.toLowerCase()),
    ...values.map((value): [string, string] => [name, value]),
  ],
})

/** The value of a header that the message carries. */
export const headerIn = ({ headers }: Message, name: string): string =>
  headers.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1] ?? ''

/** The bytes of a message; header values may hold any octet, written as Latin-1. */
export const render = ({ method, target, version = '1.1', headers, body }: Message): Buffer => {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/${version}\r\n${lines}\r\n`, 'latin1'),
    body ?? Buffer.alloc(0),
  ])
}
