import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createBlikApp } from '../../fixtures/blik-app.ts'
import { connectSandbox, type Organization } from '../../fixtures/connect-sandbox.ts'
import { sandboxFixtures } from '../../fixtures/playwright-fixtures.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'

let simulator: TestSimulator
let organization: Organization

beforeAll(async () => {
  simulator = await startTestSimulator()
  organization = await connectSandbox({ url: simulator.pagesUrl }).create()
})
afterAll(() => simulator.stop())

const control = async (path: string) =>
  (await fetch(`${simulator.pagesUrl}/control/organizations/${organization.id}/${path}`)).json()

/** Runs a test that uses one fixture, as Playwright does. */
const useFixture = async <Name extends 'clock' | 'faults' | 'webhooks'>(
  name: Name,
  use: (fixture: Organization[Name]) => Promise<unknown>,
) => {
  const fixture = sandboxFixtures[name] as unknown as (
    given: object,
    use: (one: Organization[Name]) => unknown,
  ) => unknown
  await fixture({ organization }, use)
}

test('what a test does to faults, delivery plans and the pace of the clock ends with the test', async () => {
  await useFixture('faults', faults => faults.next({ operation: 'finalize', kind: 'error' }))
  await useFixture('webhooks', webhooks => webhooks.plan({ do: 'duplicate' }))
  expect(await control('faults')).toEqual({ faults: [] })
  expect(await control('delivery-plans')).toEqual({ deliveryPlans: [] })
  for (const change of [
    (clock: Organization['clock']) => clock.freeze(),
    (clock: Organization['clock']) => clock.scale(60),
  ]) {
    await useFixture('clock', change)
    expect(await control('clock')).toMatchObject({ mode: 'real' })
  }
})

test('in a drill the tests use its organization, which stays; else each worker has one of its own', async () => {
  const organizationOf = async (sandbox: object): Promise<string> => {
    const [fixture] = sandboxFixtures.organization as unknown as [
      (given: object, use: (one: Organization) => void) => Promise<void>,
    ]
    const used: string[] = []
    await fixture({ sandbox: { url: simulator.pagesUrl, ...sandbox } }, ({ id }) => void used.push(id))
    return used.join()
  }
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('ASSAY_ORGANIZATION', organization.id)
  expect(await organizationOf({})).toBe(organization.id)
  expect(await organizationOf({ organization: 'demo-merchant' })).toBe('demo-merchant')
  vi.stubEnv('ASSAY_ORGANIZATION', undefined)
  const own = await organizationOf({})
  expect(await connectSandbox({ url: simulator.pagesUrl }).organizations()).toEqual(
    expect.arrayContaining([organization.id, 'demo-merchant']),
  )
  expect(await connectSandbox({ url: simulator.pagesUrl }).organizations()).not.toContain(own)
})

test('approve takes the payment that waits for the shopper, not one that an invalid code began', async () => {
  const merchant = organization.merchant()
  const [processingAccountId = ''] = organization.kit.processingAccountIds
  const pay = async (oneTimeCode: string) => {
    const started = await merchant.initiate({
      processingAccountId,
      clientTransactionId: 'order-1',
      transactionType: 'ONE_TIME',
      paymentDetails: { amount: 1_999, currency: 'PLN', country: 'PL', description: 'A payment' },
      providerDetails: { providerId: 'BLIK' },
      payerDetails: { oneTimeCode },
    })
    return started.ok ? started.body.transactionId : undefined
  }
  const code = await organization.blik.code()
  const [mistyped, right] = [await pay('000000'), await pay(code)]
  expect(mistyped).toBeDefined()
  expect(await organization.blik.approve()).toBe(right)
  merchant.close()
})

test('approve waits 10 s for a payment, however long a sandbox far away takes to respond', async () => {
  let now = 0
  let looks = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => void vi.restoreAllMocks())
  const since = async () => {
    looks += 1
    now += 1_000
    return []
  }
  const app = createBlikApp({} as never, 'far-away', { newest: async () => undefined, since })
  await expect(app.approve()).rejects.toThrow('No shop has used the code yet')
  expect(looks).toBe(10)
})
