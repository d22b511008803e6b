import { describe, expect, test } from 'vitest'
import { DECLINES } from '../../contracts/protocol/declines.ts'
import { SECOND } from '../../simulator/duration.ts'
import { BLIK_BANKS } from '../../simulator/providers/blik-banks.ts'
import { CAUSES, type ShopperDecision } from '../../simulator/providers/provider.ts'
import { type Core, openCore, SHOP, START } from '../support/core.ts'
import { act, arranged, blikRequest, chargeRequest, startBlik, startIris, stateOf } from '../support/payments.ts'

const decide = (core: Core, id: string, { action, ...how }: ShopperDecision) => core.shopper.act(SHOP, id, action, how)

const whatIsTold = async (core: Core, id: string) => {
  const { status, statusInfo, providerDetails } = (await core.events(id)).body
  return [status, statusInfo.reasonCode, providerDetails.providerStatusInfo?.reasonCode]
}

describe('7.2, 7.5, D-104: what the bank does in place of the shopper', () => {
  test('declines for any reason with the code of that reason, and with none of the provider', async () => {
    const core = await openCore()
    for (const cause of CAUSES) {
      const id = await startBlik(core)
      expect(await decide(core, id, { action: 'decline', cause })).toMatchObject({ outcome: 'declined', cause })
      expect(await whatIsTold(core, id)).toEqual(['DECLINED', DECLINES[cause].reasonCode, undefined])
    }
    const atBank = await startIris(core)
    await decide(core, atBank, { action: 'decline', cause: 'INSUFFICIENT_FUNDS' })
    expect(await whatIsTold(core, atBank)).toEqual(['DECLINED', '1001', undefined])
  })

  test('a no of the shopper has the code of the provider and no cause of the bank', async () => {
    const core = await openCore()
    const id = await startBlik(core)
    expect(await decide(core, id, { action: 'decline' })).not.toHaveProperty('cause')
    expect(await whatIsTold(core, id)).toEqual(['DECLINED', '2001', '3002'])
  })

  test.each([
    [startBlik, '3003'],
    [startIris, 'TIMEOUT'],
  ])(
    'R6, R7: to lapse ends the payment as the end of the window does, and the window does nothing more',
    async (start, code) => {
      const core = await openCore()
      const id = await start(core)
      expect(await decide(core, id, { action: 'lapse' })).toMatchObject({ outcome: 'expired' })
      expect(await whatIsTold(core, id)).toEqual(['DECLINED', '2000', code])
      core.pass(3_600 * SECOND)
      const types = (await core.events(id)).body.timeline.map(({ type }: { type: string }) => type)
      expect(types).toEqual(['payment.initiated', 'payment.expired'])
    },
  )

  test('R5: none of it counts twice, or after another decision', async () => {
    const core = await openCore()
    const late: ShopperDecision[] = [{ action: 'lapse' }, { action: 'decline', cause: 'INSUFFICIENT_FUNDS' }]
    for (const decision of late) {
      const id = await startBlik(core)
      await decide(core, id, { action: 'approve' })
      await expect(decide(core, id, decision)).rejects.toThrow('does not allow')
      expect(await stateOf(core, id)).toBe('AUTHENTICATED')
    }
  })

  test('E3: the reason of the moment goes before an outcome that was arranged', async () => {
    const core = await openCore()
    await core.call('mockSet', arranged('RISK_REJECTED'))
    const id = await startBlik(core)
    await decide(core, id, { action: 'decline', cause: 'AMOUNT_LIMIT_EXCEEDED' })
    expect(await whatIsTold(core, id)).toEqual(['DECLINED', '1003', undefined])
  })
})

describe('1, D-106: the second consent', () => {
  test('a shopper who pays and does not want to be kept leaves no mandate behind', async () => {
    const core = await openCore()
    const id = await startBlik(core, { transactionType: 'RECURRING' })
    expect(await decide(core, id, { action: 'approve', keep: false })).toMatchObject({
      outcome: 'approved',
      keeps: false,
    })
    const { status, payerDetails } = (await core.call('finalize', act(id))).body
    expect([status, payerDetails.paymentToken, await stateOf(core, id)]).toEqual(['APPROVED', undefined, 'CAPTURED'])
    expect(await core.store.mandates(SHOP, 9)).toEqual([])
    expect((await core.call('charge', chargeRequest())).http).toBe(422)
  })

  test('who is asked for nothing else and does not want it declines', async () => {
    const core = await openCore()
    const id = await startBlik(core, { transactionType: 'TOKEN_ONLY' })
    await decide(core, id, { action: 'approve', keep: false })
    expect(await whatIsTold(core, id)).toEqual(['DECLINED', '2001', '3002'])
  })

  test.each(['RECURRING', 'TOKEN_ONLY'] as const)('%s with both consents makes one', async transactionType => {
    const core = await openCore()
    const id = await startBlik(core, { transactionType })
    await decide(core, id, { action: 'approve', keep: true })
    await core.call('finalize', act(id))
    expect(await core.store.mandates(SHOP, 9)).toHaveLength(1)
  })

  test('a slow bank forgets neither consent', async () => {
    const core = await openCore()
    const id = await startBlik(core, { transactionType: 'RECURRING' })
    const seen = await decide(core, id, { action: 'approve', keep: false, after: 5 * SECOND })
    expect(seen).toMatchObject({ outcome: 'waiting', confirming: true })
    core.pass(5 * SECOND)
    await core.call('finalize', act(id))
    expect(await core.store.mandates(SHOP, 9)).toEqual([])
  })
})

describe('R6, 7.5: phones', () => {
  const phoneOf = (core: Core, bank: string) => core.phones.create(SHOP, bank)
  const pushed = async (core: Core, phoneId: string, transactionType: 'ONE_TIME' | 'RECURRING') => {
    const { code } = await core.shopper.createCode(SHOP, { phoneId })
    return (await core.call('initiate', blikRequest(code, { transactionType }))).body
  }

  test.each(BLIK_BANKS.map(({ id, keepsShops }) => [id, keepsShops] as const))(
    'a code of %s serves payments, and those that keep the shop: %s',
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

  test('banks of both kinds are there', () => {
    expect(new Set(BLIK_BANKS.map(({ keepsShops }) => keepsShops)).size).toBe(2)
  })

  test('two phones keep their own shops, and nobody else sees them', async () => {
    const core = await openCore()
    const [mine, theirs] = [await phoneOf(core, 'modrzew'), await phoneOf(core, 'modrzew')]
    const { transactionId } = await pushed(core, mine.phoneId, 'RECURRING')
    await decide(core, transactionId, { action: 'approve', keep: true })
    await core.call('finalize', act(transactionId))
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
