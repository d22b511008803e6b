import { onTestFinished } from 'vitest'
import { createClock, REAL_TIME } from '../../simulator/clock.ts'
import { ROUTES } from '../../simulator/http/routes.ts'
import { createIds } from '../../simulator/ids.ts'
import { createJobs } from '../../simulator/jobs/jobs.ts'
import { createRunJob } from '../../simulator/jobs/run-job.ts'
import { createExecute } from '../../simulator/operations/execute.ts'
import type { OperationCall, Rules } from '../../simulator/operations/operation.ts'
import { createClockControl } from '../../simulator/operator/clock-control.ts'
import { type ArmedWish, createFaults } from '../../simulator/operator/faults.ts'
import { createPhones } from '../../simulator/operator/phones.ts'
import { createShopper } from '../../simulator/operator/shopper.ts'
import type { WireFault } from '../../simulator/providers/faults.ts'
import { Refusal, refusalBody } from '../../simulator/refusal.ts'
import { builtInCatalogue } from '../../simulator/scenarios/load.ts'
import { openWebhooks } from '../../simulator/webhooks/open-webhooks.ts'
import { newPair } from './identities.ts'
import { openTestStore } from './open-test-store.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const CATALOGUE = builtInCatalogue()

export const SERVICE_PAIR = newPair()
const SERVICE_KEY = SERVICE_PAIR.signingKey('service')

export const START = Date.UTC(2026, 0, 5, 12)

export const SHOP = 'shop'
export const ACCOUNT = 'shop-account-1'

/** Answers are read by name, so that a test can look at anything that may be in them. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests are about
export type Body = any
export type Told = { http: number; body: Body; text: string; replayed: boolean; wire?: WireFault | undefined }
type CallOptions = { key?: string; organizationId?: string }

export type Core = Awaited<ReturnType<typeof openCore>>

/** Everything of the simulator but HTTP and its layers, on a real database, with time that only the test moves. */
export const openCore = async (rules: Partial<Rules> = {}) => {
  const core = await coreIn(temporaryFolder(), rules)
  onTestFinished(core.close)
  return core
}

/** The same in a folder of the caller's, who closes it. */
export const coreIn = async (folder: string, rules: Partial<Rules> = {}) => {
  const time = { now: START, passed: 0 }
  const clock = createClock(
    () => time.now,
    () => time.passed,
  )
  const kept = await openTestStore(folder)
  const ids = createIds()
  const obeyed = { settleAfter: 2_000, irisValidity: 1_800_000, showLifecycle: true, scenarios: CATALOGUE, ...rules }
  const webhooks = openWebhooks({
    store: kept,
    clock,
    ids,
    key: () => SERVICE_KEY,
    dialect: {},
    showLifecycle: obeyed.showLifecycle,
    privateRanges: ['127.0.0.0/8', '::1'],
    timeoutMilliseconds: 2_000,
    scheduled: (organizationId, dueAt) => jobs.scheduled(organizationId, dueAt),
    onFault: error => {
      throw error
    },
  })
  const { store } = webhooks
  const jobs = createJobs(store, clock, createRunJob({ store, ids, rules: obeyed }), [webhooks.courier])
  const shopper = createShopper({ store, clock, ids, jobs })
  const phones = createPhones({ store, clock, ids })
  const faults = createFaults({ store })
  const control = createClockControl({ store, clock, jobs })
  const execute = createExecute({
    store,
    clock,
    ids,
    jobs,
    rules: obeyed,
  })
  for (const organizationId of [SHOP, 'other']) {
    if (await store.organization(organizationId)) continue
    await store.addOrganization({
      organizationId,
      accountIds: [`${organizationId}-account-1`, `${organizationId}-account-2`],
      clock: REAL_TIME,
      kit: '{}',
      certificates: [],
      signingKeys: [],
    })
  }

  const call = async (operation: string, request: object, options: CallOptions = {}): Promise<Told> => {
    const route = ROUTES.find(known => known.operation === operation)
    if (!route) throw new Error(`There is no operation ${operation}.`)
    const { organizationId = SHOP, key = ids.uuid() } = options
    const organization = await store.organization(organizationId)
    const described = {
      organizationId,
      accountIds: organization?.accountIds,
      capabilities: organization?.capabilities,
      operation,
      request,
      key: route.keyed ? key : undefined,
      callId: ids.uuid(),
      pagesUrl: 'http://pages.example',
    } as OperationCall
    return execute(described, route.registered).then(
      ({ http, body, contentType, replayed, wire }) => ({
        http,
        body: contentType === undefined ? JSON.parse(body || '{}') : body,
        text: body,
        replayed,
        ...(wire ? { wire } : {}),
      }),
      told,
    )
  }

  return {
    time,
    clock,
    store,
    ids,
    jobs,
    webhooks,
    shopper,
    phones,
    control,
    execute,
    call,
    /** Lets real time pass; what falls due happens with the next call, as in a running sandbox. */
    pass: (milliseconds: number) => {
      time.now += milliseconds
      time.passed += milliseconds
    },
    /** What the provider does wrong next (7.4, 7.5). */
    arm: (wish: ArmedWish) => faults.arm(SHOP, wish),
    code: async (organizationId = SHOP) => (await shopper.createCode(organizationId)).code,
    status: (transactionId: string) => call('status', { transactionId }),
    events: (transactionId: string) => call('events', { transactionId }),
    /** The shopper's decision, told as a call is told. */
    decide: (transactionId: string, action: 'approve' | 'decline') =>
      shopper
        .act(SHOP, transactionId, action)
        .then(view => ({ http: 200, body: view as Body, text: '', replayed: false }), told),
    close: async (): Promise<void> => {
      await webhooks.stop()
      jobs.stop()
      await store.close()
    },
  }
}

/** A refusal as the wire would tell it; everything else goes on. */
const told = (error: unknown): Told => {
  if (!(error instanceof Refusal)) throw error
  const text = JSON.stringify(refusalBody(error, 'none'))
  return { http: error.row.http, body: JSON.parse(text), text, replayed: false }
}
