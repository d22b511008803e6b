import { describe, expect, test } from 'vitest'
import { DAY } from '../../simulator/duration.ts'
import { ACCOUNT, type Core, openCore } from '../support/core.ts'
import { act, blikRequest, chargeRequest, irisRequest, startBlik, stateOf } from '../support/payments.ts'
import { FEW } from './catalogue-of-three.ts'

const open = () => openCore({ scenarios: FEW })

const mock = (more: object = {}) => ({
  processingAccountId: ACCOUNT,
  key: { type: 'CLIENT_TRANSACTION_ID', value: 'order-1' },
  type: 'MOCK',
  ...more,
})

const set = async (core: Core, more: object = {}) => {
  const { http, body } = await core.call('mockSet', mock(more))
  expect([http, body]).toEqual([200, {}])
}

/** No code of the phone: only a mock takes this. */
const start = (core: Core, more: object = {}) => core.call('initiate', { ...blikRequest('000000'), ...more })
const told = ({ http, body }: { http: number; body: { status: string; statusInfo: { reasonCode: string } } }) => [
  http,
  body.status,
  body.statusInfo.reasonCode,
]

const DEFAULT = [200, 'DECLINED', '4000']
const MOCKED = [200, 'ACCEPTED', '-1']

describe('E2: which payments meet a mock', () => {
  test('by clientTransactionId, by payerId; any other value has the default flow', async () => {
    const core = await open()
    await set(core, { scenario: 'OK' })
    expect(told(await start(core))).toEqual(MOCKED)
    expect(told(await start(core, { clientTransactionId: 'order-2' }))).toEqual(DEFAULT)
    await set(core, { scenario: 'OK', key: { type: 'PAYER_ID', value: 'ann' } })
    const ofAnn = { clientTransactionId: 'order-3', payerDetails: { oneTimeCode: '000000', payerId: 'ann' } }
    expect(told(await start(core, ofAnn))).toEqual(MOCKED)
  })

  test('2.7: never a payment of another account', async () => {
    const core = await open()
    await set(core, { scenario: 'OK' })
    expect(told(await start(core, { processingAccountId: 'shop-account-2' }))).toEqual(DEFAULT)
  })

  test('2.7: nor one of another organization', async () => {
    const core = await open()
    await set(core, { scenario: 'OK' })
    const request = { ...blikRequest('000000'), processingAccountId: 'other-account-1' }
    expect(told(await core.call('initiate', request, { organizationId: 'other' }))).toEqual(DEFAULT)
  })

  test('8: it is there at 23:59:59.999 and gone after 24 h', async () => {
    const core = await open()
    await set(core, { scenario: 'OK' })
    core.pass(DAY - 1)
    expect(told(await start(core))).toEqual(MOCKED)
    core.pass(1)
    expect(told(await start(core))).toEqual(DEFAULT)
  })

  test('the newest mock of a key takes the place of the older', async () => {
    const core = await open()
    await set(core, { steps: { initiate: { status: 'DECLINED', statusInfo: { reasonCode: '1999', message: 'No' } } } })
    await set(core, { scenario: 'OK' })
    expect(told(await start(core))).toEqual(MOCKED)
  })

  test('2.7: oneTime counts for each step apart', async () => {
    const core = await open()
    await set(core, { scenario: 'OK', oneTime: true })
    const { body } = await start(core)
    expect(told(await start(core))).toEqual(DEFAULT)
    expect((await core.call('finalize', act(body.transactionId))).body.status).toBe('APPROVED')
  })

  test('2.7: without oneTime every call of a step is mocked', async () => {
    const core = await open()
    await set(core, { scenario: 'OK' })
    for (const _ of [1, 2, 3]) expect(told(await start(core))).toEqual(MOCKED)
  })

  test('2.7: a step that is not in the mock runs as usual', async () => {
    const core = await open()
    await set(core, { steps: { refund: { status: 'DECLINED' } } })
    expect(told(await start(core))).toEqual(DEFAULT)
    const id = await startBlik(core)
    await core.decide(id, 'approve')
    await core.call('finalize', act(id))
    core.pass(2_000)
    expect(told(await core.call('refund', act(id)))).toEqual([200, 'DECLINED', '1000'])
    expect(await stateOf(core, id)).toBe('SETTLED')
  })

  test('a refusal does not use up a oneTime mock, and neither does a replay', async () => {
    const core = await open()
    await set(core, { scenario: 'OK', oneTime: true })
    const { body } = await start(core)
    await core.call('capture', act(body.transactionId))
    await core.call('finalize', act(body.transactionId), { key: 'one' })
    await core.call('finalize', act(body.transactionId), { key: 'one' })
    expect(await stateOf(core, body.transactionId)).toBe('CAPTURED')
  })
})

