import {
  initiateRequestOf,
  plainPool,
  prepareSigned,
  prepareUnsigned,
  requestToken,
  securePool,
  sendPrepared,
} from '../load/http-load.ts'
import { type MerchantCredentials, readDemoCredentials } from '../load/read-merchant-credentials.ts'
import { type AssayServer, type KeepServer, startAssay } from '../load/start-servers.ts'
import { median } from '../load/statistics.ts'
import { openDelayProxy } from './delay-proxy.ts'
import type { RoundTrips } from './replicas-table.ts'

const DELAY_MS = 25
const CALLS = 20

/** Measures the round trips to PostgreSQL of each call, by the time that a delayed connection adds. */
export const measureRoundTrips = async (
  { dataDir, store, port }: { dataDir: string; store: string; port: number },
  keep: KeepServer,
): Promise<RoundTrips> => {
  const line = await openDelayProxy(port)
  try {
    const server = keep(await startAssay(dataDir, ['--store', store.replace(`:${port}/`, `:${line.port}/`)]))
    const { calls, close } = await callsOn(server, readDemoCredentials(dataDir))
    const trips: RoundTrips = []
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

/** Creates the API calls to measure, over warm connections. */
const callsOn = async (server: AssayServer, kit: MerchantCredentials) => {
  const { processingAccountId, organizationId } = kit
  const prepare = prepareSigned(kit, await requestToken(server.port, kit))
  const [pool, pages] = [securePool(server.port, 1, kit), plainPool(server.pagesPort, 1)]
  const api = async (path: string, body?: object) =>
    JSON.parse(await sendPrepared(pool, await prepare({ method: body ? 'POST' : 'GET', path, body })))
  const control = async (path: string, body: object) =>
    sendPrepared(
      pages,
      await prepareUnsigned({ method: 'POST', path: `/control/organizations/${organizationId}${path}`, body }),
    )
  const initiate = () => api('/payments/initiate', initiateRequestOf(processingAccountId).body)

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

/** Creates the request to initiate a BLIK payment, which can be refunded in parts. */
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
  return median(times.slice(CALLS / 4))
}
