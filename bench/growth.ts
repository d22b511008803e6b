import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { createClock, REAL_TIME } from '../simulator/clock.ts'
import { ROUTES } from '../simulator/http/routes.ts'
import { createIds } from '../simulator/ids.ts'
import { createJobs } from '../simulator/jobs/jobs.ts'
import { createRunJob } from '../simulator/jobs/run-job.ts'
import { createExecute } from '../simulator/operations/execute.ts'
import type { OperationCall } from '../simulator/operations/operation.ts'
import type { Payment } from '../simulator/payments/payment.ts'
import { createCatalogue } from '../simulator/scenarios/catalogue.ts'
import { openSqliteStore } from '../simulator/store/sqlite/store.ts'
import type { Growth } from './growth-table.ts'

const SIZES = [1_000, 10_000, 100_000]
const MILLION = 1_000_000
const CALLS = 1_000
const WARM_UP = 1_000

const SHOP = 'shop'
const ACCOUNT = 'shop-account-1'
const request = {
  processingAccountId: ACCOUNT,
  clientTransactionId: 'order',
  returnUrl: 'https://shop.example/return',
  transactionType: 'ONE_TIME',
  paymentDetails: { amount: 1250, currency: 'EUR', country: 'GR', description: 'Bench' },
  providerDetails: { providerId: 'IRIS' },
  payerDetails: { payerId: 'payer-1' },
}

/** Measures reads and a write in one process, on a database that grows from size to size. */
export const measureGrowth = async (folder: string, sizes: readonly number[]): Promise<Growth> => {
  const shop = await openShop(mkdtempSync(join(folder, 'growth-')))
  const growth: Growth = []
  let filled = 0
  try {
    for (const payments of sizes) {
      for (; filled < payments; filled += 1) await shop.fill(filled)
      const anyOf = () => Math.floor(Math.random() * filled)
      const calls: Record<string, () => Promise<unknown>> = {
        'search by reference': () => shop.call('search', { clientTransactionId: `order-${anyOf()}` }),
        'newest page': () => shop.call('search', {}),
        status: () => shop.call('status', { transactionId: `payment-${anyOf()}` }),
        initiate: () => shop.call('initiate', request),
      }
      const microseconds: Record<string, number> = {}
      for (const [name, call] of Object.entries(calls)) microseconds[name] = await middleOf(call)
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
  const clock = createClock()
  const ids = createIds()
  const rules = { settleAfter: 2_000, irisValidity: 1_800_000, showLifecycle: true, scenarios: createCatalogue([]) }
  const store = openSqliteStore(folder)
  const jobs = createJobs(store, clock, createRunJob({ store, ids, rules }))
  const execute = createExecute({ store, clock, ids, jobs, rules })
  const accountIds = [ACCOUNT]
  const organization = { organizationId: SHOP, accountIds, clock: REAL_TIME, kit: '{}' }
  await store.addOrganization({ ...organization, certificates: [], signingKeys: [] })
  const call = async (operation: string, body: object): Promise<string> => {
    const route = ROUTES.find(known => known.operation === operation)
    if (!route) throw new Error(`There is no operation ${operation}.`)
    const described = { organizationId: SHOP, accountIds, capabilities: {}, operation, request: body, pagesUrl: '' }
    const key = route.keyed ? ids.uuid() : undefined
    const told = await execute({ ...described, key, callId: '' } as OperationCall, route.registered)
    if (told.http !== 200) throw new Error(`${operation} answered ${told.http} and not 200: ${told.body}`)
    return told.body
  }
  const { transactionId } = JSON.parse(await call('initiate', request))
  const look = { organizationId: SHOP, now: 0, needs: { transactionId } }
  const made = await store.perform({ ...look, decide: ({ payment }) => ({ result: payment }) })
  return {
    call,
    fill: (number: number) => save(store, settled(made as Payment, number)),
    close: async () => {
      jobs.stop()
      await store.close()
    },
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

const middleOf = async (call: () => Promise<unknown>): Promise<number> => {
  for (let number = 0; number < WARM_UP; number += 1) await call()
  const times: number[] = []
  for (let number = 0; number < CALLS; number += 1) {
    const start = performance.now()
    await call()
    times.push((performance.now() - start) * 1_000)
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
}
