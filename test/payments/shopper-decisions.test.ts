import { describe, expect, test } from 'vitest'
import { DECLINES } from '../../contracts/protocol/decline-reasons.ts'
import { BLIK_BANKS } from '../../simulator/providers/blik-banks.ts'
import { BANK_DECLINE_REASONS, type ShopperDecision } from '../../simulator/providers/shopper-decision.ts'
import { createShopperActions } from '../../simulator/shoppers/shopper-actions.ts'
import { SECOND } from '../../simulator/support/duration.ts'
import { createPaymentIn, startBlik, startIris, stateOf } from '../support/create-test-payments.ts'
import { actionRequest, blikRequest, chargeRequest, passthroughMock } from '../support/payment-requests.ts'
import { openCore, SHOP, type SimulatorCore, START } from '../support/simulator-core.ts'

const decide = (core: SimulatorCore, id: string, { action, ...how }: ShopperDecision) =>
  core.shopper.act(SHOP, id, action, how)

const whatIsTold = async (core: SimulatorCore, id: string) => {
  const { status, statusInfo, providerDetails } = (await core.events(id)).body
  return [status, statusInfo.reasonCode, providerDetails.providerStatusInfo?.reasonCode]
}

describe('7.2, 7.5, D-104: declines by the bank and expiry', () => {
  test('a decline by the bank has the reason code of its cause and no provider code', async () => {
    const core = await openCore()
    for (const cause of BANK_DECLINE_REASONS) {
      const id = await startBlik(core)
      expect(await decide(core, id, { action: 'decline', cause })).toMatchObject({ outcome: 'declined', cause })
      expect(await whatIsTold(core, id)).toEqual(['DECLINED', DECLINES[cause].reasonCode, undefined])
    }
    const atBank = await startIris(core)
    await decide(core, atBank, { action: 'decline', cause: 'INSUFFICIENT_FUNDS' })
    expect(await whatIsTold(core, atBank)).toEqual(['DECLINED', '1001', undefined])
  })

  test('a decline by the shopper has the provider code and no cause', async () => {
    const core = await openCore()
    const id = await startBlik(core)
    expect(await decide(core, id, { action: 'decline' })).not.toHaveProperty('cause')
    expect(await whatIsTold(core, id)).toEqual(['DECLINED', '2001', '3002'])
  })

  test.each([
    [startBlik, '3003'],
    [startIris, 'TIMEOUT'],
  ])('R6, R7: lapse expires the payment like the end of the window, which then has no effect', async (start, code) => {
    const core = await openCore()
    const id = await start(core)
    expect(await decide(core, id, { action: 'lapse' })).toMatchObject({ outcome: 'expired' })
    expect(await whatIsTold(core, id)).toEqual(['DECLINED', '2000', code])
    core.pass(3_600 * SECOND)
    const types = (await core.events(id)).body.timeline.map(({ type }: { type: string }) => type)
    expect(types).toEqual(['payment.initiated', 'payment.expired'])
  })

  test('R5: a second decision is refused', async () => {
    const core = await openCore()
    const late: ShopperDecision[] = [{ action: 'lapse' }, { action: 'decline', cause: 'INSUFFICIENT_FUNDS' }]
    for (const decision of late) {
      const id = await startBlik(core)
      await decide(core, id, { action: 'approve' })
      await expect(decide(core, id, decision)).rejects.toThrow(
        'The shopper has nothing to decide any more, as the payment is AUTHENTICATED: begin another one.',
      )
      expect(await stateOf(core, id)).toBe('AUTHENTICATED')
    }
  })

  test('E3: a cause given with the decision takes precedence over the mock', async () => {
    const core = await openCore()
    await core.call('mockSet', passthroughMock('RISK_REJECTED'))
    const id = await startBlik(core)
    await decide(core, id, { action: 'decline', cause: 'AMOUNT_LIMIT_EXCEEDED' })
    expect(await whatIsTold(core, id)).toEqual(['DECLINED', '1003', undefined])
  })
})

describe('D-39: a payment that the shop cancels', () => {
  const cancelIn = async (state: 'AWAITING_SHOPPER' | 'AUTHENTICATED' | 'AUTHORIZED') => {
    const core = await openCore()
    const id = await createPaymentIn(core, state)
    expect((await core.call('cancel', actionRequest(id))).http).toBe(200)
    return core.shopper.view(SHOP, id)
  }

  test.each(['AUTHENTICATED', 'AUTHORIZED'] as const)(
    'in %s was approved, and is told to be cancelled',
    async state => {
      expect(await cancelIn(state)).toMatchObject({ outcome: 'approved', released: 'canceled' })
    },
  )

  test('before the decision has that for its outcome', async () => {
    const seen = await cancelIn('AWAITING_SHOPPER')
    expect(seen).toMatchObject({ outcome: 'canceled' })
    expect(seen).not.toHaveProperty('released')
  })
})

describe('R3: a payment that the shop lets expire', () => {
  test.each(['AUTHENTICATED', 'AUTHORIZED'] as const)(
    'in %s was approved, and is told to be uncollected',
    async state => {
      const core = await openCore()
      const id = await createPaymentIn(core, state)
      core.pass(30 * 86_400 * SECOND)
      expect(await stateOf(core, id)).toBe('EXPIRED')
      expect(await core.shopper.view(SHOP, id)).toMatchObject({ outcome: 'approved', released: 'uncollected' })
    },
  )

  test('is not told so where the shopper let the time pass', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'AWAITING_SHOPPER')
    core.pass(30 * 86_400 * SECOND)
    const seen = await core.shopper.view(SHOP, id)
    expect(seen).toMatchObject({ outcome: 'expired' })
    expect(seen).not.toHaveProperty('released')
  })
})

