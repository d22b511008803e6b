import { describe, expect, test } from 'vitest'
import { openCore, type SimulatorCore } from '../support/simulator-core.ts'
import { readPayment, SAMPLE_PROVIDER_CALLS, transactionIdOf } from './sample-provider-calls.ts'

type Step = (typeof SAMPLE_PROVIDER_CALLS)[number]

/** Arms a fault for the step and prepares its payment. */
const armed = async (step: Step, wish: object) => {
  const core = await openCore()
  const request = await step.ready(core)
  const before = step.before ? await readPayment(core, transactionIdOf(request)) : undefined
  await core.arm({ operation: step.operation, ...wish })
  const call = (key = 'the key') => core.call(step.operation, request, { key })
  return { core, request, before, call }
}

const codeOf = ({ http, body }: { http: number; body: { statusInfo: { reasonCode: string } } }) => [
  http,
  body.statusInfo.reasonCode,
]

/** Asserts that the payment is unchanged. */
const untouched = async (
  core: SimulatorCore,
  request: object,
  before: Awaited<ReturnType<typeof readPayment>> | undefined,
) => {
  if (before) expect((await readPayment(core, transactionIdOf(request))).text).toEqual(before.text)
}

// biome-ignore format: a table reads by its columns
const NOTHING_DONE = [
  ['error',               { kind: 'error' },                 502, '8004'],
  ['timeout, not done',   { kind: 'timeout', done: 'no' },   504, '8001'],
  ['internal',            { kind: 'internal' },              500, '9999'],
  ['locked',              { kind: 'locked' },                423, '5003'],
  ['limited',             { kind: 'limited', after: 'PT2S' }, 429, '3000'],
  ['reset, not done',     { kind: 'reset', done: 'no' },     500, '9999'],
] as const

// biome-ignore format: a table reads by its columns
const SPOILED_ANSWERS = [
  ['reset, done', { kind: 'reset', done: 'yes' },            { kind: 'reset' }],
  ['slow',        { kind: 'slow', after: 'PT0.2S' },         { kind: 'slow', after: 200 }],
  ['dribble',     { kind: 'dribble', after: 'PT0.2S' },      { kind: 'dribble', after: 200 }],
  ['truncated',   { kind: 'truncated' },                     { kind: 'truncated' }],
  ['missigned',   { kind: 'missigned' },                     { kind: 'missigned' }],
  ['tampered',    { kind: 'tampered' },                      { kind: 'tampered' }],
] as const

describe.each(SAMPLE_PROVIDER_CALLS)('$operation', step => {
  test.each(NOTHING_DONE)(
    '7.4.2: %s: nothing is done or remembered, a retry carries it out',
    async (_, wish, ...told) => {
      const { core, request, before, call } = await armed(step, wish)
      expect(codeOf(await call())).toEqual(told)
      await untouched(core, request, before)
      const retry = await call()
      expect([retry.http, retry.replayed]).toEqual([200, false])
      const after = await readPayment(core, transactionIdOf(request, retry), before?.count)
      expect([after.state, after.events]).toEqual([step.after, step.events])
      expect((await call()).replayed).toBe(true)
    },
  )

  test.each(NOTHING_DONE)('7.1: %s armed twice hits two calls, whatever their keys', async (_, wish, ...told) => {
    const { call } = await armed(step, { ...wish, times: 2 })
    expect(codeOf(await call('one'))).toEqual(told)
    expect(codeOf(await call('other'))).toEqual(told)
    expect((await call('one')).http).toBe(200)
  })

  test('7.4.4: timeout, done: status and events show the effect, the key replays the response', async () => {
    const { core, request, before, call } = await armed(step, { kind: 'timeout', done: 'yes' })
    expect(codeOf(await call())).toEqual([504, '8001'])
    if (before) expect((await readPayment(core, transactionIdOf(request))).state).toBe(step.after)
    const retry = await call()
    expect([retry.http, retry.replayed]).toEqual([200, true])
    const after = await readPayment(core, transactionIdOf(request, retry), before?.count)
    expect([after.state, after.events]).toEqual([step.after, step.events])
  })

  test.each(SPOILED_ANSWERS)(
    '7.4.4, D-88: %s: the call is carried out, and the key replays the intact response',
    async (_, wish, wire) => {
      const { core, request, before, call } = await armed(step, wish)
      const spoiled = await call()
      expect([spoiled.http, spoiled.replayed, spoiled.wire]).toEqual([200, false, wire])
      const after = await readPayment(core, transactionIdOf(request, spoiled), before?.count)
      expect([after.state, after.events]).toEqual([step.after, step.events])
      expect(await call()).toEqual({ ...spoiled, replayed: true, wire: undefined })
      expect((await core.call('events', { transactionId: transactionIdOf(request, spoiled) })).body).toEqual(after.text)
    },
  )

  test('7.5: decline: 200 with the mapped code and the provider’s own', async () => {
    const { core, request, before, call } = await armed(step, { kind: 'decline', code: '3003' })
    const answer = await call()
    expect([answer.http, answer.body.status, answer.body.statusInfo.reasonCode]).toEqual([200, 'DECLINED', '2000'])
    expect(answer.body.providerDetails.providerStatusInfo.reasonCode).toBe('3003')
    const moves = ['capture', 'cancel', 'refund'].includes(step.operation)
    const after = await readPayment(core, transactionIdOf(request, answer), before?.count)
    expect(after.state).toBe(moves ? step.before : 'DECLINED')
    expect(after.events).toEqual([moves ? `payment.${step.operation}-declined` : 'payment.declined'])
    expect(await call()).toMatchObject({ replayed: true, text: answer.text })
  })

  test('7.4.4: timeout, late: 423 and unchanged until due, then carried out, and the key replays the response', async () => {
    const { core, request, before, call } = await armed(step, { kind: 'timeout', done: 'late', after: 'PT20S' })
    expect(codeOf(await call())).toEqual([504, '8001'])
    core.pass(19_999)
    expect(codeOf(await call())).toEqual([423, '5003'])
    await untouched(core, request, before)
    core.pass(1)
    const retry = await call()
    expect([retry.http, retry.replayed]).toEqual([200, true])
    const after = await readPayment(core, transactionIdOf(request, retry), before?.count)
    expect([after.state, after.events]).toEqual([step.after, step.events])
  })
})
