import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { responseJson } from '../../contracts/client/http-exchange.ts'
import type { Merchant } from '../../contracts/client/merchant-client.ts'
import type { OutgoingRequest } from '../../contracts/client/send-signed-call.ts'
import {
  createSecondMerchant,
  irisRequestOf,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

const told = (exchange: Exchange) => ({
  status: exchange.response?.status,
  text: exchange.response?.body.toString(),
  replayed: exchange.response?.headers['idempotency-replayed'],
  reasonCode: (responseJson(exchange) as { statusInfo?: { reasonCode: string } }).statusInfo?.reasonCode,
})

const initiate = async (merchant: Merchant, idempotencyKey: string, json: object = irisRequestOf(merchant)) =>
  told(await merchant.request('initiate', { json, idempotencyKey }))

/** Number of payments that the demo organization initiated, by its journal. */
const begun = ({ controlPlane: operator, kit }: ScopedSimulator) =>
  operator.journal.latest(kit.organizationId, 999).filter(call => call.operation === 'initiate' && !call.replayed)
    .length

describe('idempotency over HTTP', () => {
  test('I3: thirty concurrent identical calls create one payment and get one response', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 30 }, () => initiate(merchant, key)))
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ replayed }) => replayed === 'true')).toHaveLength(29)
    expect(answers.filter(({ replayed }) => replayed === undefined)).toHaveLength(1)
    expect(begun(simulator)).toBe(1)
  })

  test('I3: a replay has the same body and a new signature', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const request = irisRequestOf(merchant)
    const first = await merchant.initiate(request, { idempotencyKey: 'k' })
    const again = await merchant.initiate(request, { idempotencyKey: 'k' })
    expect(again.exchange.response?.body.equals(first.exchange.response?.body ?? Buffer.alloc(0))).toBe(true)
    expect(again.exchange.response?.headers.signature).not.toBe(first.exchange.response?.headers.signature)
    expect(again.exchange.response?.headers['content-digest']).toBe(first.exchange.response?.headers['content-digest'])
  })

  test('I3: the same JSON with other whitespace and escapes is the same payload', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const first = await initiate(merchant, 'k')
    const bytes = Buffer.from(JSON.stringify(irisRequestOf(merchant), null, 3).replace('order-1', '\\u006frder-1'))
    const again = told(await merchant.request('initiate', { bytes, idempotencyKey: 'k' }))
    expect(again).toMatchObject({ status: 200, text: first.text, replayed: 'true' })
  })

  test('I4: another payload is 409/3002 and is not marked as a replay', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    await initiate(merchant, 'k')
    const other = await initiate(merchant, 'k', { ...irisRequestOf(merchant), clientTransactionId: 'other' })
    expect(other).toMatchObject({ status: 409, reasonCode: '3002', replayed: undefined })
  })

  test('I2: two organizations may use the same key', async () => {
    const simulator = await startScopedSimulator()
    const [merchant, other] = [merchantOf(simulator), await createSecondMerchant(simulator)]
    const answers = [await initiate(merchant, 'k'), await initiate(other, 'k')]
    expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual([
      [200, undefined],
      [200, undefined],
    ])
  })

  test('I3: a key holds for 24 hours on the organization’s clock', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const { controlPlane: operator, kit } = simulator
    const { text } = await initiate(merchant, 'k')
    await operator.clock.advance(kit.organizationId, 24 * 3_600_000 - 60_000)
    expect(await initiate(merchant, 'k')).toMatchObject({ text, replayed: 'true' })
    await operator.clock.advance(kit.organizationId, 60_000)
    const anew = await initiate(merchant, 'k')
    expect([anew.status, anew.replayed, anew.text === text]).toEqual([200, undefined, false])
  })

  test('I3: replays survive a restart', async () => {
    const simulator = await startScopedSimulator()
    const first = await initiate(merchantOf(simulator), 'k')
    await simulator.stop()
    const again = await startScopedSimulator({ dataDir: simulator.dataDir })
    expect(await initiate(merchantOf(again), 'k')).toMatchObject({ status: 200, replayed: 'true', text: first.text })
  })

  test('I1: a 400 leaves the key free for the corrected call', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const broken = await initiate(merchant, 'k', { ...irisRequestOf(merchant), returnUrl: 7 })
    expect(broken).toMatchObject({ status: 400, reasonCode: '4000' })
    expect(await initiate(merchant, 'k')).toMatchObject({ status: 200, replayed: undefined })
  })

  test('I1: a missing or invalid key is 400/4000 on every operation that requires one', async () => {
    const merchant = merchantOf(await startScopedSimulator())
    const withoutKey = ({ headers: { 'idempotency-key': _, ...headers }, ...draft }: OutgoingRequest) => ({
      ...draft,
      headers,
    })
    for (const endpoint of ['initiate', 'finalize', 'capture', 'cancel', 'refund'] as const) {
      const json = irisRequestOf(merchant)
      const answers = [told(await merchant.request(endpoint, { json }, { beforeSigning: withoutKey }))]
      for (const idempotencyKey of ['', ' ', 'two words', 'k'.repeat(256), 'é'])
        answers.push(told(await merchant.request(endpoint, { json, idempotencyKey })))
      expect(answers.map(({ status, reasonCode }) => [status, reasonCode])).toEqual(Array(6).fill([400, '4000']))
    }
  })

  test('I2: a key may have up to 255 visible characters and need not be a UUID', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const key = `!~"{}${'k'.repeat(250)}`
    expect(await initiate(merchant, key)).toMatchObject({ status: 200, replayed: undefined })
    expect(await initiate(merchant, key)).toMatchObject({ status: 200, replayed: 'true' })
  })
})
