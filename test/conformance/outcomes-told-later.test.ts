import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { createExpect } from '../../contracts/harness/judge/check-assertions.ts'
import { EmptyCell } from '../../contracts/harness/judge/judge-grid-cells.ts'
import { Blocked, Inconclusive, Mismatch, Untestable } from '../../contracts/harness/judge/verdict-errors.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import type { OperationName } from '../../contracts/operations.ts'
import { judgeBySteps, registry, type Steps } from './judge-by-steps.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

const profile = readProfile(SIMULATOR_PROFILE)

const answering = (endpoint: OperationName, body: unknown, status = 200): Exchange => ({
  request: { method: 'POST', url: 'https://localhost/', headers: {}, endpoint },
  response: { status, headers: {}, body: Buffer.from(JSON.stringify(body)) },
  durationMs: 1,
})

const pending = answering('initiate', { transactionId: 'id', status: 'PENDING', statusInfo: { reasonCode: '-1' } })
const told = (state: string, reasonCode: string) =>
  answering('status', { lifecycle: { state }, statusInfo: { reasonCode } })

test.each([
  ['BLK-04', 'BLK-04', 'BLK-04 outcome'],
  ['BLK-06', 'BLK-06 used code', 'BLK-06 outcome'],
])('7.5, E5, S44: %s finds its code where the provider tells it after initiate', async (id, initiated, outcome) => {
  const judge = async (status: Exchange) => {
    const steps: Readonly<Record<string, Exchange>> = { first: pending, [initiated]: pending, [outcome]: status }
    const evidence = { transcript: [], of: (step: string) => steps[step] ?? pending }
    await registry.get(id)?.judge(evidence, createExpect(profile, { id }))
  }
  await expect(judge(told('DECLINED', '4000'))).resolves.toBeUndefined()
  await expect(judge(told('DECLINED', '2001'))).rejects.toThrow(Mismatch)
  await expect(judge(told('AWAITING_SHOPPER', '-1'))).rejects.toThrow(Mismatch)
})

/** The profile of a deployment without a control API, of which nothing says how long an effect may take. */
const { control: _, settlement: __, ...uncontrolled } = profile
const states = { ...profile.states, processing: ['PROCESSING'] }
const slow: Profile = { ...uncontrolled, states }
const prompt: Profile = { ...slow, patience: 'PT15S' }

const accepted = (endpoint: OperationName, more: object = {}) =>
  answering(endpoint, { transactionId: 'id', status: 'ACCEPTED', statusInfo: { reasonCode: '-1' }, ...more }, 202)
const approved = (endpoint: OperationName, more: object = {}) =>
  answering(endpoint, { transactionId: 'id', status: 'APPROVED', statusInfo: { reasonCode: '-1' }, ...more })
const refused = (endpoint: OperationName, http = 422, reasonCode = '5002') =>
  answering(endpoint, { status: 'DECLINED', statusInfo: { reasonCode } }, http)
const inState = (state: string) => approved('status', { lifecycle: { state } })

const forbidden = (id: string, step: string, later: Exchange, call = accepted('charge')): Steps => ({
  ...{ charge: approved('charge'), [step]: call, [`${step}, later`]: later, [`${id} status`]: inState('DECLINED') },
})

// biome-ignore format: a table reads by its columns
test.each([
  ['GRD-45', 'PROCESSING',        slow,   Inconclusive],
  ['GRD-45', 'AWAITING_SHOPPER',  slow,   Inconclusive],
  ['GRD-45', 'DECLINED',          slow,   undefined],
  ['GRD-45', 'AUTHORIZED',        slow,   Mismatch],
  ['GRD-45', 'PROCESSING',        prompt, Mismatch],
  ['VAL-46', 'PROCESSING',        slow,   Inconclusive],
  ['VAL-46', 'CAPTURED',          slow,   Mismatch],
] as const)('E5: %s of a charge whose payment is %s after the wait', async (id, state, by, verdict) => {
  const steps = forbidden(id, `${id} charge`, inState(state))
  const error = await judgeBySteps(id, steps, by)
  if (verdict) expect(error).toBeInstanceOf(verdict)
  else expect(error).toBeUndefined()
})

