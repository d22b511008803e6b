import { beforeEach, expect, test } from 'vitest'
import { NoAnswer, UntrustedAnswer } from '../../contracts/client/call-error.ts'
import type { Merchant } from '../../contracts/client/merchant.ts'
import { irisOf, merchantOf, type Running, runningSimulator } from '../support/running.ts'

let simulator: Running
let merchant: Merchant

beforeEach(async () => {
  simulator = await runningSimulator()
  merchant = merchantOf(simulator)
  await merchant.tokenFor()
})

const arm = (wish: object) =>
  simulator.operator.faults.arm(simulator.kit.organizationId, { operation: 'initiate', ...wish })
const initiate = () => merchant.initiate(irisOf(merchant), { idempotencyKey: 'key' })

// biome-ignore format: a table reads by its columns
test.each([
  [{ kind: 'reset', done: 'yes' }, 'true'],
  [{ kind: 'reset', done: 'no' },  undefined],
  [{ kind: 'truncated' },          'true'],
])('7.4.4: %j is no answer, is not sent again by itself, and the same key finds what came of it', async (wish, replayed) => {
  await arm(wish)
  const error = await initiate().catch(caught => caught)
  expect(error).toBeInstanceOf(NoAnswer)
  expect([error.exchange.answer, error.exchange.fault.code]).toEqual([undefined, 'ECONNRESET'])
  const { ok, exchange } = await initiate()
  expect([ok, exchange.answer?.headers['idempotency-replayed']]).toEqual([true, replayed])
})

test('5.4: an answer signed wrongly is not believed; its replay is', async () => {
  await arm({ kind: 'missigned' })
  const error = await initiate().catch(caught => caught)
  expect(error).toBeInstanceOf(UntrustedAnswer)
  expect(error.message).toContain('does not verify')
  expect((await initiate()).exchange.answer?.headers['idempotency-replayed']).toBe('true')
})

test('5.4: an answer that was changed on the way is not believed; its replay is', async () => {
  await arm({ kind: 'tampered' })
  const error = await initiate().catch(caught => caught)
  expect(error).toBeInstanceOf(UntrustedAnswer)
  expect(JSON.parse(error.exchange.answer.body).transactionId).toMatch(/^0badc0de-/)
  const answer = await initiate()
  const replayed = answer.exchange.answer?.headers['idempotency-replayed']
  expect([answer.ok && answer.body.transactionId.startsWith('0badc0de'), replayed]).toEqual([false, 'true'])
})

test.each(['slow', 'dribble'])('7.4: %s is waited for, and is as good as any', async kind => {
  await arm({ kind, after: 'PT0.1S' })
  expect(await initiate()).toMatchObject({ ok: true, status: 200 })
})

test.each(['slow', 'dribble'])(
  '7.4: %s beyond the patience of the client is no answer, and the key has it',
  async kind => {
    await arm({ kind, after: 'PT1M' })
    const hasty = merchantOf(simulator, { timeoutMs: 500 })
    await hasty.tokenFor()
    const { answer, fault } = await hasty.request('initiate', { json: irisOf(hasty), idempotencyKey: 'key' })
    expect([answer, fault?.code]).toEqual([undefined, 'TIMEOUT'])
    const [entry] = simulator.operator.journal(simulator.kit.organizationId, 1)
    expect(entry).toMatchObject({ spoiled: kind, answer: { status: 200 } })
  },
)
