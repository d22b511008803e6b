import { onTestFinished } from 'vitest'
import { OWN_REPORT_FORM } from '../../contracts/dialect/csv-report-form.ts'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { createDialect } from '../../contracts/dialect/dialect.ts'
import { ROUTES } from '../../simulator/http/routes.ts'
import { createExecute } from '../../simulator/operations/execute-call.ts'
import type { OperationCall, OperationRules } from '../../simulator/operations/operation-types.ts'
import type { ScriptNote } from '../../simulator/operations/scenario-and-faults-of-call.ts'
import { createClockControl } from '../../simulator/organizations/clock-control.ts'
import type { ResponseFault } from '../../simulator/providers/fault-kinds.ts'
import { type ArmedFaultInput, createFaultRegistry } from '../../simulator/scenarios/armed-fault-registry.ts'
import { createBuiltInCatalogue } from '../../simulator/scenarios/open-scenario-catalogue.ts'
import { createPhoneRegistry } from '../../simulator/shoppers/phone-registry.ts'
import { createShopperActions } from '../../simulator/shoppers/shopper-actions.ts'
import { startWebhooksAndJobs } from '../../simulator/startup/start-webhooks-and-jobs.ts'
import { createClock, REAL_TIME_SETTING } from '../../simulator/support/clock.ts'
import { createDialectRegistry } from '../../simulator/support/dialect-registry.ts'
import { createIds } from '../../simulator/support/ids.ts'
import { LIFETIMES } from '../../simulator/support/lifetimes.ts'
import { Refusal, refusalReply } from '../../simulator/support/refusal.ts'
import { createCommitListeners } from '../../simulator/webhooks/commit-listeners.ts'
import { withOutbox } from '../../simulator/webhooks/outbox.ts'
import type { SendWebhook } from '../../simulator/webhooks/send-webhook.ts'
import { newKeyPair } from './generate-keys-and-certificates.ts'
import { openTestStore } from './open-test-store.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const CATALOGUE = createBuiltInCatalogue()

export const SERVICE_PAIR = newKeyPair()
const SERVICE_KEY = SERVICE_PAIR.signingKey('service')

export const START = Date.UTC(2026, 0, 5, 12)

export const SHOP = 'shop'
export const ACCOUNT = 'shop-account-1'

/** Body of a response as tests read it: any member by its name. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests are about
export type ResponseBody = any
export type CallResult = {
  http: number
  body: ResponseBody
  text: string
  replayed: boolean
  wire?: ResponseFault | undefined
  script?: ScriptNote | undefined
}
type CallOptions = { key?: string; organizationId?: string }

export type SimulatorCore = Awaited<ReturnType<typeof openCore>>

/**
 * Opens the simulator's core for a test, without HTTP, on a real database, with a clock that only the test moves;
 * closed with the test. `post` takes
 * webhooks in place of the network.
 */
export const openCore = async (rules: Partial<OperationRules> = {}, post?: SendWebhook) => {
  const core = await openCoreIn(temporaryFolder(), rules, post)
  onTestFinished(core.close)
  return core
}

/** Opens the simulator's core without HTTP in the caller's folder; the caller closes it. */
export const openCoreIn = async (folder: string, rules: Partial<OperationRules> = {}, post?: SendWebhook) => {
  const time = { now: START, passed: 0 }
  const clock = createClock(
    () => time.now,
    () => time.passed,
  )
  const ids = createIds()
  const obeyed = {
    settleAfter: 2_000,
    irisValidity: 1_800_000,
    holdFor: LIFETIMES.hold,
    consentFor: LIFETIMES.consent,
    showLifecycle: true,
    scenarios: CATALOGUE,
    reportForm: OWN_REPORT_FORM,
    choices: decisionChoices(),
    numericIds: false,
    sumsInStatus: false,
    ...rules,
  }
  const commits = createCommitListeners()
  const formOf = () => ({ ...obeyed, write: (body: object) => body })
  const store = withOutbox(await openTestStore(folder), { ids, real: clock.real, formOf, commits })
  const dialects = createDialectRegistry(createDialect())
  const closing = new AbortController()
  const { webhooks, jobs } = startWebhooksAndJobs({
    store,
    commits,
    clock,
    ids,
    rulesOf: () => obeyed,
    key: SERVICE_KEY,
    dialect: {},
    dialects,
    privateRanges: ['127.0.0.0/8', '::1'],
    timeoutMilliseconds: 2_000,
    post,
    closing: closing.signal,
    observer: { job: () => undefined, attempt: () => undefined },
    onError: error => {
      throw error
    },
  })
  const shopper = createShopperActions({ store, clock, ids, jobs, rulesOf: () => obeyed })
  const phones = createPhoneRegistry({ store, clock, ids })
  const faults = createFaultRegistry({ store })
  const control = createClockControl({ store, clock, jobs })
  const execute = createExecute({
    store,
    clock,
    ids,
    jobs,
    rulesOf: () => obeyed,
  })
  for (const organizationId of [SHOP, 'other']) {
    if (await store.organization(organizationId)) continue
    await store.addOrganization({
      organizationId,
      accountIds: [`${organizationId}-account-1`, `${organizationId}-account-2`],
      clock: REAL_TIME_SETTING,
      kit: '{}',
      certificates: [],
      signingKeys: [],
    })
  }

  const call = async (operation: string, request: object, options: CallOptions = {}): Promise<CallResult> => {
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
    return execute(described, route.definition).then(
      ({ http, body, contentType, replayed, wire, script }) => ({
        http,
        body: contentType === undefined ? JSON.parse(body || '{}') : body,
        text: body,
        replayed,
        ...(wire ? { wire } : {}),
        ...(script && Object.keys(script).length > 0 ? { script } : {}),
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
    dialects,
    shopper,
    phones,
    control,
    execute,
    call,
    /** Moves real time on; due jobs run with the next call, as in a running sandbox. */
    pass: (milliseconds: number) => {
      time.now += milliseconds
      time.passed += milliseconds
    },
    /** Injects a fault into the next provider call (7.4, 7.5). */
    arm: (wish: ArmedFaultInput) => faults.arm(SHOP, wish),
    code: async (organizationId = SHOP) => (await shopper.createCode(organizationId)).code,
    status: (transactionId: string) => call('status', { transactionId }),
    events: (transactionId: string) => call('events', { transactionId }),
    /** Decides a payment as its shopper; the result has the shape of a call's. */
    decide: (transactionId: string, action: 'approve' | 'decline', organizationId = SHOP) =>
      shopper
        .act(organizationId, transactionId, action)
        .then(view => ({ http: 200, body: view as ResponseBody, text: '', replayed: false }), told),
    close: async (): Promise<void> => {
      closing.abort()
      await webhooks.dispatcher.settled()
      jobs.stop()
      await store.close()
    },
  }
}

/** Converts the error of a refused call into a call result; any other error is rethrown. */
const told = (error: unknown): CallResult => {
  if (!(error instanceof Refusal)) throw error
  const { http, body: text } = refusalReply(error, 'none', decisionChoices())
  return { http, body: JSON.parse(text), text, replayed: false }
}
