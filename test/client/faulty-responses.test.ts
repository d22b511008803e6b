import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { NoResponse, UntrustedResponse } from '../../contracts/client/call-errors.ts'
import type { Merchant } from '../../contracts/client/merchant-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import {
  irisRequestOf,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

let simulator: ScopedSimulator
let merchant: Merchant

beforeEach(async () => {
  simulator = await startScopedSimulator()
  merchant = merchantOf(simulator)
  await merchant.tokenFor()
})

const arm = (wish: object) =>
  simulator.controlPlane.faults.arm(simulator.kit.organizationId, { operation: 'initiate', ...wish })
const initiate = () => merchant.initiate(irisRequestOf(merchant), { idempotencyKey: 'key' })

// biome-ignore format: a table reads by its columns
test.each([
  [{ kind: 'reset', done: 'yes' }, 'true'],
  [{ kind: 'reset', done: 'no' },  undefined],
  [{ kind: 'truncated' },          'true'],
])('7.4.4: after %j there is no response and no automatic retry, and the same key returns the result', async (wish, replayed) => {
  await arm(wish)
  const error = await initiate().catch(caught => caught)
  expect(error).toBeInstanceOf(NoResponse)
  expect([error.exchange.response, error.exchange.transportError.code]).toEqual([undefined, 'ECONNRESET'])
  const { ok, exchange } = await initiate()
  expect([ok, exchange.response?.headers['idempotency-replayed']]).toEqual([true, replayed])
})

test('5.4: a response with a wrong signature is rejected; its replay is accepted', async () => {
  await arm({ kind: 'missigned' })
  const error = await initiate().catch(caught => caught)
  expect(error).toBeInstanceOf(UntrustedResponse)
  expect(error.message).toContain('does not verify')
  expect((await initiate()).exchange.response?.headers['idempotency-replayed']).toBe('true')
})

test('5.4: a response changed in transit is rejected; its replay is accepted', async () => {
  await arm({ kind: 'tampered' })
  const error = await initiate().catch(caught => caught)
  expect(error).toBeInstanceOf(UntrustedResponse)
  expect(JSON.parse(error.exchange.response.body).transactionId).toMatch(/^0badc0de-/)
  const answer = await initiate()
  const replayed = answer.exchange.response?.headers['idempotency-replayed']
  expect([answer.ok && answer.body.transactionId.startsWith('0badc0de'), replayed]).toEqual([false, 'true'])
})

test('5.4, D-121: a response with a short id is changed in transit as well', async () => {
  await simulator.stop()
  const dialect = join(temporaryFolder(), 'short.yaml')
  writeFileSync(dialect, 'name: short\ndecisions: { D-121: short }\n')
  simulator = await startScopedSimulator({ dialect })
  merchant = merchantOf(simulator)
  await arm({ kind: 'tampered' })
  const error = await initiate().catch(caught => caught)
  expect(error).toBeInstanceOf(UntrustedResponse)
  expect(JSON.parse(error.exchange.response.body).transactionId).toMatch(/^0BADC0DE[0-9A-Z]{4}$/)
})

test.each(['slow', 'dribble'])('7.4: a %s response is waited for and accepted', async kind => {
  await arm({ kind, after: 'PT0.1S' })
  expect(await initiate()).toMatchObject({ ok: true, status: 200 })
})

test.each(['slow', 'dribble'])(
  '7.4: a %s response beyond the client timeout is missing, and the key returns it',
  async kind => {
    await arm({ kind, after: 'PT1M' })
    const hasty = merchantOf(simulator, { timeoutMs: 500 })
    await hasty.tokenFor()
    const { response, transportError } = await hasty.request('initiate', {
      json: irisRequestOf(hasty),
      idempotencyKey: 'key',
    })
    expect([response, transportError?.code]).toEqual([undefined, 'TIMEOUT'])
    const [entry] = simulator.controlPlane.journal.latest(simulator.kit.organizationId, 1)
    expect(entry).toMatchObject({ injectedFault: kind, response: { status: 200 } })
  },
)
