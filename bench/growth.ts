import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Payment } from '../simulator/payments/payment.ts'
import { openSqliteStore } from '../simulator/store/sqlite/store.ts'
import { seededChance } from '../test/support/chance.ts'
import type { Growth } from './growth-table.ts'
import { openInside, requestOf } from './inside.ts'
import { middle } from './rounds.ts'

const SIZES = [1_000, 10_000, 100_000]
const MILLION = 1_000_000
const CALLS = 1_000
const WARM_UP = 1_000

const SHOP = 'shop'

/** Measures reads and a write in one process, on a database that grows from size to size. */
export const measureGrowth = async (folder: string, sizes: readonly number[]): Promise<Growth> => {
  const shop = await openShop(mkdtempSync(join(folder, 'growth-')))
  const growth: Growth = []
  const chance = seededChance(1)
  let filled = 0
  try {
    for (const payments of sizes) {
      for (; filled < payments; filled += 1) await shop.fill(filled)
      const anyOf = () => chance.below(filled)
      const calls: Record<string, () => Promise<unknown>> = {
        'search by reference': () => shop.call('search', { clientTransactionId: `order-${anyOf()}` }),
        'newest page': () => shop.call('search', {}),
        status: () => shop.call('status', { transactionId: `payment-${anyOf()}` }),
        initiate: () => shop.call('initiate', requestOf(SHOP)),
      }
      const microseconds: Record<string, number> = {}
      for (const [name, call] of Object.entries(calls)) microseconds[name] = await microsecondsOf(call)
      growth.push({ payments, microseconds })
    }
  } finally {
    await shop.close()
  }
  return growth
}

export const sizesOf = ({ quick, million }: { quick?: boolean | undefined; million?: boolean | undefined }) =>
  quick ? [100, 1_000] : million ? [...SIZES, MILLION] : SIZES

const openShop = async (folder: string) => {
  const store = openSqliteStore(folder)
  const { call, made, close } = await openInside(store, SHOP)
  return {
    call,
    fill: (number: number) => save(store, settled(made, number)),
    close,
  }
}

/** A payment of its own name, reference and payer, long done: a second after the one before it. */
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
  const change = { payment, events, deadlines: [], postings: [] }
  return store.perform({
    organizationId: SHOP,
    now: 0,
    needs: {},
    decide: () => ({ result: undefined, save: { change } }),
  })
}

/** Microseconds of the middle one of a thousand calls. */
export const microsecondsOf = async (call: () => Promise<unknown>): Promise<number> => {
  for (let number = 0; number < WARM_UP; number += 1) await call()
  const times: number[] = []
  for (let number = 0; number < CALLS; number += 1) {
    const start = performance.now()
    await call()
    times.push((performance.now() - start) * 1_000)
  }
  return middle(times)
}
