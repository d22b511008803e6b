import { describe, expect, test } from 'vitest'
import { DAY } from '../../simulator/support/duration.ts'
import { startBlik, startIris, stateOf } from '../support/create-test-payments.ts'
import { actionRequest, blikRequest, chargeRequest, irisRequest } from '../support/payment-requests.ts'
import { ACCOUNT, openCore, type SimulatorCore } from '../support/simulator-core.ts'
import { SAMPLE_CATALOGUE } from './sample-catalogue.ts'

const open = () => openCore({ scenarios: SAMPLE_CATALOGUE })

const mock = (more: object = {}) => ({
  processingAccountId: ACCOUNT,
  key: { type: 'CLIENT_TRANSACTION_ID', value: 'order-1' },
  type: 'MOCK',
  ...more,
})

const set = async (core: SimulatorCore, more: object = {}) => {
  const { http, body } = await core.call('mockSet', mock(more))
  expect([http, body]).toEqual([200, {}])
}

/** Initiates a BLIK payment with an unknown code, which only a mock accepts. */
const start = (core: SimulatorCore, more: object = {}) => core.call('initiate', { ...blikRequest('000000'), ...more })
const told = ({ http, body }: { http: number; body: { status: string; statusInfo: { reasonCode: string } } }) => [
  http,
  body.status,
  body.statusInfo.reasonCode,
]

const DEFAULT = [200, 'DECLINED', '4000']
const MOCKED = [200, 'ACCEPTED', '-1']

describe('E2: which payments a mock matches', () => {
  test('those with its clientTransactionId or payerId, and no others', async () => {
    const core = await open()
    await set(core, { scenario: 'OK' })
    expect(told(await start(core))).toEqual(MOCKED)
    expect(told(await start(core, { clientTransactionId: 'order-2' }))).toEqual(DEFAULT)
    await set(core, { scenario: 'OK', key: { type: 'PAYER_ID', value: 'ann' } })
    const ofAnn = { clientTransactionId: 'order-3', payerDetails: { oneTimeCode: '000000', payerId: 'ann' } }
    expect(told(await start(core, ofAnn))).toEqual(MOCKED)
  })

  test('2.7: none of another account', async () => {
    const core = await open()
    await set(core, { scenario: 'OK' })
    expect(told(await start(core, { processingAccountId: 'shop-account-2' }))).toEqual(DEFAULT)
  })

  test('2.7: none of another organization', async () => {
    const core = await open()
    await set(core, { scenario: 'OK' })
    const request = { ...blikRequest('000000'), processingAccountId: 'other-account-1' }
    expect(told(await core.call('initiate', request, { organizationId: 'other' }))).toEqual(DEFAULT)
  })

  test('7.5: those of the provider that has its code', async () => {
    const core = await open()
    await set(core, { steps: { initiate: { providerCode: 'TIMEOUT' } } })
    expect(told(await start(core))).toEqual(DEFAULT)
    expect(told(await core.call('initiate', irisRequest()))).toEqual([200, 'DECLINED', '2000'])
  })

  test('8: those within 24 hours', async () => {
    const core = await open()
    await set(core, { scenario: 'OK' })
    core.pass(DAY - 1)
    expect(told(await start(core))).toEqual(MOCKED)
    core.pass(1)
    expect(told(await start(core))).toEqual(DEFAULT)
  })

  test('a newer mock of the same key replaces the older', async () => {
    const core = await open()
    await set(core, { steps: { initiate: { status: 'DECLINED', statusInfo: { reasonCode: '1999', message: 'No' } } } })
    await set(core, { scenario: 'OK' })
    expect(told(await start(core))).toEqual(MOCKED)
  })

  test('2.7: a oneTime mock applies once to each step', async () => {
    const core = await open()
    await set(core, { scenario: 'OK', oneTime: true })
    const { body } = await start(core)
    expect(told(await start(core))).toEqual(DEFAULT)
    expect((await core.call('finalize', actionRequest(body.transactionId))).body.status).toBe('APPROVED')
  })

  test('2.7: a mock without oneTime applies to every call of a step', async () => {
    const core = await open()
    await set(core, { scenario: 'OK' })
    for (const _ of [1, 2, 3]) expect(told(await start(core))).toEqual(MOCKED)
  })

  test('2.7: a step without an entry in the mock runs as usual', async () => {
    const core = await open()
    await set(core, { steps: { refund: { status: 'DECLINED' } } })
    expect(told(await start(core))).toEqual(DEFAULT)
    const id = await startBlik(core)
    await core.decide(id, 'approve')
    await core.call('finalize', actionRequest(id))
    core.pass(2_000)
    expect(told(await core.call('refund', actionRequest(id)))).toEqual([200, 'DECLINED', '1000'])
    expect(await stateOf(core, id)).toBe('SETTLED')
  })

  test('neither a refusal nor a replay uses up a oneTime mock', async () => {
    const core = await open()
    await set(core, { scenario: 'OK', oneTime: true })
    const { body } = await start(core)
    await core.call('capture', actionRequest(body.transactionId))
    await core.call('finalize', actionRequest(body.transactionId), { key: 'one' })
    await core.call('finalize', actionRequest(body.transactionId), { key: 'one' })
    expect(await stateOf(core, body.transactionId)).toBe('CAPTURED')
  })
})

