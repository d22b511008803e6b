import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Payment } from '../../simulator/payments/payment.ts'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { seededRandom } from '../../test/support/seeded-random.ts'
import { median } from '../load/statistics.ts'
import type { Growth } from './growth-table.ts'
import { initiateBodyOf, openInProcessSimulator } from './in-process-simulator.ts'

const SIZES = [1_000, 10_000, 100_000]
const MILLION = 1_000_000
const CALLS = 1_000
const WARM_UP = 1_000

const SHOP = 'shop'

/** Measures reads and a write in one process, without HTTP, at each number of payments in the database. */
export const measureGrowth = async (folder: string, sizes: readonly number[]): Promise<Growth> => {
  const shop = await openShop(mkdtempSync(join(folder, 'growth-')))
  const growth: Growth = []
  const chance = seededRandom(1)
  let filled = 0
  try {
    for (const payments of sizes) {
      for (; filled < payments; filled += 1) await shop.fill(filled)
      const anyOf = () => chance.below(filled)
      const calls: Record<string, () => Promise<unknown>> = {
        'search by reference': () => shop.call('search', { clientTransactionId: `order-${anyOf()}` }),
        'newest page': () => shop.call('search', {}),
        status: () => shop.call('status', { transactionId: `payment-${anyOf()}` }),
        initiate: () => shop.call('initiate', initiateBodyOf(SHOP)),
      }
      const microseconds: Record<string, number> = {}
      for (const [name, call] of Object.entries(calls)) microseconds[name] = await medianMicroseconds(call)
      growth.push({ payments, microseconds })
    }
  } finally {
    await shop.close()
  }
  return growth
}

export const growthSizes = ({ quick, million }: { quick?: boolean | undefined; million?: boolean | undefined }) =>
  quick ? [100, 1_000] : million ? [...SIZES, MILLION] : SIZES

const openShop = async (folder: string) => {
  const store = openSqliteStore(folder)
  const { call, made, close } = await openInProcessSimulator(store, SHOP)
  return {
    call,
    fill: (number: number) => save(store, settled(made, number)),
    close,
  }
}

/** Creates a settled payment with its own id, reference and payer, one second after the payment before it. */
const settled = (made: Payment, number: number): Payment => {
  const { redirectId: _, ...provider } = made.provider
  return {
    ...made,
    transactionId: `payment-${number}`,
    clientTransactionId: `order-${number}`,
    payerId: `payer-${number % 1_000}`,
    provider,
    state: 'SETTLED',
    captured: made.amount,
    settled: made.amount,
    createdAt: made.createdAt - 1_000 * (MILLION - number),
  }
}

const save = (store: ReturnType<typeof openSqliteStore>, payment: Payment): Promise<void> => {
  const { state, statusInfo, createdAt: at } = payment
  const events = [{ type: 'payment.settled', cause: 'settle' as const, at, state, statusInfo }]
  const change = { payment, events, deadlines: [], ledgerEntries: [] }
  return store.transact({
    organizationId: SHOP,
    now: 0,
    needs: {},
    decide: () => ({ result: undefined, save: { change } }),
  })
}

/** Measures the median duration of a thousand calls, in microseconds, after a warm-up. */
const medianMicroseconds = async (call: () => Promise<unknown>): Promise<number> => {
  for (let number = 0; number < WARM_UP; number += 1) await call()
  const times: number[] = []
  for (let number = 0; number < CALLS; number += 1) {
    const start = performance.now()
    await call()
    times.push((performance.now() - start) * 1_000)
  }
  return median(times)
}
