import { describe, expect, test } from 'vitest'
import { keyOf } from '../../contracts/explore/compose/parts-of-composed-call.ts'
import { invalidRequest, invalidRequestsOf } from '../../contracts/explore/invalid-requests.ts'
import { rulesOfProfile } from '../../contracts/explore/model-rules-of-profile.ts'
import type { Stage } from '../../contracts/explore/organizations-and-values-of-play.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import type { Rules } from '../../contracts/model/decided-rules-of-deployment.ts'
import { statesAfterAll } from '../../contracts/model/linearize.ts'
import type { Call, JudgedResponse, ProviderFault } from '../../contracts/model/model-call-and-judged-response.ts'
import { EMPTY_MODEL_STATE, type Payment, withPayment } from '../../contracts/model/model-state.ts'
import { statesAfter } from '../../contracts/model/permitted-outcomes-of-call.ts'
import { SIMULATOR_PROFILE } from '../conformance/run-suites.ts'
import { HELD_PAYMENT } from './sample-model-payment.ts'

const profile = readProfile(SIMULATOR_PROFILE)
const DECIDED = rulesOfProfile(profile)
const OPEN = rulesOfProfile({ ...profile, confirmed: [] })

const SERVED: JudgedResponse = { http: 200, json: {} }
const REFUSED: JudgedResponse = { http: 422, code: '5002', json: {} }
const CONFLICT: JudgedResponse = { ...REFUSED, http: 409 }

const captured = (amount: number, settled: boolean) => ({
  amount,
  settled,
  settles: { from: 0, to: Number.POSITIVE_INFINITY },
})
const state = (more: Partial<Payment> = {}) => withPayment(EMPTY_MODEL_STATE, 'p', { ...HELD_PAYMENT, ...more })
const call = (more: Partial<Call>): Call => ({
  ...{
    operation: 'capture',
    by: 'first',
    sentAt: 10,
    receivedAt: 20,
    key: 'k',
    payload: 'x',
    account: 'a',
    payment: 'p',
  },
  ...more,
})
const permits = (
  before: Partial<Payment>,
  made: Partial<Call>,
  response: JudgedResponse,
  rules: Rules = DECIDED,
): boolean => statesAfter([state(before)], call(made), response, rules).length > 0

test('R1, D-39: a cancel of a capture that has not settled may be served until that is decided', () => {
  const permitsCancel = (settled: boolean, rules: Rules) =>
    permits({ captures: [captured(1000, settled)] }, { operation: 'cancel' }, SERVED, rules)
  expect([permitsCancel(false, OPEN), permitsCancel(true, OPEN), permitsCancel(false, DECIDED)]).toEqual([
    true,
    false,
    false,
  ])
})

