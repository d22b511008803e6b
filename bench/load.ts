import { randomUUID } from 'node:crypto'
import { Pool } from 'undici'
import { signRequest } from '../contracts/protocol/sign.ts'
import type { Kit } from './kit.ts'

type Call = { path: string; headers: Record<string, string>; body: Buffer }
type Ports = { assay: { port: number }; floor: { port: number } }
export type Run = { seconds: number; latencies: number[] }
export type Round = { assay: Run; floor: Run }

/** Gives both servers the same signed calls in turns, and changes who is first, so that neither gains by its place. */
export async function compare(
  { connections, calls, rounds }: { connections: number; calls: number; rounds: number },
  { assay, floor }: Ports,
  kit: Kit,
  token: string,
): Promise<Round[]> {
  const pools = { assay: poolOf(assay.port, connections, kit), floor: poolOf(floor.port, connections, kit) }
  const results: Round[] = []
  for (let round = 0; round < rounds; round++) {
    const signed = await Promise.all(Array.from({ length: calls }, () => signedInitiate(kit, token)))
    const before = round % 2 === 0 ? undefined : await drive(pools.floor, signed, connections)
    const own = await drive(pools.assay, signed, connections)
    results.push({ assay: own, floor: before ?? (await drive(pools.floor, signed, connections)) })
  }
  await Promise.all([pools.assay.close(), pools.floor.close()])
  return results
}

/** An access token for the two payment scopes (5.3). */
export async function tokenFor(port: number, kit: Kit): Promise<string> {
  const scope = 'payments:read payments:process'
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: kit.clientId, scope })
  const call = await signed('/auth/token', 'application/x-www-form-urlencoded', Buffer.from(form.toString()), kit)
  const pool = poolOf(port, 1, kit)
  const { access_token } = JSON.parse(await send(pool, call))
  await pool.close()
  return access_token
}

/** Connections with the client's certificate, kept open between the rounds. */
function poolOf(port: number, connections: number, { trusted, certificate, privateKey }: Kit): Pool {
  const connect = { ca: trusted, cert: certificate, key: privateKey, minVersion: 'TLSv1.3' } as const
  return new Pool(`https://localhost:${port}`, { connections, pipelining: 1, allowH2: false, connect })
}

/** Sends the calls over as many connections as the pool has, each the next one as soon as it is free. */
async function drive(pool: Pool, calls: readonly Call[], connections: number): Promise<Run> {
  const latencies: number[] = []
  const waiting = calls.values()
  const connection = async () => {
    for (const call of waiting) {
      const sent = performance.now()
      await send(pool, call)
      latencies.push(performance.now() - sent)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, connection))
  return { seconds: (performance.now() - start) / 1000, latencies }
}

/** Anything but 200 ends the measurement: it would measure refusals. */
async function send(pool: Pool, { path, headers, body }: Call): Promise<string> {
  const response = await pool.request({ method: 'POST', path, headers, body })
  const text = await response.body.text()
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode} and not 200: ${text}`)
  return text
}

/** An initiate that needs no code, signed before the clock runs; the port is not signed, so both servers accept it. */
async function signedInitiate(kit: Kit, token: string): Promise<Call> {
  const payment = {
    processingAccountId: kit.processingAccountId,
    clientTransactionId: `bench-${randomUUID()}`,
    returnUrl: 'https://shop.example/return',
    transactionType: 'ONE_TIME',
    paymentDetails: { amount: 1250, currency: 'EUR', country: 'GR', description: 'Bench' },
    providerDetails: { providerId: 'IRIS' },
    payerDetails: { payerId: 'payer-1' },
  }
  const call = await signed('/payments/initiate', 'application/json', Buffer.from(JSON.stringify(payment)), kit)
  const more = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
  return { ...call, headers: { ...call.headers, ...more } }
}

async function signed(path: string, contentType: string, body: Buffer, { signingKey }: Kit): Promise<Call> {
  const request = { method: 'POST', target: path, host: 'localhost', contentType, body }
  const headers = await signRequest(request, signingKey, { created: Math.floor(Date.now() / 1000) })
  return { path, headers: { 'content-type': contentType, ...headers }, body }
}
