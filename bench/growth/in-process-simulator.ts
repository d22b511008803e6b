import { OWN_REPORT_FORM } from '../../contracts/dialect/csv-report-form.ts'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { ROUTES } from '../../simulator/http/routes.ts'
import { createJobScheduler } from '../../simulator/jobs/job-scheduler.ts'
import { createExecute } from '../../simulator/operations/execute-call.ts'
import type { OperationCall } from '../../simulator/operations/operation-types.ts'
import { createRunJob } from '../../simulator/operations/run-job.ts'
import type { Payment } from '../../simulator/payments/payment.ts'
import { createScenarioCatalogue } from '../../simulator/scenarios/scenario-catalogue.ts'
import type { Store } from '../../simulator/store/store.ts'
import { createClock, REAL_TIME_SETTING } from '../../simulator/support/clock.ts'
import { createIds } from '../../simulator/support/ids.ts'
import { LIFETIMES } from '../../simulator/support/lifetimes.ts'

/** The simulator's operations over a store, called without HTTP, with one payment of the first organization. */
type InProcessSimulator = {
  /** Executes an operation; returns the body of its response, throws unless it has status 200. */
  call(operation: string, body: object, organizationId?: string): Promise<string>
  made: Payment
  close(): Promise<void>
}

/** Number of accounts that each organization of the growth measurement has. */
export const ACCOUNTS = 4

const accountsOf = (organizationId: string): string[] =>
  Array.from({ length: ACCOUNTS }, (_, at) => `${organizationId}-account-${at + 1}`)

export const initiateBodyOf = (organizationId: string) => ({
  processingAccountId: accountsOf(organizationId)[0],
  clientTransactionId: 'order',
  returnUrl: 'https://shop.example/return',
  transactionType: 'ONE_TIME',
  paymentDetails: { amount: 1250, currency: 'EUR', country: 'GR', description: 'Bench' },
  providerDetails: { providerId: 'IRIS' },
  payerDetails: { payerId: 'payer-1' },
})

export const openInProcessSimulator = async (store: Store, first: string): Promise<InProcessSimulator> => {
  const clock = createClock()
  const ids = createIds()
  const rules = {
    settleAfter: 2_000,
    irisValidity: 1_800_000,
    holdFor: LIFETIMES.hold,
    consentFor: LIFETIMES.consent,
    showLifecycle: true,
    scenarios: createScenarioCatalogue([]),
    reportForm: OWN_REPORT_FORM,
    choices: decisionChoices(),
  }
  const rulesOf = () => rules
  const jobs = createJobScheduler(store, clock, createRunJob({ store, ids, rulesOf }))
  const execute = createExecute({ store, clock, ids, jobs, rulesOf })
  const organization = { organizationId: first, accountIds: accountsOf(first), clock: REAL_TIME_SETTING, kit: '{}' }
  await store.addOrganization({ ...organization, certificates: [], signingKeys: [] })
  const call: InProcessSimulator['call'] = async (operation, body, organizationId = first) => {
    const route = ROUTES.find(known => known.operation === operation)
    if (!route) throw new Error(`There is no operation ${operation}.`)
    const accountIds = accountsOf(organizationId)
    const described = { organizationId, accountIds, capabilities: {}, operation, request: body, pagesUrl: '' }
    const key = route.keyed ? ids.uuid() : undefined
    const response = await execute({ ...described, key, callId: '' } as OperationCall, route.definition)
    if (response.http !== 200) throw new Error(`${operation} answered ${response.http} and not 200: ${response.body}`)
    return response.body
  }
  const { transactionId } = JSON.parse(await call('initiate', initiateBodyOf(first)))
  const look = { organizationId: first, now: 0, needs: { transactionId } }
  const made = await store.transact({ ...look, decide: ({ payment }) => ({ result: payment as Payment }) })
  const close = async () => {
    jobs.stop()
    await store.close()
  }
  return { call, made, close }
}