describe('what the contract permits', () => {
  test.each<[string, Partial<Payment>, Partial<Call>, JudgedResponse, boolean]>([
    ['R1: no refund before settlement', {}, { operation: 'refund' }, SERVED, false],
    ['R1: a refund of a settled payment', { captures: [captured(1000, true)] }, { operation: 'refund' }, SERVED, true],
    ['R2: a cancel of an authorization', {}, { operation: 'cancel' }, SERVED, true],
    ['R2: no cancel of a capture', { captures: [captured(1000, true)] }, { operation: 'cancel' }, SERVED, false],
    ['R4: a capture settles by itself', { captures: [captured(1000, false)] }, { operation: 'refund' }, SERVED, true],
    ['R5: no second capture in full', { captures: [captured(1000, true)] }, {}, SERVED, false],
    ['R5: refused as lifecycle', { captures: [captured(1000, true)] }, {}, REFUSED, true],
    ['R5: a double capture is no conflict', { captures: [captured(1000, true)] }, {}, CONFLICT, false],
    ['R5: nor is a refund before settlement', {}, { operation: 'refund' }, CONFLICT, false],
    ['7.1: a capture before the consent may be one', { phase: 'waiting' }, {}, CONFLICT, true],
    ['R5: no more than is authorized', { captures: [captured(600, true)] }, { amount: 401 }, SERVED, false],
    ['D-34: an early finalize is served', { phase: 'waiting' }, { operation: 'finalize' }, SERVED, true],
    ['D-34: and not refused', { phase: 'waiting' }, { operation: 'finalize' }, REFUSED, false],
    ['7.1: no payment of another', {}, { by: 'second' }, SERVED, false],
    ['7.1: no response says nothing', {}, {}, { http: 504 }, true],
    ['7.1: a 500 is a failure', {}, {}, { http: 500 }, false],
    ['I1: no call without a key', {}, { key: '' }, SERVED, false],
  ])('%s', (_, before, made, response, isPermitted) => {
    expect(permits(before, made, response)).toBe(isPermitted)
  })

  test('R5, D-35: where finalize repeats, one of a payment that ended without it may be refused', () => {
    const rules = rulesOfProfile({ ...profile, decisions: { ...profile.decisions, 'D-35': 'repeated' } })
    const finalized = (phase: Payment['phase']) =>
      [SERVED, REFUSED].map(response => permits({ phase }, { operation: 'finalize' }, response, rules))
    for (const phase of ['canceled', 'declined', 'expired'] as const)
      expect([phase, finalized(phase)]).toEqual([phase, [true, true]])
    expect(finalized('held')).toEqual([true, false])
  })

  test('what the document leaves open permits every reading, until a decision is confirmed', () => {
    const waiting = { phase: 'waiting' } as const
    expect([SERVED, REFUSED].map(response => permits(waiting, { operation: 'cancel' }, response, OPEN))).toEqual([
      true,
      true,
    ])
    expect([SERVED, REFUSED].map(response => permits(waiting, { operation: 'cancel' }, response))).toEqual([
      true,
      false,
    ])
  })

  const refusedAs = (http: number, code: string): JudgedResponse => ({ http, code, json: {} })
  const other = { account: 'b' }
  const unlike: Partial<Call> = { operation: 'initiate', method: 'BLIK', payment: 'q', autoCapture: false }
  test.each<[string, Partial<Payment>, Partial<Call>, JudgedResponse, open: boolean, decided: boolean]>([
    ['D-54: an act that names another account', {}, other, SERVED, true, false],
    ['D-47: a capture without an amount, which may be needed', {}, {}, refusedAs(400, '4000'), true, false],
    ['D-47: a capture with an amount', {}, { amount: 400 }, refusedAs(400, '4000'), false, false],
    [
      'D-47: a refund without an amount, which may be needed',
      { captures: [captured(1000, true)] },
      { operation: 'refund' },
      refusedAs(400, '4000'),
      true,
      false,
    ],
    [
      '1: a capture that is done later, where that is unsupported',
      {},
      { ...unlike, method: 'IRIS' },
      SERVED,
      true,
      false,
    ],
    [
      'D-44: an amount of TOKEN_ONLY, which may have none',
      {},
      { ...unlike, autoCapture: true, type: 'TOKEN_ONLY', payer: 'u', amount: 1000 },
      refusedAs(400, '4000'),
      true,
      false,
    ],
    ['D-42: a code of which nothing is known', {}, { ...unlike, autoCapture: true }, SERVED, true, true],
    ['R6: a code that never was', {}, { ...unlike, autoCapture: true, code: '' }, SERVED, false, false],
  ])('%s, until it is decided', (_, before, made, response, open, decided) => {
    expect([OPEN, DECIDED].map(rules => permits(before, made, response, rules))).toEqual([open, decided])
  })

  const charge: Partial<Call> = { operation: 'charge', method: 'BLIK', payment: 'q', payer: 'u' }
  const oneTime = { clause: '2.5', status: [400, 422, 501], openBy: 'D-64' } as const
  test.each<[string, Partial<Call>, JudgedResponse]>([
    ['D-18: a missing key is 422', { key: '' }, refusedAs(422, '4010')],
    ['D-18: an empty key is a key', { key: '' }, SERVED],
    ['D-63: a charge without a mandate is 400', charge, refusedAs(400, '4000')],
  ])('%s, until it is decided', (_, made, response) => {
    expect([OPEN, DECIDED].map(rules => permits({}, made, response, rules))).toEqual([true, false])
  })

  test('D-64: the type of a charge is ignored, until it is decided', () => {
    const mandate = { type: 'RECURRING', payer: 'u', account: 'a' } as const
    const before = { ...state(mandate), mandates: ['p'] }
    const served = (rules: Rules) =>
      statesAfter([before], call({ ...charge, broken: oneTime }), SERVED, rules).length > 0
    expect([OPEN, DECIDED].map(served)).toEqual([true, false])
  })

  test('5.3, D-56: a token to read may finalize and charge until it is decided, and may never do the rest', () => {
    const openBy = (operation: string) =>
      invalidRequestsOf(operation, 'BLIK').flatMap(name => {
        const { scope, broken } = invalidRequest(name)
        return scope === undefined ? [] : [broken.openBy]
      })
    for (const named of ['initiate', 'capture', 'cancel', 'refund'])
      expect([named, openBy(named)]).toEqual([named, [undefined]])
    for (const open of ['finalize', 'charge']) expect([open, openBy(open)]).toEqual([open, ['D-56']])
  })

  test('D-21: a key of more than 24 hours replays its response, until it is decided', () => {
    const replayed = (rules: Rules) => {
      const after = statesAfter([state()], call({}), { http: 200, json: { id: 1 } }, rules)
      const late = call({ sentAt: 86_400_030, receivedAt: 86_400_040 })
      return statesAfter(after, late, { http: 200, json: { id: 1 } }, rules).length > 0
    }
    expect([OPEN, DECIDED].map(replayed)).toEqual([true, false])
  })

  test('D-79: a second mock leaves the first as it is, until it is decided', () => {
    const key = { type: 'PAYER_ID', value: 'u' } as const
    const mock = (id: string) => ({ account: 'a', key, type: 'MOCK', details: { providerTransactionId: id } }) as const
    const firstIsUsed = (rules: Rules) => {
      const set = ['one', 'two'].reduce(
        (states, id) => statesAfter(states, call({ operation: 'mockSet', mock: mock(id) }), SERVED, rules),
        [EMPTY_MODEL_STATE],
      )
      const initiate = call({ operation: 'initiate', method: 'IRIS', payer: 'u', payment: 'q' })
      return statesAfter(set, initiate, { http: 200, details: { providerTransactionId: 'one' } }, rules).length > 0
    }
    expect([OPEN, DECIDED].map(firstIsUsed)).toEqual([true, false])
  })

  test('D-18: keys that are no UUID are sent where it is decided alone', () => {
    const keyWith = (confirmed: readonly string[] | 'all') =>
      keyOf({ profile: { ...profile, confirmed }, valueOf: (label: string) => label } as Stage, {
        id: 's1',
        do: 'initiate',
      })
    expect([keyWith('all'), keyWith([])]).toEqual(['keys1', expect.stringMatching(/^[0-9a-f-]{36}$/)])
  })

  test('2.1, D-02: a payment that does not say so may be captured by finalize, or not', () => {
    const initiate = call({ operation: 'initiate', method: 'IRIS', payment: 'q', reference: 'q' })
    const finalize = call({ operation: 'finalize', payment: 'q', key: 'f' })
    const captured = (rules: Rules) => {
      const begun = statesAfter([EMPTY_MODEL_STATE], initiate, SERVED, { ...rules, shoppersAct: true })
      const after = statesAfter(begun, finalize, SERVED, { ...rules, shoppersAct: true })
      return new Set(after.flatMap(({ payments: { q } }) => (q?.phase === 'held' ? [q.captures.length] : [])))
    }
    expect([captured(OPEN), captured(DECIDED)]).toEqual([new Set([0, 1]), new Set([1])])
  })

  test('I3, I4: a key replays its response for 24 hours, to the same payload alone', () => {
    const after = statesAfter([state()], call({ amount: 400 }), { http: 200, json: { id: 1 } }, DECIDED)
    const again = (more: Partial<Call>, response: JudgedResponse) =>
      statesAfter(after, call({ amount: 400, ...more }), response, DECIDED).length > 0
    expect(again({}, { http: 200, json: { id: 1 } })).toBe(true)
    expect(again({}, { http: 200, json: { id: 2 } })).toBe(false)
    expect(again({ payload: 'y' }, { http: 409, code: '3002' })).toBe(true)
    expect(again({ payload: 'y' }, SERVED)).toBe(false)
    const nextDay = { sentAt: 86_400_030, receivedAt: 86_400_040 }
    expect(again({ ...nextDay }, { http: 200, json: { id: 2 } })).toBe(true)
  })

  test('I4, D-117: after a temporary decline the same call is carried out anew, and another may be a conflict', () => {
    const passing: JudgedResponse = { http: 200, declined: true, code: '8004', json: {} }
    const mayFail = state({ faults: { capture: ['passing'] } })
    const after = statesAfter([mayFail], call({ amount: 400 }), passing, DECIDED)
    const next = (payload: string, response: JudgedResponse) =>
      statesAfter(after, call({ amount: 400, payload, sentAt: 30, receivedAt: 40 }), response, DECIDED).length > 0
    const conflict = { http: 409, code: '3002', json: {} }
    expect([next('x', SERVED), next('x', conflict)]).toEqual([true, false])
    expect([next('y', SERVED), next('y', conflict)]).toEqual([true, true])
  })

  test('I4, 7.4: so it is after a call that failed before it was carried out, of another operation too', () => {
    const failed = { http: 502, code: '8004', json: {} }
    const after = statesAfter([state()], call({ fault: 'undone', amount: 400 }), failed, DECIDED)
    const next = (more: Partial<Call>, response: JudgedResponse) =>
      statesAfter(after, call({ amount: 400, sentAt: 30, receivedAt: 40, ...more }), response, DECIDED).length > 0
    const conflict = { http: 409, code: '3002', json: {} }
    expect([next({}, SERVED), next({}, conflict)]).toEqual([true, false])
    for (const other of [{ payload: 'y' }, { operation: 'cancel', payload: 'y' }] as const)
      expect([next(other, SERVED), next(other, conflict)]).toEqual([true, true])
  })

  test('R1, D-41: the sums after a refund are what was captured, and what is refunded or may yet be', () => {
    const settled = state({ captures: [captured(1000, true)] })
    const after = statesAfter([settled], call({ operation: 'refund', amount: 400 }), SERVED, OPEN)
    const read = (sums: Partial<JudgedResponse>) =>
      statesAfter(after, call({ operation: 'status', sentAt: 9e9, receivedAt: 9e9 }), { http: 200, ...sums }, OPEN)
        .length > 0
    const sums = [{ refunded: 0 }, { refunded: 400 }, { refunded: 401 }, { refunded: -5 }, { captured: 7 }]
    expect(sums.map(read)).toEqual([true, true, false, false, false])
  })

  test('2.7: a mock of finalize alone may act in place of the shopper', () => {
    const key = { type: 'PAYER_ID', value: 'u' } as const
    const mock = { account: 'a', key, type: 'MOCK', step: 'finalize', details: {}, by: 'first', used: [] } as const
    const mocked = { ...state({ phase: 'waiting', payer: 'u' }), mocks: [{ ...mock, until: { from: 0, to: 99 } }] }
    const after = statesAfter([mocked], call({ operation: 'finalize' }), SERVED, DECIDED)
    expect(new Set(after.map(({ payments }) => payments.p?.phase))).toEqual(new Set(['waiting', 'held']))
  })

  test('2.7, E3: a MOCK for the payer may act in place of the shopper of a payment that began without it, for 24 hours', () => {
    const key = { type: 'PAYER_ID', value: 'u' } as const
    const mock = { account: 'a', key, type: 'MOCK', details: {}, by: 'first', used: ['initiate'] } as const
    const at = (to: number) => ({
      ...state({ phase: 'waiting', payer: 'u' }),
      mocks: [{ ...mock, until: { from: 0, to } }],
    })
    const phases = (to: number) =>
      statesAfter([at(to)], call({ operation: 'finalize' }), SERVED, DECIDED).map(({ payments }) => payments.p?.phase)
    expect([phases(99), phases(10)]).toEqual([expect.arrayContaining(['waiting', 'held']), ['waiting']])
  })

  test('R6, E3: a PASSTHROUGH uses up the code, so that it is declined with another payment', () => {
    const key = { type: 'PAYER_ID', value: 'u' } as const
    const mock = { account: 'a', key, type: 'PASSTHROUGH', details: {}, by: 'first', used: [] } as const
    const until = { from: 99, to: 99 }
    const before = { ...EMPTY_MODEL_STATE, mocks: [{ ...mock, until }], codes: { c: { until, used: false } } }
    const initiate = (payment: string) =>
      call({ operation: 'initiate', method: 'BLIK', code: 'c', payment, key: payment })
    const after = statesAfter([before], { ...initiate('p'), payer: 'u' }, SERVED, DECIDED)
    const again = (response: JudgedResponse) => statesAfter(after, initiate('q'), response, DECIDED).length > 0
    expect([again({ http: 200, declined: true, code: '4000' }), again(SERVED)]).toEqual([true, false])
  })

  test('2.7: a call that is refused as locked may be the single call of a oneTime mock', () => {
    const key = { type: 'PAYER_ID', value: 'u' } as const
    const until = { from: 99, to: 99 }
    const details = { providerTransactionId: 'set' }
    const named = { account: 'a', key, type: 'MOCK', by: 'first' } as const
    const mock = { ...named, oneTime: true, details, until, used: [] }
    const initiate = call({ operation: 'initiate', method: 'IRIS', payer: 'u' })
    const shown = (fault: ProviderFault, http: number, providerTransactionId: string) => {
      const locked = statesAfter(
        [{ ...EMPTY_MODEL_STATE, mocks: [mock] }],
        { ...initiate, fault },
        { http, code: '5003' },
        DECIDED,
      )
      return statesAfter(locked, initiate, { http: 200, details: { providerTransactionId } }, DECIDED).length > 0
    }
    expect(['set', 'other'].map(id => shown('locked', 423, id))).toEqual([true, true])
    expect(shown('decline', 429, 'other')).toBe(false)
  })

  test.each(['initiate', 'charge'] as const)(
    '2.7, 7.5: a declined %s may be the single call of a oneTime mock, or not',
    operation => {
      const key = { type: 'PAYER_ID', value: 'u' } as const
      const until = { from: 99, to: 99 }
      const details = { providerTransactionId: 'set' }
      const mock = { account: 'a', key, type: 'MOCK', by: 'first', oneTime: true, details, until, used: [] } as const
      const begin = (payment: string) => call({ operation, method: 'BLIK', payer: 'u', payment, key: payment })
      const declined = statesAfter(
        [{ ...EMPTY_MODEL_STATE, mocks: [mock] }],
        { ...begin('p'), fault: 'passing' },
        { http: 200, declined: true, code: '2000' },
        DECIDED,
      )
      const uses = declined.map(({ mocks }) => mocks.map(({ used }) => used.join()).join())
      expect([...new Set(uses)].sort()).toEqual(['', operation])
    },
  )

  test('2.7, D-63: so may a charge that is declined for want of a mandate', () => {
    const rules = rulesOfProfile({ ...profile, decisions: { ...profile.decisions, 'D-63': 'declined' } })
    const key = { type: 'PAYER_ID', value: 'u' } as const
    const until = { from: 99, to: 99 }
    const named = { account: 'a', key, by: 'first', oneTime: true, details: {}, until, used: [] } as const
    const before = { ...EMPTY_MODEL_STATE, mocks: [{ ...named, type: 'PASSTHROUGH' as const }] }
    const after = statesAfter(
      [before],
      call({ operation: 'charge', method: 'BLIK', payer: 'u' }),
      { http: 200, declined: true, code: '5010' },
      rules,
    )
    const uses = after.map(({ mocks }) => mocks.map(({ used }) => used.join()).join())
    expect([...new Set(uses)].sort()).toEqual(['', 'charge'])
  })

  test('R4, 7.4: what took effect late may have settled since', () => {
    const rules = { ...DECIDED, settlesAfter: 5000 }
    const status = (at: number, stage: string) =>
      [call({ operation: 'status', sentAt: at, receivedAt: at }), { http: 200, stages: [stage] }] as const
    const sent = statesAfter([state()], call({}), { http: 504 }, rules)
    const after = statesAfter(sent, ...status(30, 'authorized'), rules)
    const shown = (stage: string) => statesAfter(after, ...status(9_000_000, stage), rules).length > 0
    expect(['authorized', 'captured', 'settled', 'refunded'].map(shown)).toEqual([true, true, true, false])
  })

  test.each<[ProviderFault, number[]]>([
    ['done', [1000]],
    ['undone', [0]],
    ['unclear', [0, 1000]],
  ])('7.4: after a fault by which a capture is %s', (fault, sums) => {
    const after = statesAfter([state()], call({ fault }), { http: 504 }, DECIDED)
    const read = (captured: number) =>
      statesAfter(after, call({ operation: 'events' }), { http: 200, captured }, DECIDED).length > 0
    expect([0, 400, 1000].filter(read)).toEqual(sums)
  })

  test.each<[ProviderFault, JudgedResponse]>([
    ['undone', { http: 500 }],
    ['decline', { http: 200, declined: true }],
  ])('7.4: a call that is lost on its way leaves its fault %s to the same call again', (fault, met) => {
    const lost = (made: Partial<Call>, response: JudgedResponse) =>
      statesAfter(statesAfter([state()], call({ ...made, fault }), { http: 0 }, DECIDED), call(made), response, DECIDED)
    const initiate = { operation: 'initiate', method: 'IRIS', reference: 'q', payment: 'q' } as const
    for (const made of [{}, initiate])
      expect([met, { http: 200 }].map(response => lost(made, response).length > 0)).toEqual([true, true])
  })

  test('7.1: a call that is refused before the provider leaves its fault to the next one with its reference', () => {
    const initiate = { operation: 'initiate', method: 'IRIS', reference: 'q' } as const
    const recurring = call({ ...initiate, type: 'RECURRING', payment: 'p1', key: 'k1', fault: 'undone' })
    const after = statesAfter([EMPTY_MODEL_STATE], recurring, { http: 501, code: '8003' }, DECIDED)
    const next = call({ ...initiate, payment: 'p2', key: 'k2' })
    expect(statesAfter(after, next, { http: 500 }, DECIDED).length).toBeGreaterThan(0)
  })

  test('7.1: a call that is refused as locked has met the fault of an earlier one that was refused before the provider', () => {
    const refund = (key: string, more: Partial<Call>) => call({ operation: 'refund', amount: 1000, key, ...more })
    const settled = state({ captures: [captured(1000, true)] })
    const tooMuch = statesAfter([settled], refund('k1', { amount: 1001, fault: 'locked' }), REFUSED, DECIDED)
    const locked = statesAfter(tooMuch, refund('k2', {}), { http: 423, code: '5003' }, DECIDED)
    const declined = { http: 200, declined: true, code: '2000' }
    expect(statesAfter(locked, refund('k3', { fault: 'decline' }), declined, DECIDED)).not.toEqual([])
  })

  test('7.4: a call that takes effect late has met its fault, and meets none that was meant for a later one', () => {
    const underWay = statesAfter([state()], call({ fault: 'unclear' }), { http: 504 }, DECIDED)
    const early = call({ key: 'e', fault: 'decline' })
    const refused = statesAfter(underWay, early, { http: 423, code: '5003' }, DECIDED)
    const before = statesAfter(refused, call({ operation: 'events' }), { http: 200, captured: 0 }, DECIDED)
    const captured = statesAfter(before, call({ operation: 'events' }), { http: 200, captured: 1000 }, DECIDED)
    expect(captured.length).toBeGreaterThan(0)
  })

  test('I3, 7.4: a payment whose first response was lost began with the first call, not with its replay', () => {
    const initiate = { operation: 'initiate', method: 'IRIS', reference: 'q' } as const
    const lost = statesAfter([EMPTY_MODEL_STATE], call({ ...initiate, payment: 'q' }), { http: 0 }, DECIDED)
    const late = { sentAt: 2_000_000, receivedAt: 2_000_000 }
    const again = call({ ...initiate, payment: 'again', ...late })
    const replayed = statesAfter(lost, again, { http: 200, transactionId: 't' }, DECIDED)
    const status = call({ operation: 'status', payment: 'again', ...late })
    const shown = (stage: string) => statesAfter(replayed, status, { http: 200, stages: [stage] }, DECIDED).length > 0
    expect(['waiting', 'expired', 'captured'].map(shown)).toEqual([true, true, false])
  })

  test('I3, I4, 7.4: a call that is still under way keeps no earlier key from being replayed or refused', () => {
    const first = statesAfter([state()], call({ amount: 400 }), { http: 200, json: { id: 1 } }, DECIDED)
    const underWay = statesAfter(first, call({ key: 'l', amount: 600 }), { http: 504 }, DECIDED)
    const stillUnderWay = (made: Partial<Call>, response: JudgedResponse) =>
      statesAfter(underWay, call({ amount: 400, ...made }), response, DECIDED).some(({ pending }) => pending.length > 0)
    expect(stillUnderWay({}, { http: 200, json: { id: 1 } })).toBe(true)
    expect(stillUnderWay({ payload: 'y' }, { http: 409, code: '3002' })).toBe(true)
  })

  test('7.4: after no response a capture was made, or was not', () => {
    const after = statesAfter([state()], call({}), { http: 0 }, OPEN)
    const read = (sum: number) =>
      statesAfter(after, call({ operation: 'events' }), { http: 200, captured: sum }, OPEN).length > 0
    expect([0, 1000, 400].map(read)).toEqual([true, true, false])
  })
})