describe('E3: the responses of a MOCK', () => {
  test('overrides appear in the response; without one there is no redirect URL', async () => {
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
  ] as const)('2.7: %s in state %s mocked with status %s leads to %s', async (step, before, status, after) => {
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
          : await core.call(step, actionRequest(id))
    expect([answer.http, answer.body.status]).toEqual([200, status])
    expect(answer.body.statusInfo).toEqual(SAID)
    expect(await stateOf(core, id === '' || step === 'initiate' ? answer.body.transactionId : id)).toBe(after)
  })

  const reach = async (core: SimulatorCore, state: string): Promise<string> => {
    const { body } = await start(core, { paymentDetails: { ...blikRequest('').paymentDetails, autoCapture: false } })
    const id: string = body.transactionId
    if (['AUTHORIZED', 'SETTLED'].includes(state)) await core.call('finalize', actionRequest(id))
    if (state === 'SETTLED') {
      await core.call('capture', actionRequest(id))
      core.pass(2_000)
    }
    return id
  }

  test('a mocked RECURRING payment creates a mandate, and a mocked charge needs none (E4)', async () => {
    const core = await open()
    await set(core, { scenario: 'OK' })
    const { body } = await core.call('initiate', blikRequest('000000', { transactionType: 'RECURRING' }))
    expect(
      (await core.call('finalize', actionRequest(body.transactionId))).body.payerDetails.paymentToken,
    ).toBeDefined()
    expect((await core.call('charge', chargeRequest())).body.status).toBe('APPROVED')
  })

  test.each([
    ['BLIK', blikRequest('000000')],
    ['IRIS', irisRequest()],
  ])('D-95: finalize implies the consent where only initiate is mocked, as PENDING: %s', async (_, request) => {
    const core = await open()
    await set(core, {
      steps: { initiate: { status: 'PENDING', providerDetails: { redirectUrl: 'https://bank.example/1' } } },
      data: { providerTransactionId: 'P-1' },
    })
    const { body } = await core.call('initiate', request)
    expect([body.status, body.providerDetails.redirectUrl]).toEqual(['PENDING', 'https://bank.example/1'])
    const { body: finalized } = await core.call('finalize', actionRequest(body.transactionId))
    expect([finalized.status, finalized.providerDetails.providerTransactionId]).toEqual(['APPROVED', 'P-1'])
    expect(await stateOf(core, body.transactionId)).toBe('CAPTURED')
  })

  test('D-95: a scenario’s shopper is awaited all the same', async () => {
    const core = await open()
    await set(core, { scenario: 'SLOW_BANK', oneTime: true })
    const { body } = await start(core)
    await core.call('finalize', actionRequest(body.transactionId))
    expect((await core.call('finalize', actionRequest(body.transactionId))).body.status).toBe('PENDING')
    core.pass(20_000)
    expect((await core.call('finalize', actionRequest(body.transactionId))).body.status).toBe('APPROVED')
  })

  test.each([
    ['BLIK', startBlik],
    ['IRIS', startIris],
  ])(
    'D-34, D-95: a mock with a shopper, set while the payment’s own is awaited, gives no consent: %s',
    async (_, begin) => {
      for (const scenario of ['POOR', 'ABSENT', 'SLOW_BANK']) {
        const core = await open()
        const id = await begin(core)
        await set(core, { scenario })
        expect((await core.call('finalize', actionRequest(id))).body.status).toBe('PENDING')
        expect(await stateOf(core, id)).toBe('AWAITING_SHOPPER')
        await core.decide(id, 'approve')
        expect((await core.call('finalize', actionRequest(id))).body.status).toBe('APPROVED')
      }
    },
  )

  test('D-95: a mock without a shopper, set while the payment’s own is awaited, implies the consent', async () => {
    const core = await open()
    const id = await startBlik(core)
    await set(core, { scenario: 'OK' })
    expect((await core.call('finalize', actionRequest(id))).body.status).toBe('APPROVED')
  })

  test('D-94, D-95: a later mock with a shopper leaves the consent implied where the payment’s own said PENDING', async () => {
    const core = await open()
    await set(core, { steps: { initiate: { status: 'PENDING' } } })
    const { body } = await start(core)
    await set(core, { scenario: 'POOR' })
    expect((await core.call('finalize', actionRequest(body.transactionId))).body.status).toBe('APPROVED')
  })

  test('a fault of a step is triggered a number of times under each key (7.4)', async () => {
    const core = await open()
    await set(core, { scenario: 'INITIATE_LOCKED' })
    const once = (key: string) => core.call('initiate', blikRequest('000000'), { key })
    expect([await once('a'), await once('a'), await once('a'), await once('b')].map(({ http }) => http)).toEqual([
      423, 423, 200, 423,
    ])
  })
})