describe('1, D-106: consent to a mandate', () => {
  test('RECURRING approved without it captures and creates no mandate', async () => {
    const core = await openCore()
    const id = await startBlik(core, { transactionType: 'RECURRING' })
    expect(await decide(core, id, { action: 'approve', keep: false })).toMatchObject({
      outcome: 'approved',
      keeps: false,
    })
    const { status, payerDetails } = (await core.call('finalize', actionRequest(id))).body
    expect([status, payerDetails.paymentToken, await stateOf(core, id)]).toEqual(['APPROVED', undefined, 'CAPTURED'])
    expect(await core.store.mandates(SHOP, 9)).toEqual([])
    expect((await core.call('charge', chargeRequest())).http).toBe(422)
  })

  test('TOKEN_ONLY approved without it is declined', async () => {
    const core = await openCore()
    const id = await startBlik(core, { transactionType: 'TOKEN_ONLY' })
    await decide(core, id, { action: 'approve', keep: false })
    expect(await whatIsTold(core, id)).toEqual(['DECLINED', '2001', '3002'])
  })

  test.each(['RECURRING', 'TOKEN_ONLY'] as const)('%s approved with it creates a mandate', async transactionType => {
    const core = await openCore()
    const id = await startBlik(core, { transactionType })
    await decide(core, id, { action: 'approve', keep: true })
    await core.call('finalize', actionRequest(id))
    expect(await core.store.mandates(SHOP, 9)).toHaveLength(1)
  })

  test('is kept while a slow bank confirms', async () => {
    const core = await openCore()
    const id = await startBlik(core, { transactionType: 'RECURRING' })
    const seen = await decide(core, id, { action: 'approve', keep: false, after: 5 * SECOND })
    expect(seen).toMatchObject({ outcome: 'waiting', confirming: true })
    core.pass(5 * SECOND)
    await core.call('finalize', actionRequest(id))
    expect(await core.store.mandates(SHOP, 9)).toEqual([])
  })
})

describe('R6, 7.5: phones', () => {
  const phoneOf = (core: SimulatorCore, bank: string) => core.phones.create(SHOP, bank)
  const pushed = async (core: SimulatorCore, phoneId: string, transactionType: 'ONE_TIME' | 'RECURRING') => {
    const { code } = await core.shopper.createCode(SHOP, { phoneId })
    return (await core.call('initiate', blikRequest(code, { transactionType }))).body
  }

  test.each(BLIK_BANKS.map(({ id, keepsShops }) => [id, keepsShops] as const))(
    'a code of %s pays once; it supports recurring payments: %s',
    async (bank, keepsShops) => {
      const core = await openCore()
      const { phoneId } = await phoneOf(core, bank)
      expect((await pushed(core, phoneId, 'ONE_TIME')).status).toBe('PENDING')
      const kept = await pushed(core, phoneId, 'RECURRING')
      expect([kept.status, kept.statusInfo.reasonCode, kept.providerDetails.providerStatusInfo?.reasonCode]).toEqual(
        keepsShops ? ['PENDING', '-1', undefined] : ['DECLINED', '8003', '3004'],
      )
    },
  )

  test('there are banks with and without recurring payments', () => {
    expect(new Set(BLIK_BANKS.map(({ keepsShops }) => keepsShops)).size).toBe(2)
  })

  test('each phone has its own mandates, visible to its organization only', async () => {
    const core = await openCore()
    const [mine, theirs] = [await phoneOf(core, 'modrzew'), await phoneOf(core, 'modrzew')]
    const { transactionId } = await pushed(core, mine.phoneId, 'RECURRING')
    await decide(core, transactionId, { action: 'approve', keep: true })
    await core.call('finalize', actionRequest(transactionId))
    const shops = (await core.phones.find(SHOP, mine.phoneId))?.shops
    expect(shops).toEqual([
      { paymentToken: expect.any(String), payee: 'Shop', payerId: 'payer-1', keptAt: START, standing: 'valid' },
    ])
    expect((await core.phones.find(SHOP, theirs.phoneId))?.shops).toEqual([])
    expect(await core.phones.find('other', mine.phoneId)).toBeUndefined()
    await expect(core.shopper.createCode('other', { phoneId: mine.phoneId })).rejects.toThrow('There is no phone')
    await expect(phoneOf(core, 'bank-of-nobody')).rejects.toThrow('give one of modrzew')
  })
})

test('R6: without a free code none is drawn for ever: the caller is told, and what helps', async () => {
  const core = await openCore()
  const liveBlikCode = async () => ({}) as never
  const store = { ...core.store, liveBlikCode }
  const shopper = createShopperActions({ ...core, store, rulesOf: () => ({}) as never })
  await expect(shopper.createCode(SHOP)).rejects.toThrow(
    /so many valid codes .*: move its clock on by PT2M, or reset it\./,
  )
})

test('R6: a phone has at most a hundred valid codes', async () => {
  const core = await openCore()
  const { phoneId } = await core.phones.create(SHOP, BLIK_BANKS[0]?.id ?? '')
  for (let made = 0; made < 100; made += 1) await core.shopper.createCode(SHOP, { phoneId })
  await expect(core.shopper.createCode(SHOP, { phoneId })).rejects.toThrow('The phone has 100 valid codes')
  core.pass(121 * SECOND)
  await core.shopper.createCode(SHOP, { phoneId })
})