test('E5: a refused or accepted call is not condemned while what it left is in progress, or could not be read', async () => {
  const left = answering('charge', { transactionId: 'id', statusInfo: { reasonCode: '4000' } }, 400)
  const lost: Exchange = {
    ...inState('x'),
    response: undefined,
    transportError: { code: 'TIMEOUT', message: '' },
  } as never
  for (const [call, later, verdict] of [
    [left, inState('PROCESSING'), Inconclusive],
    [left, lost, Inconclusive],
    [accepted('charge'), lost, Inconclusive],
    [left, inState('AUTHORIZED'), Mismatch],
  ] as const)
    expect(await judgeBySteps('GRD-45', forbidden('GRD-45', 'GRD-45 charge', later, call), slow)).toBeInstanceOf(
      verdict,
    )
})

test('2.2, E5: an initiate that must be refused is condemned once its payment waits for the shopper', async () => {
  const initiated = (state: string) => ({ 'VAL-11': accepted('initiate'), 'VAL-11 later': inState(state) })
  expect(await judgeBySteps('VAL-11', initiated('PROCESSING'), slow)).toBeInstanceOf(Inconclusive)
  expect(await judgeBySteps('VAL-11', initiated('AWAITING_SHOPPER'), slow)).toBeInstanceOf(Mismatch)
})

const eventsIn = (state: string, more: object = {}) =>
  approved('events', { lifecycle: { state }, timeline: [{}], ...more })

/** Evidence of two payments of one reference, of which the first was paid. */
const two = (more: Steps): Steps => ({
  ...{ first: approved('initiate', { transactionId: 'one' }), second: approved('initiate', { transactionId: 'two' }) },
  ...{ finalize: approved('finalize'), capture: approved('capture'), refund: approved('refund') },
  ...{ 'first status': inState('AUTHORIZED'), 'second status': inState('AWAITING_SHOPPER') },
  ...{ 'first events': eventsIn('AUTHORIZED'), 'second events': eventsIn('AWAITING_SHOPPER') },
  ...{ 'first before refund': inState('SETTLED'), 'second at last': inState('AWAITING_SHOPPER') },
  ...more,
})

/** The profile of a deployment that has one word for a payment until its capture. */
const open: Profile = {
  ...uncontrolled,
  states: { ...states, ...{ waiting: ['OPEN'], authenticated: ['OPEN'], authorized: ['OPEN'], captured: ['PAID'] } },
}
const OPEN = { 'second status': inState('OPEN'), 'second events': eventsIn('OPEN'), 'second at last': inState('OPEN') }
const STILL = { 'first status': inState('OPEN'), 'first events': eventsIn('OPEN') }
const ALIKE = { 'first events': eventsIn('AWAITING_SHOPPER') }

// biome-ignore format: a table reads by its columns
test.each<[what: string, id: string, steps: Steps, by: Profile, verdict: unknown]>([
  ['all as it should be',                'RDS-21', {}, slow, undefined],
  ['all as it should be',                'RDS-22', {}, slow, undefined],
  ['a captured one that has not settled','RDS-22', { refund: refused('refund'), 'first before refund': inState('CAPTURED') }, slow, undefined],
  ['a settled one without refund',       'RDS-22', { refund: refused('refund') }, slow, Mismatch],
  ['a capture that found another',       'RDS-22', { capture: refused('capture') }, slow, Mismatch],
  ['a capture of what is captured',      'RDS-22', { capture: refused('capture'), 'first status': inState('CAPTURED') }, slow, Blocked],
  ['no finalize at all',                 'RDS-22', { finalize: refused('finalize', 501, '8003') }, slow, Blocked],
  ['a finalize that found another',      'RDS-22', { finalize: refused('finalize') }, slow, Mismatch],
  ['the other one paid',                 'RDS-22', { 'second at last': inState('CAPTURED') }, slow, Mismatch],
  ['one word until the capture',         'RDS-21', { ...OPEN, 'first status': inState('PAID'), 'first events': eventsIn('PAID') }, open, undefined],
  ['one word of both, not captured yet', 'RDS-21', { ...OPEN, ...STILL }, open, undefined],
  ['one word until the capture',         'RDS-22', { ...OPEN, 'first status': inState('PAID') }, open, undefined],
  ['events that show the step later',    'RDS-21', ALIKE, slow, Inconclusive],
  ['events that never show the step',    'RDS-21', ALIKE, prompt, Mismatch],
  ['events of the other one',            'RDS-21', { 'second events': eventsIn('AUTHORIZED') }, slow, Mismatch],
  ['a decline after finalize',           'RDS-21', { 'first status': inState('DECLINED') }, slow, Blocked],
  ['the other one paid',                 'RDS-21', { 'second status': inState('AUTHORIZED') }, slow, Mismatch],
])('R1, E5: two payments of one reference: %s: %s', async (_what, id, steps, by, verdict) => {
  const error = await judgeBySteps(id, two(steps), by)
  if (verdict) expect(error).toBeInstanceOf(verdict)
  else expect(error).toBeUndefined()
})

