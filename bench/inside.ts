import { createClock, REAL_TIME } from '../simulator/clock.ts'
import { ROUTES } from '../simulator/http/routes.ts'
import { createIds } from '../simulator/ids.ts'
import { createJobs } from '../simulator/jobs/jobs.ts'
import { createRunJob } from '../simulator/jobs/run-job.ts'
import { createExecute } from '../simulator/operations/execute.ts'
import type { OperationCall } from '../simulator/operations/operation.ts'
import type { Payment } from '../simulator/payments/payment.ts'
import { createCatalogue } from '../simulator/scenarios/catalogue.ts'
import type { Store } from '../simulator/store/port.ts'

/** The service without HTTP over a store, and the payment that one organization has made there. */
export type Inside = {
  /** Throws unless it is served. */
  call(operation: string, body: object, organizationId?: string): Promise<string>
  made: Payment
  close(): Promise<void>
}

/** Accounts of each organization. */
export const ACCOUNTS = 4

const accountsOf = (organizationId: string): string[] =>
  Array.from({ length: ACCOUNTS }, (_, at) => `${organizationId}-account-${at + 1}`)

export const requestOf = (organizationId: string) => ({
  processingAccountId: accountsOf(organizationId)[0],
  clientTransactionId: 'order',
  returnUrl: 'https://shop.example/return',
  transactionType: 'ONE_TIME',
  paymentDetails: { amount: 1250, currency: 'EUR', country: 'GR', description: 'Bench' },
  providerDetails: { providerId: 'IRIS' },
  payerDetails: { payerId: 'payer-1' },
})

export const openInside = async (store: Store, first: string): Promise<Inside> => {
  const clock = createClock()
  const ids = createIds()
  const rules = { settleAfter: 2_000, irisValidity: 1_800_000, showLifecycle: true, scenarios: createCatalogue([]) }
  const jobs = createJobs(store, clock, createRunJob({ store, ids, rules }))
  const execute = createExecute({ store, clock, ids, jobs, rules })
  const organization = { organizationId: first, accountIds: accountsOf(first), clock: REAL_TIME, kit: '{}' }
  await store.addOrganization({ ...organization, certificates: [], signingKeys: [] })
  const call: Inside['call'] = async (operation, body, organizationId = first) => {
    const route = ROUTES.find(known => known.operation === operation)
    if (!route) throw new Error(`There is no operation ${operation}.`)
    const accountIds = accountsOf(organizationId)
    const described = { organizationId, accountIds, capabilities: {}, operation, request: body, pagesUrl: '' }
    const key = route.keyed ? ids.uuid() : undefined
    const told = await execute({ ...described, key, callId: '' } as OperationCall, route.registered)
    if (told.http !== 200) throw new Error(`${operation} answered ${told.http} and not 200: ${told.body}`)
    return told.body
  }
  const { transactionId } = JSON.parse(await call('initiate', requestOf(first)))
  const look = { organizationId: first, now: 0, needs: { transactionId } }
  const made = await store.perform({ ...look, decide: ({ payment }) => ({ result: payment as Payment }) })
  const close = async () => {
    jobs.stop()
    await store.close()
  }
  return { call, made, close }
}