describe('calls at the same time', () => {
  const two = (first: JudgedResponse, second: JudgedResponse, times: Partial<Call> = {}) =>
    statesAfterAll(
      [state()],
      [
        { call: call({ key: 'k1', amount: 1000 }), response: first },
        { call: call({ key: 'k2', amount: 1000, ...times }), response: second },
      ],
      DECIDED,
    ).length > 0

  test('are explained by some order of them', () => {
    expect(two(SERVED, REFUSED)).toBe(true)
    expect(two(REFUSED, SERVED)).toBe(true)
    expect(two(SERVED, SERVED)).toBe(false)
  })

  test('may be refused as in conflict with each other, until D-83 is decided', () => {
    const both = (rules: Rules, key: string) =>
      statesAfterAll(
        [state()],
        [
          { call: call({}), response: SERVED },
          { call: call({ key }), response: { http: 409, code: '3009' } },
        ],
        rules,
      ).length > 0
    expect(['k', 'l'].map(key => both(OPEN, key))).toEqual([true, true])
    expect(['k', 'l'].map(key => both(DECIDED, key))).toEqual([false, false])
  })

  test('keep the order of a call that had its response before another was sent', () => {
    expect(two(REFUSED, SERVED, { sentAt: 30, receivedAt: 40 })).toBe(false)
  })
})

test('7.4: a fault that waits is still there for the next call where the one before was lost on its way', () => {
  const finalize = { operation: 'finalize' } as const
  const before = { phase: 'authenticated', faults: { finalize: ['undone' as ProviderFault] } } as const
  const lost = statesAfter([state(before)], call(finalize), { http: 0 }, DECIDED)
  expect(statesAfter(lost, call({ ...finalize, key: 'k2' }), { http: 500 }, DECIDED).length).toBeGreaterThan(0)
  expect(statesAfter(lost, call({ ...finalize, key: 'k2' }), SERVED, DECIDED).length).toBeGreaterThan(0)
})