test.each([
  ['charge', slow, Inconclusive],
  ['charge', prompt, Mismatch],
  ['finalize', slow, Inconclusive],
] as const)('2.1, E5: an automatic capture of %s that may come later', async (late, by, verdict) => {
  const steps = Object.fromEntries(
    (['finalize', 'charge'] as const).flatMap(operation =>
      [true, false].flatMap(value => [
        [`${operation} with ${value}`, approved(operation)],
        [`status after ${operation} with ${value}`, inState(value && operation !== late ? 'CAPTURED' : 'AUTHORIZED')],
      ]),
    ),
  )
  expect(await judgeBySteps('GRD-47', steps, by)).toBeInstanceOf(verdict)
  const captured = { ...steps, [`status after ${late} with true`]: inState('SETTLED') }
  expect(await judgeBySteps('GRD-47', captured, by)).toBeUndefined()
  const never = { ...captured, [`status after ${late} with false`]: inState('CAPTURED') }
  expect(await judgeBySteps('GRD-47', never, by)).toBeInstanceOf(Mismatch)
})

const standingIn = (state: string, sums: object) => eventsIn(state, { paymentDetails: sums })
const furtherState = (id: string, state: string, [then, now]: readonly [Exchange, Exchange]): Steps => ({
  ...{ [`${id} before`]: inState(state), [`${id} events`]: then, [`${id} after finalize`]: now },
  ...{
    [`${id} capture`]: refused('capture'),
    [`${id} cancel`]: refused('cancel'),
    [`${id} refund`]: refused('refund'),
  },
  ...{ 'capture in time': approved('capture'), 'cancel in time': approved('cancel') },
  ...{ 'refund in time': approved('refund'), [`${id} finalize`]: approved('finalize') },
})
const NONE = { capturedAmount: 0, refundedAmount: 0 }

// biome-ignore format: a table reads by its columns
test.each([
  ['GRD-72', 'AUTHORIZED',         NONE,                    'PARTIALLY_CAPTURED', { ...NONE, capturedAmount: 400 }],
  ['GRD-73', 'SETTLED',            NONE,                    'PARTIALLY_REFUNDED', { ...NONE, refundedAmount: 400 }],
  ['GRD-74', 'AUTHENTICATED',      NONE,                    'TOKENIZED',          NONE],
] as const)('D-35, E5: %s of an act that shows after finalize was repeated', async (id, then, sums, now, later) => {
  const read = [standingIn(then, sums), standingIn(now, later)] as const
  expect(await judgeBySteps(id, furtherState(id, then, read), slow)).toBeInstanceOf(Inconclusive)
  expect(await judgeBySteps(id, furtherState(id, then, read), prompt)).toBeInstanceOf(Mismatch)
  expect(await judgeBySteps(id, furtherState(id, then, [read[0], read[0]]), slow)).toBeUndefined()
  const moved = [standingIn(now, later), standingIn('REFUNDED', { capturedAmount: 1000, refundedAmount: 1000 })] as const
  expect(await judgeBySteps(id, furtherState(id, then, moved), slow)).toBeInstanceOf(Mismatch)
})

