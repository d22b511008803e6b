import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Pool } from 'undici'
import { nowSeconds } from '../../contracts/client/wall-clock.ts'
import { signRequest } from '../../contracts/protocol/sign-messages.ts'
import type { MerchantCredentials } from './read-merchant-credentials.ts'

/** A function that sends one unit of load over a pool of connections; throws unless every call is served. */
export type Work = (pool: Pool) => Promise<unknown>
export type LoadRun = { seconds: number; latencies: number[] }

type Request = { method: 'GET' | 'POST'; path: string; body?: object | undefined }
export type PreparedRequest = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: Buffer }

/** Opens a pool of TLS connections with the client's certificate, kept open between the rounds. */
export const securePool = (
  port: number,
  connections: number,
  { trusted, certificate, privateKey }: Pick<MerchantCredentials, 'trusted' | 'certificate' | 'privateKey'>,
): Pool => {
  const connect = { ca: trusted, cert: certificate, key: privateKey, minVersion: 'TLSv1.3' } as const
  return new Pool(`https://localhost:${port}`, { connections, pipelining: 1, allowH2: false, connect })
}

export const plainPool = (port: number, connections: number): Pool =>
  new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 })

setFlagsFromString('--expose-gc')
/** Runs a full garbage collection. */
const collect: () => void = runInNewContext('gc')

/**
 * Runs units of load over a number of connections, each taking the next one when it is free. Garbage is collected
 * first, so that a collection in between is not measured as latency of the server.
 */
export const runLoad = async <Over = Pool>(
  pool: Over,
  works: readonly ((pool: Over) => Promise<unknown>)[],
  connections: number,
): Promise<LoadRun> => {
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

/** Sends a request and returns the body; throws on any status but 200 and 201, which ends the measurement. */
export const sendPrepared = async (pool: Pool, { method, path, headers, body }: PreparedRequest): Promise<string> => {
  const response = await pool.request({ method, path, headers, ...(body ? { body } : {}) })
  const text = await response.body.text()
  const { statusCode } = response
  if (statusCode !== 200 && statusCode !== 201) throw new Error(`${path} answered ${statusCode}: ${text}`)
  return text
}

/** Creates the request to initiate an IRIS payment, which needs no one-time code. */
export const initiateRequestOf = (processingAccountId: string): Request => ({
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

/** A function that prepares a request for sending, with token and signature or without. */
export type Prepare = (request: Request) => Promise<PreparedRequest>

export const prepareUnsigned: Prepare = async ({ method, path, body }) => {
  const headers = { 'idempotency-key': randomUUID() }
  if (!body) return { method, path, headers }
  return { method, path, headers: { ...headers, 'content-type': JSON_TYPE }, body: bytesOf(body) }
}

/**
 * Creates the function that signs requests for the load generator; the port is not signed, so that two servers can get
 * the same call.
 */
export const prepareSigned =
  (kit: MerchantCredentials, token: string): Prepare =>
  async ({ method, path, body }) => {
    const more = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
    const ready = await signed({ method, path }, kit, body && { contentType: JSON_TYPE, body: bytesOf(body) })
    return { ...ready, headers: { ...ready.headers, ...more } }
  }

/** Requests an access token for the two payment scopes (5.3), for the load generator. */
export const requestToken = async (port: number, kit: MerchantCredentials): Promise<string> => {
  const scope = 'payments:read payments:process'
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: kit.clientId, scope })
  const content = { contentType: 'application/x-www-form-urlencoded', body: Buffer.from(form.toString()) }
  const pool = securePool(port, 1, kit)
  const { access_token } = JSON.parse(
    await sendPrepared(pool, await signed({ method: 'POST', path: '/auth/token' }, kit, content)),
  )
  await pool.close()
  return access_token
}

const JSON_TYPE = 'application/json'
const bytesOf = (body: object): Buffer => Buffer.from(JSON.stringify(body))

const signed = async (
  { method, path }: Omit<Request, 'body'>,
  { signingKey }: MerchantCredentials,
  content?: { contentType: string; body: Buffer },
): Promise<PreparedRequest> => {
  const request = { method, target: path, host: 'localhost', ...content }
  const headers = await signRequest(request, signingKey, { created: nowSeconds() })
  if (!content) return { method, path, headers }
  return { method, path, headers: { 'content-type': content.contentType, ...headers }, body: content.body }
}
