import { describe, expect, test } from 'vitest'
import { REAL_TIME_SETTING } from '../../simulator/support/clock.ts'
import { controlClient, createMerchantOrganization } from '../support/control-client.ts'
import { irisRequest } from '../support/payment-requests.ts'
import { openCore, SHOP, START } from '../support/simulator-core.ts'
import {
  firstAccountOf,
  initiateIris,
  irisRequestOf,
  merchantOf,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

const DAY = 86_400_000

const begin = async () => {
  const simulator = await startScopedSimulator()
  return { simulator, ask: controlClient(simulator), ...(await createMerchantOrganization(simulator, 'shop')) }
}

describe('resetting an organization', () => {
  test('deletes its payments and settings and keeps its identity', async () => {
    const { simulator, ask, merchant, here, kit } = await begin()
    const others = merchantOf(simulator)
    const kept = await initiateIris(others)
    const empty = await contents(ask, here)
    const request = { ...irisRequestOf(merchant), clientTransactionId: 'order' }
    const key = 'one-key'
    const first = await merchant.initiate(request, { idempotencyKey: key })
    const id = (first.ok && first.body.transactionId) || ''
    await ask('POST', `${here}/blik/codes`)
    await ask('POST', `${here}/faults`, { operation: 'refund', kind: 'error' })
    await ask('POST', `${here}/webhooks`, { url: 'http://127.0.0.1:1/hook' })
    await ask('POST', `${here}/delivery-plans`, { do: 'duplicate' })
    await ask('PUT', `${here}/accounts/${firstAccountOf(merchant)}/capabilities`, { IRIS: { refund: false } })
    await ask('POST', `${here}/clock`, { advance: 'P2D' })
    await ask('POST', `${here}/clock`, { freeze: true })
    expect(await contents(ask, here)).not.toEqual(empty)

    const { status, body } = await ask('POST', `${here}/reset`)
    expect(status).toBe(200)
    expect(Math.abs(Date.parse(body.now) - Date.now())).toBeLessThan(10_000)
    expect(await contents(ask, here)).toEqual(empty)
    expect((await ask('GET', `${here}/clock`)).body).toMatchObject({ mode: 'real', next: null })
    expect((await ask('GET', `${here}/kit`)).body).toEqual(kit)
    expect((await merchant.status(id)).status).toBe(404)
    const again = await merchant.initiate({ ...request, clientTransactionId: 'another order' }, { idempotencyKey: key })
    expect([again.status, again.ok && again.body.transactionId !== id]).toEqual([200, true])
    expect((await others.status(kept)).status).toBe(200)
    expect((await ask('POST', `${here}/reset`, { hard: true })).status).toBe(400)
  })

  test('before a concurrent call is decided makes that call read the clock again', async () => {
    const { store, clock, call, control, events } = await openCore()
    await control.advance(SHOP, 30 * DAY)
    const { transact: perform } = store
    const overtaken: typeof perform = unit => {
      clock.set(SHOP, REAL_TIME_SETTING)
      return perform(unit)
    }
    Object.assign(store, { transact: overtaken })
    const { body } = await call('initiate', irisRequest())
    expect((await events(body.transactionId)).body.timeline[0].at).toBe(new Date(START).toISOString())
  })

  test('is atomic for each concurrent call: it comes before or after it', async () => {
    const { ask, merchant, here } = await begin()
    await ask('POST', `${here}/clock`, { advance: 'P30D' })
    await merchant.token()
    const calls = Array.from({ length: 30 }, () => merchant.initiate(irisRequestOf(merchant)))
    const answers = [...calls, ...Array.from({ length: 3 }, () => ask('POST', `${here}/reset`))]
    const last = Promise.all(answers)
    expect((await last).every(({ status }) => status === 200)).toBe(true)
    for (const call of await Promise.all(calls)) {
      const id = (call.ok && call.body.transactionId) || ''
      const seen = await merchant.status(id)
      expect([200, 404]).toContain(seen.status)
      const events = await merchant.events(id)
      expect(events.status).toBe(seen.status)
      if (events.ok) expect(Math.abs(Date.parse(events.body.timeline?.[0]?.at ?? '') - Date.now())).toBeLessThan(60_000)
    }
  })
})

describe('removing an organization', () => {
  test('deletes it with its credentials and frees its id', async () => {
    const { ask, merchant, here, kit } = await begin()
    const id = await initiateIris(merchant)
    const { secret } = (await ask('GET', `${here}/inbox`)).body
    expect(await ask('DELETE', here)).toEqual({ status: 200, body: { removed: 'shop' } })
    const refused = await merchant.status(id)
    expect([refused.status, !refused.ok && refused.refusal?.statusInfo?.reasonCode]).toEqual([400, '4980'])
    expect((await ask('GET', `${here}/kit`)).status).toBe(404)
    expect((await ask('DELETE', here)).status).toBe(404)
    const again = await ask('POST', 'organizations', { id: 'shop' })
    expect(again.status).toBe(201)
    expect(again.body.certificate).not.toBe(kit.certificate)
    expect((await ask('GET', `${here}/journal`)).body).toEqual({ calls: [] })
    expect((await ask('GET', `${here}/inbox`)).body.secret).not.toBe(secret)
    expect((await merchant.status(id)).status).toBe(400)
  })

  test('is refused for the demo merchant', async () => {
    const { ask } = await begin()
    const { status, body } = await ask('DELETE', 'organizations/demo-merchant')
    expect([status, body.error]).toEqual([409, expect.stringContaining('demo-merchant')])
    expect((await ask('GET', 'organizations/demo-merchant/kit')).status).toBe(200)
  })
})

const LISTS = ['faults', 'mocks', 'mandates', 'webhooks', 'deliveries', 'delivery-plans', 'inbox', 'journal']

/** Lists of an organization as control returns them, without the inbox secret. */
const contents = async (ask: ReturnType<typeof controlClient>, here: string) =>
  Promise.all(
    LISTS.map(async list => {
      const { body } = await ask('GET', `${here}/${list}`)
      const { secret: _, ...told } = body
      return told
    }),
  )
