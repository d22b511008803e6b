import { describe, expect, test } from 'vitest'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { authorizeBlik, createPaymentIn, startBlik } from '../support/create-test-payments.ts'
import { actionRequest, blikRequest, chargeRequest } from '../support/payment-requests.ts'
import { ACCOUNT, openCore, type SimulatorCore } from '../support/simulator-core.ts'
import { openWebhookCore } from '../webhooks/simulator-core-with-webhooks.ts'

const SAID = { reasonCode: '1234', message: 'In other words' }
const AT = '2026-01-02T03:04:05.000Z'
const OVERRIDES = { providerTransactionId: 'P-2', registeredAt: AT }

const set = async (core: SimulatorCore, more: object) => {
  const mock = { processingAccountId: ACCOUNT, key: { type: 'CLIENT_TRANSACTION_ID', value: 'order-1' }, type: 'MOCK' }
  expect((await core.call('mockSet', { ...mock, ...more })).body).toEqual({})
}

const eventsOf = async (core: SimulatorCore, id: string) => (await core.events(id)).body

/** The state before a capture or refund, and the list in which events have it. */
const STEPS = [
  ['capture', 'AUTHORIZED', 'captures', 'APPROVED'],
  ['capture', 'AUTHORIZED', 'captures', 'DECLINED'],
  ['refund', 'SETTLED', 'refunds', 'APPROVED'],
  ['refund', 'SETTLED', 'refunds', 'ACCEPTED'],
  ['refund', 'SETTLED', 'refunds', 'DECLINED'],
] as const

describe('2.7: a mocked capture or refund keeps what it was told', () => {
  test.each(STEPS)('%s in state %s: response and %s have the overrides of a step that is %s', async (...row) => {
    const [step, state, list, status] = row
    const core = await openCore()
    const id = await createPaymentIn(core, state)
    const before = (await eventsOf(core, id)).providerDetails
    await set(core, { steps: { [step]: { status, statusInfo: SAID, providerDetails: OVERRIDES } } })
    const { body } = await core.call(step, actionRequest(id))
    const told = { status, statusInfo: SAID, providerDetails: { providerId: 'BLIK', ...OVERRIDES } }
    expect(body).toMatchObject(told)
    const events = await eventsOf(core, id)
    expect(events.paymentDetails[list].at(-1)).toMatchObject({ ...told, clientTransactionId: 'act-1' })
    expect(events.providerDetails).toEqual(before)
  })

  test.each(['capture', 'refund'] as const)('`data` without steps holds for %s too', async step => {
    const core = await openCore()
    const id = await createPaymentIn(core, step === 'capture' ? 'AUTHORIZED' : 'SETTLED')
    const before = (await eventsOf(core, id)).providerDetails
    await set(core, { data: OVERRIDES })
    expect((await core.call(step, actionRequest(id))).body.providerDetails).toEqual({
      providerId: 'BLIK',
      ...OVERRIDES,
    })
    expect((await eventsOf(core, id)).providerDetails).toEqual(before)
  })

  test.each(['finalize', 'charge'])('the capture that %s makes was registered when its mock says', async step => {
    const core = await openCore()
    const id = step === 'charge' ? await createPaymentIn(core, 'TOKENIZED') : await startBlik(core)
    if (step === 'finalize') await core.decide(id, 'approve')
    const request = step === 'charge' ? { ...chargeRequest(), clientTransactionId: 'order-1' } : actionRequest(id)
    await set(core, { steps: { [step]: { providerDetails: OVERRIDES } } })
    const { body } = await core.call(step, request)
    expect(body.providerDetails).toMatchObject(OVERRIDES)
    const [capture] = (await eventsOf(core, body.transactionId)).paymentDetails.captures
    expect(capture.providerDetails).toEqual({ providerId: 'BLIK', ...OVERRIDES })
  })

  test('6: the webhook of the step has its provider details', async () => {
    const desk = await openWebhookCore()
    const id = await createPaymentIn(desk, 'AUTHORIZED')
    await set(desk, { steps: { capture: { providerDetails: OVERRIDES } } })
    await desk.call('capture', actionRequest(id))
    expect((await desk.told()).at(-1)?.body.providerDetails).toEqual({ providerId: 'BLIK', ...OVERRIDES })
  })
})

