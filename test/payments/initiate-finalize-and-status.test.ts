import { describe, expect, test } from 'vitest'
import { authorizeBlik, createPaymentIn, startBlik, startIris, stateOf } from '../support/create-test-payments.ts'
import { actionRequest, blikRequest, irisRequest } from '../support/payment-requests.ts'
import { openCore, SHOP, type SimulatorCore } from '../support/simulator-core.ts'

describe('2.3, D-49: payerDetails in responses', () => {
  const phone = { countryCode: '+30', number: '6900000000' }

  test('finalize, cancel and events have the phone of initiate, and no response its code', async () => {
    const core = await openCore()
    const request = blikRequest(await core.code(), { autoCapture: false })
    const { oneTimeCode } = request.payerDetails
    const started = await core.call('initiate', { ...request, payerDetails: { payerId: 'ann', oneTimeCode, phone } })
    const id = started.body.transactionId
    await core.decide(id, 'approve')
    const finalized = await core.call('finalize', actionRequest(id))
    const canceled = await core.call('cancel', actionRequest(id))
    const events = await core.events(id)
    for (const { body } of [finalized, canceled, events]) expect(body.payerDetails).toEqual({ payerId: 'ann', phone })
    for (const { text } of [started, finalized, canceled, events]) expect(text).not.toContain('oneTimeCode')
  })
})

describe('2.1: autoCapture', () => {
  test.each([
    [undefined, 'CAPTURED'],
    [true, 'CAPTURED'],
    [false, 'AUTHORIZED'],
  ])('%s: finalize leads to %s', async (autoCapture, state) => {
    const core = await openCore()
    const id = await authorizeBlik(core, autoCapture === undefined ? {} : { autoCapture })
    expect(await stateOf(core, id)).toBe(state)
    const { paymentDetails } = (await core.events(id)).body
    expect(paymentDetails.autoCapture).toBe(autoCapture ?? true)
    expect(paymentDetails.capturedAmount).toBe(state === 'CAPTURED' ? 1000 : 0)
  })

  test.each([
    [false, undefined, 'AUTHORIZED'],
    [false, true, 'CAPTURED'],
    [true, false, 'AUTHORIZED'],
  ])('%s at the top of the body and %s in paymentDetails: finalize leads to %s', async (top, inside, state) => {
    const core = await openCore()
    const request = blikRequest(await core.code(), inside === undefined ? {} : { autoCapture: inside })
    const id = (await core.call('initiate', { ...request, autoCapture: top })).body.transactionId
    await core.decide(id, 'approve')
    await core.call('finalize', actionRequest(id))
    expect(await stateOf(core, id)).toBe(state)
  })

  test('the automatic capture is of the whole amount and has the payment’s reference', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core, {})
    const { captures } = (await core.events(id)).body.paymentDetails
    expect(captures).toMatchObject([{ clientTransactionId: 'order-1', paymentDetails: { amount: 1000 } }])
  })

  test('R4: an automatic capture settles like any other', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core, {})
    core.pass(2_000)
    expect(await stateOf(core, id)).toBe('SETTLED')
  })
})

describe('R5: finalize', () => {
  test('before the consent it responds PENDING and changes nothing; with a new key after it, it authorizes', async () => {
    const core = await openCore()
    const id = await startBlik(core, { autoCapture: false })
    const early = await core.call('finalize', actionRequest(id), { key: 'early' })
    expect([early.http, early.body.status, early.body.statusInfo.reasonCode]).toEqual([200, 'PENDING', '-1'])
    expect(await stateOf(core, id)).toBe('AWAITING_SHOPPER')
    await core.decide(id, 'approve')
    expect((await core.call('finalize', actionRequest(id), { key: 'early' })).text).toBe(early.text)
    expect((await core.call('finalize', actionRequest(id))).body.status).toBe('APPROVED')
  })

  test('a second time is refused with 422/5002, and nothing is captured twice', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core, {})
    const again = await core.call('finalize', actionRequest(id))
    expect([again.http, again.body.statusInfo.reasonCode]).toEqual([422, '5002'])
    expect((await core.events(id)).body.paymentDetails.capturedAmount).toBe(1000)
  })
})