describe('E3: a PASSTHROUGH mock keeps the provider and sets the outcome', () => {
  test('the BLIK code is still checked, the redirect kept, and the outcome comes after the consent', async () => {
    const core = await open()
    await set(core, { type: 'PASSTHROUGH', scenario: 'POOR' })
    expect(told(await start(core))).toEqual(DEFAULT)
    const { body } = await core.call('initiate', irisRequest())
    expect(body.providerDetails.redirectUrl).toContain('/iris/')
    await core.decide(body.transactionId, 'approve')
    expect(told(await core.status(body.transactionId))).toEqual([200, 'DECLINED', '1001'])
  })

  test('E3: the provider’s details, page and code check stay where the scenario scripts initiate', async () => {
    const core = await open()
    await set(core, { type: 'PASSTHROUGH', scenario: 'DETAILED' })
    expect(told(await start(core))).toEqual(DEFAULT)
    const { body } = await core.call('initiate', irisRequest())
    expect(told({ http: 200, body })).toEqual([200, 'PENDING', '-1'])
    expect(body.statusInfo.message).toBe('Awaiting user consent')
    expect(body.providerDetails.redirectUrl).toContain('/iris/')
    expect(body.providerDetails.providerTransactionId).not.toBe('P-1')
    await core.decide(body.transactionId, 'approve')
    const { body: finalized } = await core.call('finalize', actionRequest(body.transactionId))
    expect([finalized.status, finalized.providerDetails.providerTransactionId]).toEqual([
      'APPROVED',
      body.providerDetails.providerTransactionId,
    ])
    expect(finalized.statusInfo.message).not.toBe('Scripted')
  })

  test('D-96: a magic amount keeps them too', async () => {
    const core = await open()
    const { body } = await core.call('initiate', irisRequest({ amount: 9_990_002 }))
    expect(body.status).toBe('PENDING')
    expect(body.providerDetails.redirectUrl).toContain('/iris/')
  })

  test('2.7: overrides are refused with 400', async () => {
    const core = await open()
    const { http, body } = await core.call(
      'mockSet',
      mock({ type: 'PASSTHROUGH', scenario: 'OK', steps: { initiate: {} } }),
    )
    expect([http, body.fields.steps]).toEqual([
      400,
      'must be left out: PASSTHROUGH keeps the responses of the provider',
    ])
  })

  test('an unknown scenario is refused with the most similar name', async () => {
    const core = await open()
    const { http, body } = await core.call('mockSet', mock({ scenario: 'POOOR' }))
    expect([http, body.statusInfo.message]).toEqual([
      400,
      'The mock is not valid: there is no scenario POOOR; did you mean POOR?',
    ])
  })
})