test('2.1, R2, E5: a cancel that is refused as its payment was captured a moment after finalize is no failure', async () => {
  const row = (kind: 'IRIS' | 'RECURRING', captured: Exchange) => {
    const steps = {
      ...{ authorized: inState('AUTHORIZED'), cancel: refused('cancel'), 'after the refusal': captured },
      ...(kind === 'IRIS' && { 'initiate, captured by hand': approved('initiate') }),
    }
    return Object.fromEntries(Object.entries(steps).map(([step, it]) => [`${kind}, authorized ${step}`, it]))
  }
  const judge = (kind: 'IRIS' | 'RECURRING', state: string) => judgeBySteps('GRD-90', row(kind, inState(state)), slow)
  expect(await judge('IRIS', 'CAPTURED')).toBeInstanceOf(EmptyCell)
  expect(await judge('RECURRING', 'SETTLED')).toBeInstanceOf(Blocked)
  for (const kind of ['IRIS', 'RECURRING'] as const)
    expect([kind, await judge(kind, 'AUTHORIZED')]).toEqual([kind, expect.any(Mismatch)])
})

test('7.4.2: a temporary decline that did not come, or that is a refusal, is not judged to be carried out anew', async () => {
  const declined = (http: number, reasonCode: string) =>
    answering('initiate', { transactionId: 'id', status: 'DECLINED', statusInfo: { reasonCode } }, http)
  const judge = (first: Exchange) => judgeBySteps('IDM-42', { 'IDM-42 declined': first, 'IDM-42 again': pending }, slow)
  expect(await judge(pending)).toBeInstanceOf(Blocked)
  expect(await judge(declined(200, '1000'))).toBeInstanceOf(Blocked)
  expect(await judge(declined(422, '8004'))).toBeInstanceOf(EmptyCell)
  expect(await judge(declined(200, '8004'))).toBeInstanceOf(Mismatch)
})

test('1, E5: where no captured sum shows, nothing vouches that a payment for a token captured nothing', async () => {
  const judge = (sum: Exchange) =>
    judgeBySteps('VAL-48', { 'VAL-48 finalize': accepted('finalize'), 'VAL-48 sum': sum }, slow)
  expect(await judge(eventsIn('TOKENIZED'))).toBeInstanceOf(Untestable)
  expect(await judge(standingIn('TOKENIZED', { capturedAmount: 0 }))).toBeUndefined()
  expect(await judge(standingIn('TOKENIZED', { capturedAmount: 1000 }))).toBeInstanceOf(Mismatch)
})

test.each([
  [
    'told anew, with its attempt',
    [
      { status: 'APPROVED', attempt: 1 },
      { status: 'APPROVED', attempt: 2 },
    ],
    Inconclusive,
  ],
  [
    'told anew at another time',
    [
      { status: 'APPROVED', sentAt: 'a' },
      { status: 'APPROVED', sentAt: 'b' },
    ],
    Inconclusive,
  ],
  [
    'of another step',
    [
      { status: 'APPROVED', attempt: 1 },
      { status: 'CAPTURED', attempt: 1 },
    ],
    undefined,
  ],
  ['no JSON', ['APPROVED <1>', 'APPROVED <2>'], undefined],
])('6: a webhook without an id that is %s', async (_what, bodies, verdict) => {
  const webhooks = bodies.map(body => ({
    ...{ target: '/', headers: {} },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }))
  const shown = (count: number) => approved('events', { timeline: Array(count).fill({}) })
  const came = (count: number) => approved('status', { reached: true, webhooks: webhooks.slice(0, count) })
  const error = await judgeBySteps(
    'GRD-52',
    {
      ...{ 'paid events': shown(1), 'paid webhooks': came(0) },
      ...{ 'paid finalize events': shown(2), 'paid finalize webhooks': came(1) },
      ...{ 'paid capture events': shown(3), 'paid capture webhooks': came(2) },
    },
    slow,
  )
  if (verdict) expect(error).toBeInstanceOf(verdict)
  else expect(error).toBeUndefined()
})
