import { openDelayLine } from './delay-line.ts'
import { firstKit, type Kit } from './kit.ts'
import { initiateOf, plainly, plainPool, securePool, send, signedWith, tokenFor } from './load.ts'
import type { Trips } from './replicas-table.ts'
import { middle } from './rounds.ts'
import { type AssayServer, type Keep, startAssay } from './servers.ts'

const DELAY_MS = 25
const CALLS = 20

/** How often one call waits for PostgreSQL: by how many delays of the line it is later. */
export const measureTrips = async (
  { dataDir, store, port }: { dataDir: string; store: string; port: number },
  keep: Keep,
): Promise<Trips> => {
  const line = await openDelayLine(port)
  try {
    const server = keep(await startAssay(dataDir, ['--store', store.replace(`:${port}/`, `:${line.port}/`)]))
    const { calls, close } = await callsOn(server, firstKit(dataDir))
    const trips: Trips = []
    for (const [name, call] of calls) {
      line.delay(0)
      const prompt = await middleOf(call)
      line.delay(DELAY_MS)
      const late = await middleOf(call)
      line.delay(0)
      trips.push({ name, trips: (late - prompt) / DELAY_MS })
    }
    await close()
    await server.stop()
    return trips
  } finally {
    line.close()
  }
}

/** Each on connections that are warm, one after the other. */
const callsOn = async (server: AssayServer, kit: Kit) => {
  const { processingAccountId, organizationId } = kit
  const prepare = signedWith(kit, await tokenFor(server.port, kit))
  const [pool, pages] = [securePool(server.port, 1, kit), plainPool(server.pagesPort, 1)]
  const api = async (path: string, body?: object) =>
    JSON.parse(await send(pool, await prepare({ method: body ? 'POST' : 'GET', path, body })))
  const control = async (path: string, body: object) =>
    send(pages, await plainly({ method: 'POST', path: `/control/organizations/${organizationId}${path}`, body }))
  const initiate = () => api('/payments/initiate', initiateOf(processingAccountId).body)

  const { code } = JSON.parse(await control('/blik/codes', {}))
  const { transactionId } = await api('/payments/initiate', blikOf(processingAccountId, code))
  await control(`/payments/${transactionId}/shopper`, { action: 'approve' })
  await api('/payments/finalize', { processingAccountId, transactionId })
  await control('/clock', { advance: 'PT1H' })
  const paymentDetails = { amount: 1, description: 'Bench' }
  const refund = { processingAccountId, transactionId, clientTransactionId: 'refund', paymentDetails }
  const calls = [
    ['initiate', initiate],
    ['status', () => api(`/payments/${transactionId}/status`)],
    ['refund', () => api('/payments/refund', refund)],
  ] as const satisfies readonly (readonly [string, () => Promise<unknown>])[]
  return { calls, close: () => Promise.all([pool.close(), pages.close()]) }
}

/** BLIK refunds part after part. */
const blikOf = (processingAccountId: string, oneTimeCode: string) => ({
  processingAccountId,
  clientTransactionId: 'refunded',
  transactionType: 'ONE_TIME',
  paymentDetails: { amount: 1_250, currency: 'PLN', country: 'PL', description: 'Bench', autoCapture: true },
  providerDetails: { providerId: 'BLIK' },
  payerDetails: { oneTimeCode },
})

const middleOf = async (call: () => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  for (let number = 0; number < CALLS; number += 1) {
    const start = performance.now()
    await call()
    times.push(performance.now() - start)
  }
  return middle(times.slice(CALLS / 4))
}