describe('7.5: how a payment is declined', () => {
  const declinedOf = async (core: SimulatorCore, id: string) => {
    const { status, statusInfo, providerDetails } = (await core.events(id)).body
    return [status, statusInfo.reasonCode, providerDetails.providerStatusInfo.reasonCode]
  }
  // biome-ignore format: a table reads by its columns
  test.each([
    ['BLIK, the shopper declines',        async (core: SimulatorCore) => { const id = await startBlik(core); await core.decide(id, 'decline'); return id }, '2001', '3002'],
    ['BLIK, the shopper is absent',       async (core: SimulatorCore) => { const id = await startBlik(core); core.pass(45_000); return id },                '2000', '3003'],
    ['IRIS, the shopper cancels',         async (core: SimulatorCore) => { const id = await startIris(core); await core.decide(id, 'decline'); return id }, '2001', 'AUTHORISINGPARTYABORTED'],
    ['IRIS, the shopper is absent',       async (core: SimulatorCore) => { const id = await startIris(core); core.pass(1_800_000); return id },             '2000', 'TIMEOUT'],
    ['BLIK, the code was never shown',    async (core: SimulatorCore) => (await core.call('initiate', blikRequest('123456'))).body.transactionId,           '4000', '3001'],
  ])('%s', async (_name, end, reasonCode, providerCode) => {
    const core = await openCore()
    const id = await end(core)
    expect(await declinedOf(core, id)).toEqual(['DECLINED', reasonCode, providerCode])
    expect((await core.status(id)).body).toMatchObject({ status: 'DECLINED', lifecycle: { final: true } })
  })

  test('an approved payment has no provider status', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'SETTLED')
    expect((await core.events(id)).body.providerDetails).not.toHaveProperty('providerStatusInfo')
  })
})

describe('R6, 7.5: an invalid BLIK code is declined with 200', () => {
  const judged = async (core: SimulatorCore, code: string) => {
    const { http, body } = await core.call('initiate', blikRequest(code))
    return [http, body.status, body.statusInfo.reasonCode, body.providerDetails.providerStatusInfo?.reasonCode]
  }
  const DECLINED = [200, 'DECLINED', '4000', '3001']

  test('a used code', async () => {
    const core = await openCore()
    const code = await core.code()
    expect(await judged(core, code)).toEqual([200, 'PENDING', '-1', undefined])
    expect(await judged(core, code)).toEqual(DECLINED)
  })

  test('a code of another organization', async () => {
    const core = await openCore()
    expect(await judged(core, await core.code('other'))).toEqual(DECLINED)
  })

  test('an expired code, while a new one of the same phone is accepted', async () => {
    const core = await openCore()
    const old = await core.code()
    core.pass(120_000)
    expect(await judged(core, old)).toEqual(DECLINED)
    expect((await judged(core, await core.code()))[1]).toBe('PENDING')
  })

  test('a refused call does not use the code up', async () => {
    const core = await openCore()
    const code = await core.code()
    const request = { ...blikRequest(code), processingAccountId: 'other-account-1' }
    expect((await core.call('initiate', request)).http).toBe(403)
    expect((await judged(core, code))[1]).toBe('PENDING')
  })
})

