import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Pool } from 'undici'
import { nowSeconds } from '../contracts/client/real-time.ts'
import { signRequest } from '../contracts/protocol/sign.ts'
import type { Kit } from './kit.ts'

/** One thing to be done over a connection that is free; it throws unless all of it was served. */
export type Work = (pool: Pool) => Promise<unknown>
export type Run = { seconds: number; latencies: number[] }

type Request = { method: 'GET' | 'POST'; path: string; body?: object | undefined }
export type Ready = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: Buffer }

/** Connections with the client's certificate, kept open between the rounds. */
export const securePool = (
  port: number,
  connections: number,
  { trusted, certificate, privateKey }: Pick<Kit, 'trusted' | 'certificate' | 'privateKey'>,
): Pool => {
  const connect = { ca: trusted, cert: certificate, key: privateKey, minVersion: 'TLSv1.3' } as const
  return new Pool(`https://localhost:${port}`, { connections, pipelining: 1, allowH2: false, connect })
}

export const plainPool = (port: number, connections: number): Pool =>
  new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 })

setFlagsFromString('--expose-gc')
/** Collects all garbage, now. */
const collect: () => void = runInNewContext('gc')

/**
 * Does the works over so many connections at once, each the next one as soon as it is free. What made the works ready is
 * collected before: a pause for it in between would be told as one of the server's.
 */
export const drive = async <Over = Pool>(
  pool: Over,
  works: readonly ((pool: Over) => Promise<unknown>)[],
  connections: number,
): Promise<Run> => {
  const latencies: number[] = []
  const waiting = works.values()
  const connection = async () => {
    for (const work of waiting) {
      const begun = performance.now()
      await work(pool)
      latencies.push(performance.now() - begun)
    }
  }
  collect()
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, connection))
  return { seconds: (performance.now() - start) / 1000, latencies }
}

/** What is not served ends the measurement: it would measure refusals. */
export const send = async (pool: Pool, { method, path, headers, body }: Ready): Promise<string> => {
  const response = await pool.request({ method, path, headers, ...(body ? { body } : {}) })
  const text = await response.body.text()
  const { statusCode } = response
  if (statusCode !== 200 && statusCode !== 201) throw new Error(`${path} answered ${statusCode}: ${text}`)
  return text
}

/** An initiate that needs no code. */
export const initiateOf = (processingAccountId: string): Request => ({
  method: 'POST',
  path: '/payments/initiate',
  body: {
    processingAccountId,
    clientTransactionId: `bench-${randomUUID()}`,
    returnUrl: 'https://shop.example/return',
    transactionType: 'ONE_TIME',
    paymentDetails: { amount: 1250, currency: 'EUR', country: 'GR', description: 'Bench' },
    providerDetails: { providerId: 'IRIS' },
    payerDetails: { payerId: 'payer-1' },
  },
})

/** How a call is made ready to be sent: with all three layers, or as it is. */
export type Prepare = (request: Request) => Promise<Ready>

export const plainly: Prepare = async ({ method, path, body }) => {
  const headers = { 'idempotency-key': randomUUID() }
  if (!body) return { method, path, headers }
  return { method, path, headers: { ...headers, 'content-type': JSON_TYPE }, body: bytesOf(body) }
}

/** Signed before it is sent; the port is not signed, so that two servers may get the same call. */
export const signedWith =
  (kit: Kit, token: string): Prepare =>
  async ({ method, path, body }) => {
    const more = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
    const ready = await signed({ method, path }, kit, body && { contentType: JSON_TYPE, body: bytesOf(body) })
    return { ...ready, headers: { ...ready.headers, ...more } }
  }

/** An access token for the two payment scopes (5.3). */
export const tokenFor = async (port: number, kit: Kit): Promise<string> => {
  const scope = 'payments:read payments:process'
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: kit.clientId, scope })
  const content = { contentType: 'application/x-www-form-urlencoded', body: Buffer.from(form.toString()) }
  const pool = securePool(port, 1, kit)
  const { access_token } = JSON.parse(
    await send(pool, await signed({ method: 'POST', path: '/auth/token' }, kit, content)),
  )
  await pool.close()
  return access_token
}

const JSON_TYPE = 'application/json'
const bytesOf = (body: object): Buffer => Buffer.from(JSON.stringify(body))

const signed = async (
  { method, path }: Omit<Request, 'body'>,
  { signingKey }: Kit,
  content?: { contentType: string; body: Buffer },
): Promise<Ready> => {
  const request = { method, target: path, host: 'localhost', ...content }
  const headers = await signRequest(request, signingKey, { created: nowSeconds() })
  if (!content) return { method, path, headers }
  return { method, path, headers: { 'content-type': content.contentType, ...headers }, body: content.body }
}
