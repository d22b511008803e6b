import { once } from 'node:events'
import { get } from 'node:http'
import type { Merchant, Shapes } from '../../contracts/client/index.ts'
import type { Organization, Sandbox } from '../../fixtures/sandbox.ts'
import { liveThrough } from '../../fixtures/seed/month.ts'

export type Scene = { sandbox: Sandbox; organization: Organization; merchant: Merchant }

export const DAYS = 3
const PER_DAY = 5
/** Addresses that people keep open: lists, forms, drawings, below that of the organization. */
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
/** Magic amounts (E2), of scenarios that decline, hang and come late. */
const AMOUNTS = [9_990_101, 9_990_301, 9_990_302]
const FAULTS = [
  { kind: 'timeout', done: 'yes' },
  { kind: 'error' },
  { kind: 'reset', done: 'yes' },
  { kind: 'locked' },
] as const

/**
 * Three days in the life of a sandbox: shoppers by both methods, some of whom decline, forget or get their money back; every fault that a
 * client gets over, scenarios, mocks; searches and reports; people at the portal; and an organization that comes and goes. The
 * answer is how many payments were begun.
 */
export const runLap = async (scene: Scene, lap: number): Promise<number> => {
  const { organization } = scene
  const lived = await liveThrough(organization, { days: DAYS, perDay: PER_DAY, seed: lap })
  const spoiled = await meetFaults(scene)
  await askForScenarios(scene)
  await read(scene)
  await lookAround(scene)
  await comeAndGo(scene)
  return lived + spoiled + AMOUNTS.length + 1
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

/** Each is armed for the next initiate, and the merchant's client gets over it by the rules of 7.4. */
const meetFaults = async ({ organization, merchant }: Scene): Promise<number> => {
  for (const fault of FAULTS) {
    await organization.faults.next({ operation: 'initiate', ...fault })
    await merchant.initiate(iris(organization)).catch(() => undefined) // a connection that breaks is no answer
  }
  await organization.faults.none()
  return FAULTS.length
}

const askForScenarios = async ({ organization, merchant }: Scene): Promise<void> => {
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

const read = async ({ merchant, organization }: Scene): Promise<void> => {
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

/** Pages of the portal, and a live stream that is left in the middle. */
const lookAround = async ({ sandbox, organization }: Scene): Promise<void> => {
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

/** A worker of CI: an organization of its own, a payment, and gone. */
const comeAndGo = async ({ sandbox }: Scene): Promise<void> => {
  const guest = await sandbox.create()
  const merchant = guest.merchant()
  const begun = await merchant.initiate(iris(guest))
  if (!begun.ok) throw new Error(`A payment of ${guest.id} was refused.`)
  merchant.close()
  await guest.remove()
}