describe('E3: what MOCK answers', () => {
  test('overrides show in the answer and in the events; nobody is redirected', async () => {
    const core = await open()
    const data = {
      providerTransactionId: 'P-1',
      redirectUrl: 'https://bank.example/pay',
      registeredAt: '2026-01-01T00:00:00Z',
      expiresAt: 1_800_000_000_000,
    }
    await set(core, { scenario: 'OK', data })
    const { body } = await core.call('initiate', irisRequest())
    expect(body.providerDetails).toMatchObject({
      ...data,
      registeredAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2027-01-15T08:00:00.000Z',
    })
    await set(core, { scenario: 'OK' })
    expect((await core.call('initiate', irisRequest())).body.providerDetails.redirectUrl).toBeUndefined()
  })

  const SAID = { reasonCode: '1234', message: 'In other words' }
  // biome-ignore format: a table reads by its columns
  test.each([
    // step       state before         status      state after
    ['initiate', 'NEW',               'ACCEPTED', 'AUTHENTICATED'],
    ['initiate', 'NEW',               'PENDING',  'AWAITING_SHOPPER'],
    ['initiate', 'NEW',               'DECLINED', 'DECLINED'],
    ['finalize', 'AWAITING_SHOPPER',  'PENDING',  'AWAITING_SHOPPER'],
    ['finalize', 'AWAITING_SHOPPER',  'APPROVED', 'AUTHORIZED'],
    ['finalize', 'AWAITING_SHOPPER',  'DECLINED', 'DECLINED'],
    ['finalize', 'AUTHENTICATED',     'PENDING',  'AUTHENTICATED'],
    ['finalize', 'AUTHENTICATED',     'APPROVED', 'AUTHORIZED'],
    ['finalize', 'AUTHENTICATED',     'DECLINED', 'DECLINED'],
    ['capture',  'AUTHORIZED',        'APPROVED', 'CAPTURED'],
    ['capture',  'AUTHORIZED',        'DECLINED', 'AUTHORIZED'],
    ['cancel',   'AUTHORIZED',        'CANCELED', 'CANCELED'],
    ['cancel',   'AUTHORIZED',        'DECLINED', 'AUTHORIZED'],
    ['refund',   'SETTLED',           'ACCEPTED', 'SETTLED'],
    ['refund',   'SETTLED',           'APPROVED', 'REFUNDED'],
    ['refund',   'SETTLED',           'DECLINED', 'SETTLED'],
    ['charge',   'NEW',               'APPROVED', 'CAPTURED'],
    ['charge',   'NEW',               'DECLINED', 'DECLINED'],
  ] as const)('2.7: %s of a payment that is %s, told %s: %s', async (step, before, status, after) => {
    const core = await open()
    const initiate = { status: before === 'AWAITING_SHOPPER' ? 'PENDING' : 'ACCEPTED' }
    await set(core, { steps: { initiate, [step]: { status, statusInfo: SAID, providerDetails: { providerTransactionId: 'P-2' } } } })
    if (step !== 'initiate' && step !== 'finalize' && step !== 'charge')
      await set(core, { scenario: 'OK', steps: { initiate, [step]: { status, statusInfo: SAID } } })
    const id = step === 'charge' ? '' : await reach(core, before)
    const answer =
      step === 'charge'
        ? await core.call('charge', { ...chargeRequest({ payerId: 'nobody' }), clientTransactionId: 'order-1' })
        : step === 'initiate'
          ? await start(core)
          : await core.call(step, act(id))
    expect([answer.http, answer.body.status]).toEqual([200, status])
    const quiet = ['APPROVED', 'CANCELED'].includes(status) && step === 'charge' && after === 'CAPTURED'
    if (!quiet) expect(answer.body.statusInfo).toEqual(SAID)
    expect(await stateOf(core, id === '' || step === 'initiate' ? answer.body.transactionId : id)).toBe(after)
  })

  const reach = async (core: Core, state: string): Promise<string> => {
    const { body } = await start(core, { paymentDetails: { ...blikRequest('').paymentDetails, autoCapture: false } })
    const id: string = body.transactionId
    if (['AUTHORIZED', 'SETTLED'].includes(state)) await core.call('finalize', act(id))
    if (state === 'SETTLED') {
      await core.call('capture', act(id))
      core.pass(2_000)
    }
    return id
  }

  test('a RECURRING payment that was mocked leaves a mandate, and a charge needs none (E4)', async () => {
    const core = await open()
    await set(core, { scenario: 'OK' })
    const { body } = await core.call('initiate', blikRequest('000000', { transactionType: 'RECURRING' }))
    expect((await core.call('finalize', act(body.transactionId))).body.payerDetails.paymentToken).toBeDefined()
    expect((await core.call('charge', chargeRequest())).body.status).toBe('APPROVED')
  })

  test('a step may meet a fault, so often under each key (7.4)', async () => {
    const core = await open()
    await set(core, { scenario: 'INITIATE_LOCKED' })
    const once = (key: string) => core.call('initiate', blikRequest('000000'), { key })
    expect([await once('a'), await once('a'), await once('a'), await once('b')].map(({ http }) => http)).toEqual([
      423, 423, 200, 423,
    ])
  })
})

describe('E3: PASSTHROUGH keeps the provider and arranges the outcome', () => {
  test('the code is still wanted, the page is kept, the bank says no after the consent', async () => {
    const core = await open()
    await set(core, { type: 'PASSTHROUGH', scenario: 'POOR' })
    expect(told(await start(core))).toEqual(DEFAULT)
    const { body } = await core.call('initiate', irisRequest())
    expect(body.providerDetails.redirectUrl).toContain('/iris/')
    await core.decide(body.transactionId, 'approve')
    expect(told(await core.status(body.transactionId))).toEqual([200, 'DECLINED', '1001'])
  })

  test('2.7: overrides are refused with a clear 400', async () => {
    const core = await open()
    const { http, body } = await core.call(
      'mockSet',
      mock({ type: 'PASSTHROUGH', scenario: 'OK', steps: { initiate: {} } }),
    )
    expect([http, body.fields.steps]).toEqual([400, 'must be left out: PASSTHROUGH keeps what the provider answers'])
  })

  test('an unknown scenario is refused with the nearest name', async () => {
    const core = await open()
    const { http, body } = await core.call('mockSet', mock({ scenario: 'POOOR' }))
    expect([http, body.statusInfo.message]).toEqual([
      400,
      'The mock is not valid: there is no scenario POOOR; did you mean POOR?',
    ])
  })
})
