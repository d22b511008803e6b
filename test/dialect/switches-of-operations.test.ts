import { describe, expect, test } from 'vitest'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import type { State } from '../../simulator/payments/lifecycle.ts'
import { createPaymentIn, startBlik, stateOf } from '../support/create-test-payments.ts'
import { actionRequest } from '../support/payment-requests.ts'
import { openCore, type SimulatorCore } from '../support/simulator-core.ts'

/** Opens the simulator with decisions chosen otherwise. */
const openWith = (chosen: Parameters<typeof decisionChoices>[0]): Promise<SimulatorCore> =>
  openCore({ choices: decisionChoices(chosen) })

const FINALIZED: readonly State[] = ['AUTHORIZED', 'CAPTURED', 'SETTLED', 'REFUNDED', 'CANCELED', 'DECLINED']

describe('D-35: a finalize that comes too late', () => {
  test.each(FINALIZED)('refused: 422/5002 in %s', async state => {
    const core = await openWith({ 'D-35': 'refused' })
    const id = await createPaymentIn(core, state)
    const late = await core.call('finalize', actionRequest(id))
    expect(late).toMatchObject({ http: 422, body: { statusInfo: { reasonCode: '5002' } } })
  })

  test.each(FINALIZED)('repeated: the payment as it stands in %s, and nothing changes', async state => {
    const core = await openWith({ 'D-35': 'repeated' })
    const id = await createPaymentIn(core, state)
    const before = (await core.events(id)).text
    const late = await core.call('finalize', actionRequest(id))
    const { status } = (await core.status(id)).body
    expect(late).toMatchObject({ http: 200, body: { transactionId: id, status } })
    expect((await core.events(id)).text).toBe(before)
  })
})

describe('D-34: a finalize that comes before the consent', () => {
  test.each([
    ['pending', 200, 'PENDING', '-1'],
    ['422', 422, 'DECLINED', '5002'],
  ] as const)('%s: %i, and the shopper may still consent', async (value, http, status, reasonCode) => {
    const core = await openWith({ 'D-34': value })
    const id = await startBlik(core)
    const early = await core.call('finalize', actionRequest(id))
    expect(early).toMatchObject({ http, body: { status, statusInfo: { reasonCode } } })
    await core.decide(id, 'approve')
    expect((await core.call('finalize', actionRequest(id))).http).toBe(200)
    expect(await stateOf(core, id)).toBe('CAPTURED')
  })
})

const UNAUTHORIZED = ['AWAITING_SHOPPER', 'AUTHENTICATED'] as const

describe('D-39: a cancel before the authorization', () => {
  test.each(UNAUTHORIZED)('authorized: 422/5002 in %s', async state => {
    const core = await openWith({ 'D-39': 'authorized' })
    const id = await createPaymentIn(core, state)
    expect((await core.call('cancel', actionRequest(id))).http).toBe(422)
    expect(await stateOf(core, id)).toBe(state)
  })

  test.each(UNAUTHORIZED)('waiting: a payment in %s becomes CANCELED for good', async state => {
    const core = await openWith({ 'D-39': 'waiting' })
    const id = await createPaymentIn(core, state)
    expect(await core.call('cancel', actionRequest(id))).toMatchObject({ http: 200, body: { status: 'CANCELED' } })
    expect((await core.decide(id, 'approve')).http).toBe(422)
    core.pass(60_000)
    expect((await core.call('finalize', actionRequest(id))).http).toBe(422)
    expect(await stateOf(core, id)).toBe('CANCELED')
  })

  test('waiting: what is captured is still not voided', async () => {
    const core = await openWith({ 'D-39': 'waiting' })
    const id = await createPaymentIn(core, 'CAPTURED')
    expect((await core.call('cancel', actionRequest(id))).http).toBe(422)
  })
})