describe('E4: the response to initiate', () => {
  test('BLIK has no redirect, and the one-time code (2.3) is not in the response', async () => {
    const core = await openCore()
    const code = await core.code()
    const { body, text } = await core.call('initiate', blikRequest(code))
    expect(body).toMatchObject({
      status: 'PENDING',
      statusInfo: { reasonCode: '-1', message: 'Awaiting user consent' },
      providerDetails: { providerId: 'BLIK' },
    })
    expect(body.providerDetails).not.toHaveProperty('redirectUrl')
    expect(text).not.toContain(code)
  })

  test('IRIS has a redirect URL by which the payment is found', async () => {
    const core = await openCore()
    const { body } = await core.call('initiate', irisRequest())
    const { redirectUrl, qrCode } = body.providerDetails
    expect(redirectUrl).toMatch(/^http:\/\/pages\.example\/iris\/[\w-]{30}$/)
    expect(qrCode).toBe(redirectUrl)
    const page = await core.shopper.redirect(redirectUrl.split('/').at(-1))
    expect(page).toMatchObject({ transactionId: body.transactionId, returnUrl: 'https://shop.example/back' })
  })

  test('2.6, 2.1: a reused clientTransactionId makes a new payment; metadata comes back as sent', async () => {
    const core = await openCore()
    const request = { ...irisRequest(), metadata: { cart: '7', note: 'Zażółć' } }
    const [one, two] = [await core.call('initiate', request), await core.call('initiate', request)]
    expect(one.body.clientTransactionId).toBe(two.body.clientTransactionId)
    expect(one.body.transactionId).not.toBe(two.body.transactionId)
    expect((await core.status(two.body.transactionId)).body.metadata).toEqual({ cart: '7', note: 'Zażółć' })
  })
})

test('E5: status shows each state as the payment reaches it', async () => {
  const core = await openCore()
  const id = await startBlik(core)
  const seen = async () => (await core.status(id)).body.status
  expect(await seen()).toBe('PENDING')
  await core.decide(id, 'approve')
  expect(await seen()).toBe('ACCEPTED')
  await core.call('finalize', actionRequest(id))
  expect(await seen()).toBe('APPROVED')
})

test('6: the timeline lists events in order, and is absent with --lifecycle off', async () => {
  const core = await openCore()
  const id = await createPaymentIn(core, 'PARTIALLY_REFUNDED')
  const { timeline } = (await core.events(id)).body
  expect(timeline.map(({ type, amount }: { type: string; amount?: number }) => [type, amount])).toEqual([
    ['payment.initiated', undefined],
    ['payment.authenticated', undefined],
    ['payment.authorized', 1000],
    ['payment.captured', 1000],
    ['payment.settled', 1000],
    ['payment.refunded', 300],
  ])
  const plain = await openCore({ showLifecycle: false })
  const { body } = await plain.events(await createPaymentIn(plain, 'SETTLED'))
  expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['lifecycle']))
  expect(body).not.toHaveProperty('timeline')
})

test('7.1: a payment of another organization, or under another account, is not found: 404/4001', async () => {
  const core = await openCore()
  const id = await startBlik(core)
  for (const operation of ['finalize', 'capture', 'cancel', 'refund', 'status', 'events']) {
    const foreign = await core.call(operation, { transactionId: id }, { organizationId: 'other' })
    expect([foreign.http, foreign.body.statusInfo.reasonCode]).toEqual([404, '4001'])
  }
  const other = await core.call('finalize', { ...actionRequest(id), processingAccountId: 'shop-account-2' })
  expect([other.http, other.body.statusInfo.reasonCode]).toEqual([404, '4001'])
  await expect(core.shopper.act('other', id, 'approve')).rejects.toThrow('There is no payment')
  expect(await core.shopper.view(SHOP, id)).toMatchObject({ outcome: 'waiting' })
})

describe('2.3, R6: a BLIK code in an IRIS payment', () => {
  const withCode = (oneTimeCode: string) => ({ ...irisRequest(), payerDetails: { payerId: 'shopper-1', oneTimeCode } })

  test.each(['998888', '990301', '123456'])('such as %s is no code there', async code => {
    const core = await openCore()
    const { http, body } = await core.call('initiate', withCode(code))
    expect([http, body.status]).toEqual([200, 'PENDING'])
  })

  test('is not used up, and its phone is not asked', async () => {
    const core = await openCore()
    const code = await core.code()
    await core.call('initiate', withCode(code))
    expect((await core.call('initiate', blikRequest(code))).body.status).toBe('PENDING')
  })
})