describe('7.5: each capture and refund has provider details of its own', () => {
  test('an id of its own and the time of its registration, in response and events', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    const payment = (await eventsOf(core, id)).providerDetails
    core.pass(1_000)
    const capture = (await core.call('capture', actionRequest(id, 400))).body
    core.pass(1_000)
    const rest = (await core.call('capture', actionRequest(id))).body
    core.pass(60_000)
    const refund = (await core.call('refund', actionRequest(id))).body
    const all = [payment, ...[capture, rest, refund].map(({ providerDetails }) => providerDetails)]
    for (const details of all) expect(Object.keys(details).slice(0, 2)).toEqual(['providerId', 'providerTransactionId'])
    expect(new Set(all.map(({ providerTransactionId }) => providerTransactionId)).size).toBe(4)
    const { captures, refunds } = (await eventsOf(core, id)).paymentDetails
    const listed = [...captures, ...refunds]
    expect(listed.map(one => one.providerDetails)).toEqual(all.slice(1))
    expect(listed.map(one => one.providerDetails.registeredAt)).toEqual(listed.map(one => one.timestamp))
  })

  test('6: webhooks of captures, settlements and refunds have it, others do not', async () => {
    const desk = await openWebhookCore()
    const id = await createPaymentIn(desk, 'REFUNDED')
    const { captures, refunds } = (await eventsOf(desk, id)).paymentDetails
    const told = (await desk.told()).map(({ body }) => [body.notificationType, body.providerDetails])
    const [taken, returned] = [captures[0].providerDetails, refunds[0].providerDetails]
    for (const [type, details] of told)
      expect(details).toEqual(type === 'PAYMENT_CAPTURE' ? taken : type === 'PAYMENT_REFUND' ? returned : undefined)
    expect(told.map(([type]) => type)).toContain('PAYMENT_CAPTURE')
  })

  test('a declined one has the code of the provider, as its webhook does', async () => {
    const desk = await openWebhookCore()
    const id = await createPaymentIn(desk, 'SETTLED')
    await desk.arm({ operation: 'refund', kind: 'decline', code: '3003' })
    const { providerDetails } = (await desk.call('refund', actionRequest(id))).body
    expect(providerDetails).toMatchObject({
      registeredAt: expect.any(String),
      providerStatusInfo: { reasonCode: '3003' },
    })
    expect((await desk.told()).at(-1)?.body.providerDetails).toEqual(providerDetails)
  })

  test('the capture that finalize or charge makes is the payment’s own at the provider', async () => {
    const core = await openCore()
    const { providerDetails, paymentDetails } = await eventsOf(core, await authorizeBlik(core, { autoCapture: true }))
    expect(paymentDetails.captures[0].providerDetails.providerTransactionId).toBe(providerDetails.providerTransactionId)
  })
})

describe('2.7: other mocked steps keep what they were told', () => {
  test('statusInfo of a finalize that also captures', async () => {
    const core = await openCore()
    await set(core, { steps: { initiate: { status: 'ACCEPTED' }, finalize: { status: 'APPROVED', statusInfo: SAID } } })
    const { transactionId } = (await core.call('initiate', blikRequest('000000'))).body
    expect((await core.call('finalize', actionRequest(transactionId))).body.statusInfo).toEqual(SAID)
  })

  test('statusInfo of a charge that also captures', async () => {
    const core = await openCore()
    await set(core, { steps: { charge: { status: 'APPROVED', statusInfo: SAID } } })
    const { body } = await core.call('charge', {
      ...chargeRequest({ payerId: 'nobody' }),
      clientTransactionId: 'order-1',
    })
    expect(body.statusInfo).toEqual(SAID)
  })

  test('provider details of a finalize that is still PENDING', async () => {
    const core = await openCore()
    const providerDetails = { providerTransactionId: 'P-3', redirectUrl: 'https://bank.example/more' }
    await set(core, { steps: { initiate: { status: 'ACCEPTED' }, finalize: { status: 'PENDING', providerDetails } } })
    const { transactionId } = (await core.call('initiate', blikRequest('000000'))).body
    const { body } = await core.call('finalize', actionRequest(transactionId))
    expect(body).toMatchObject({ status: 'PENDING', providerDetails })
  })
})

describe('2.7: status and statusInfo in `data`', () => {
  test('hold for each step that can have that status', async () => {
    const core = await openCore()
    await set(core, { scenario: 'OK', data: { status: 'APPROVED', statusInfo: { reasonCode: '-1', message: 'Told' } } })
    const { body } = await core.call('initiate', blikRequest('000000'))
    expect([body.status, body.statusInfo.message]).toEqual(['ACCEPTED', 'Told'])
    await set(core, { data: { status: 'DECLINED', statusInfo: SAID } })
    expect((await core.call('finalize', actionRequest(body.transactionId))).body).toMatchObject({
      status: 'DECLINED',
      statusInfo: SAID,
    })
  })

  test('a step with its own keeps it', async () => {
    const core = await openCore()
    await set(core, { steps: { initiate: { status: 'ACCEPTED' } }, data: { status: 'DECLINED', statusInfo: SAID } })
    expect((await core.call('initiate', blikRequest('000000'))).body.status).toBe('ACCEPTED')
  })

  test('members of providerDetails may stand in the step itself', async () => {
    const core = await openCore()
    await set(core, { steps: { initiate: { status: 'ACCEPTED', ...OVERRIDES } } })
    expect((await core.call('initiate', blikRequest('000000'))).body.providerDetails).toMatchObject(OVERRIDES)
  })
})

describe('6: the timeline of events tells each step as its webhook does', () => {
  test.each([
    ['refund', 'SETTLED', 'DECLINED'],
    ['refund', 'SETTLED', 'ACCEPTED'],
    ['capture', 'AUTHORIZED', 'DECLINED'],
    ['cancel', 'AUTHORIZED', 'DECLINED'],
    ['capture', 'AUTHORIZED', 'APPROVED'],
  ] as const)('%s in state %s, %s', async (step, state, status) => {
    const desk = await openWebhookCore({ choices: decisionChoices({ 'D-116': 'every-event' }) })
    const id = await createPaymentIn(desk, state)
    await set(desk, { steps: { [step]: { status, statusInfo: SAID } } })
    await desk.call(step, actionRequest(id))
    const { type: _, at: __, ...entry } = (await eventsOf(desk, id)).timeline.at(-1)
    expect(entry.status).toBe(status)
    expect((await desk.told()).at(-1)?.body).toMatchObject(entry)
  })
})
