import { once } from 'node:events'
import { get } from 'node:http'
import type { Merchant, Shapes } from '../../contracts/client/index.ts'
import type { Organization, Sandbox } from '../../fixtures/connect-sandbox.ts'
import { seedPayments } from '../../fixtures/seed/seed-payments.ts'

export type LapContext = { sandbox: Sandbox; organization: Organization; merchant: Merchant }

export const DAYS = 3
const PER_DAY = 5
/** Portal pages to open, relative to the organization's page. */
const PAGES = [
  '',
  '/payments',
  '/journal',
  '/scenarios',
  '/conduct',
  '/clock',
  '/webhooks',
  '/inbox',
  '/reports',
  '/identities',
]
/** Magic amounts (E2) of scenarios that decline, time out and settle late. */
const AMOUNTS = [9_990_101, 9_990_301, 9_990_302]
const FAULTS = [
  { kind: 'timeout', done: 'yes' },
  { kind: 'error' },
  { kind: 'reset', done: 'yes' },
  { kind: 'locked' },
] as const

/**
 * Runs three days of mixed load on a soaked sandbox: payments, faults, scenarios, mocks, searches, reports, portal
 * pages, and an organization that is created and removed. Returns the number of initiated payments.
 */
export const runLap = async (scene: LapContext, lap: number): Promise<number> => {
  const { organization } = scene
  const { payments } = await seedPayments(organization, { days: DAYS, perDay: PER_DAY, seed: lap })
  const spoiled = await meetFaults(scene)
  await askForScenarios(scene)
  await read(scene)
  await lookAround(scene)
  await comeAndGo(scene)
  return payments + spoiled + AMOUNTS.length + 1
}

const iris = (organization: Organization, amount = 1_250): Shapes['InitiateRequest'] => ({
  processingAccountId: organization.kit.processingAccountIds[0] ?? '',
  clientTransactionId: 'soak',
  returnUrl: 'https://shop.example/thanks',
  transactionType: 'ONE_TIME',
  paymentDetails: { amount, currency: 'EUR', country: 'GR', description: 'Soak' },
  providerDetails: { providerId: 'IRIS' },
  payerDetails: { payerId: 'soaked' },
})

/** Injects each fault into one initiate call, which the merchant's client retries by the rules of 7.4. */
const meetFaults = async ({ organization, merchant }: LapContext): Promise<number> => {
  for (const fault of FAULTS) {
    await organization.faults.next({ operation: 'initiate', ...fault })
    await merchant.initiate(iris(organization)).catch(() => undefined) // a reset connection gives no response
  }
  await organization.faults.none()
  return FAULTS.length
}

const askForScenarios = async ({ organization, merchant }: LapContext): Promise<void> => {
  for (const amount of AMOUNTS) {
    const begun = await merchant.initiate(iris(organization, amount))
    if (begun.ok) await organization.shopper.approve(begun.body.transactionId).catch(() => undefined) // it ended first
  }
  const [processingAccountId = ''] = organization.kit.processingAccountIds
  await merchant.mockSet({
    processingAccountId,
    key: { type: 'PAYER_ID', value: 'soaked' },
    type: 'MOCK',
    scenario: 'OK',
    oneTime: true,
  })
  await merchant.initiate(iris(organization))
}

const read = async ({ merchant, organization }: LapContext): Promise<void> => {
  const found = await merchant.search({ clientTransactionId: 'soak' })
  await merchant.providers({})
  const [newest] = await organization.payments.since()
  if (!found.ok || !newest) throw new Error('A search was refused, or found nothing that was paid just now.')
  await merchant.status(newest.transactionId)
  await merchant.events(newest.transactionId)
  await organization.timeline(newest.transactionId)
  const to = await organization.clock.now()
  const from = new Date(to.getTime() - DAYS * 86_400_000)
  const days = [from, to].map(day => day.toISOString().slice(0, 10)) as [string, string]
  await merchant.reports({ from: days[0], to: days[1] })
}

/** Opens the portal's pages, and a live stream that is closed while it runs. */
const lookAround = async ({ sandbox, organization }: LapContext): Promise<void> => {
  for (const page of [
    '/',
    '/portal/organizations',
    ...PAGES.map(name => `/portal/organizations/${organization.id}${name}`),
  ]) {
    const answer = await fetch(sandbox.url + page)
    await answer.text()
    if (!answer.ok) throw new Error(`${page} answered ${answer.status}.`)
  }
  const stream = get(`${sandbox.url}/control/organizations/${organization.id}/journal/stream`)
  await once(stream, 'response')
  stream.destroy()
}

/** Creates an organization, makes a payment and removes it, as a CI worker does. */
const comeAndGo = async ({ sandbox }: LapContext): Promise<void> => {
  const guest = await sandbox.create()
  const merchant = guest.merchant()
  const begun = await merchant.initiate(iris(guest))
  if (!begun.ok) throw new Error(`A payment of ${guest.id} was refused.`)
  merchant.close()
  await guest.remove()
}
