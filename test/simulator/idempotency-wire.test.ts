import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/exchange.ts'
import { jsonOf } from '../../contracts/client/exchange.ts'
import type { Merchant } from '../../contracts/client/merchant.ts'
import type { Draft } from '../../contracts/client/send.ts'
import { irisOf, merchantOf, otherMerchantOf, type Running, runningSimulator } from '../support/running.ts'

const told = (exchange: Exchange) => ({
  status: exchange.answer?.status,
  text: exchange.answer?.body.toString(),
  replayed: exchange.answer?.headers['idempotency-replayed'],
  reasonCode: (jsonOf(exchange) as { statusInfo?: { reasonCode: string } }).statusInfo?.reasonCode,
})

const initiate = async (merchant: Merchant, idempotencyKey: string, json: object = irisOf(merchant)) =>
  told(await merchant.request('initiate', { json, idempotencyKey }))

/** How many payments the demo organization began, by its journal. */
const begun = ({ operator, kit }: Running) =>
  operator.journal(kit.organizationId, 999).filter(call => call.operation === 'initiate' && !call.replayed).length

describe('over the wire', () => {
  test('I3: thirty identical calls at once make one payment and get one answer', async () => {
    const simulator = await runningSimulator()
    const merchant = merchantOf(simulator)
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 30 }, () => initiate(merchant, key)))
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ replayed }) => replayed === 'true')).toHaveLength(29)
    expect(answers.filter(({ replayed }) => replayed === undefined)).toHaveLength(1)
    expect(begun(simulator)).toBe(1)
  })

  test('I3: a replay is signed anew and passes as an answer', async () => {
    const simulator = await runningSimulator()
    const merchant = merchantOf(simulator)
    const request = irisOf(merchant)
    const first = await merchant.initiate(request, { idempotencyKey: 'k' })
    const again = await merchant.initiate(request, { idempotencyKey: 'k' })
    expect(again.exchange.answer?.body.equals(first.exchange.answer?.body ?? Buffer.alloc(0))).toBe(true)
    expect(again.exchange.answer?.headers.signature).not.toBe(first.exchange.answer?.headers.signature)
    expect(again.exchange.answer?.headers['content-digest']).toBe(first.exchange.answer?.headers['content-digest'])
  })

  test('I3: the same JSON in other words is the same payload', async () => {
    const simulator = await runningSimulator()
    const merchant = merchantOf(simulator)
    const first = await initiate(merchant, 'k')
    const bytes = Buffer.from(JSON.stringify(irisOf(merchant), null, 3).replace('order-1', '\\u006frder-1'))
    const again = told(await merchant.request('initiate', { bytes, idempotencyKey: 'k' }))
    expect(again).toMatchObject({ status: 200, text: first.text, replayed: 'true' })
  })

  test('I4: another payload is 409/3002 and is not marked as a replay', async () => {
    const simulator = await runningSimulator()
    const merchant = merchantOf(simulator)
    await initiate(merchant, 'k')
    const other = await initiate(merchant, 'k', { ...irisOf(merchant), clientTransactionId: 'other' })
    expect(other).toMatchObject({ status: 409, reasonCode: '3002', replayed: undefined })
  })

  test('I2: two organizations may use the same key', async () => {
    const simulator = await runningSimulator()
    const [merchant, other] = [merchantOf(simulator), await otherMerchantOf(simulator)]
    const answers = [await initiate(merchant, 'k'), await initiate(other, 'k')]
    expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual([
      [200, undefined],
      [200, undefined],
    ])
  })

  test('I3: a key holds for 24 hours on the organization’s clock', async () => {
    const simulator = await runningSimulator()
    const merchant = merchantOf(simulator)
    const { operator, kit } = simulator
    const { text } = await initiate(merchant, 'k')
    await operator.clock.advance(kit.organizationId, 24 * 3_600_000 - 60_000)
    expect(await initiate(merchant, 'k')).toMatchObject({ text, replayed: 'true' })
    await operator.clock.advance(kit.organizationId, 60_000)
    const anew = await initiate(merchant, 'k')
    expect([anew.status, anew.replayed, anew.text === text]).toEqual([200, undefined, false])
  })

  test('I3: a restart forgets nothing', async () => {
    const simulator = await runningSimulator()
    const first = await initiate(merchantOf(simulator), 'k')
    await simulator.stop()
    const again = await runningSimulator({ dataDir: simulator.dataDir })
    expect(await initiate(merchantOf(again), 'k')).toMatchObject({ status: 200, replayed: 'true', text: first.text })
  })

  test('I1: a 400 leaves the key free for the mended call', async () => {
    const simulator = await runningSimulator()
    const merchant = merchantOf(simulator)
    const broken = await initiate(merchant, 'k', { ...irisOf(merchant), returnUrl: 7 })
    expect(broken).toMatchObject({ status: 400, reasonCode: '4000' })
    expect(await initiate(merchant, 'k')).toMatchObject({ status: 200, replayed: undefined })
  })

  test('I1: no key, or one that is none, is 400/4000 wherever one is due', async () => {
    const merchant = merchantOf(await runningSimulator())
    const withoutKey = ({ headers: { 'idempotency-key': _, ...headers }, ...draft }: Draft) => ({ ...draft, headers })
    for (const endpoint of ['initiate', 'finalize', 'capture', 'cancel', 'refund'] as const) {
      const json = irisOf(merchant)
      const answers = [told(await merchant.request(endpoint, { json }, { beforeSigning: withoutKey }))]
      for (const idempotencyKey of ['', ' ', 'two words', 'k'.repeat(256), 'é'])
        answers.push(told(await merchant.request(endpoint, { json, idempotencyKey })))
      expect(answers.map(({ status, reasonCode }) => [status, reasonCode])).toEqual(Array(6).fill([400, '4000']))
    }
  })

  test('I2: 255 visible characters are a key, a UUID or not', async () => {
    const simulator = await runningSimulator()
    const merchant = merchantOf(simulator)
    const key = `!~"{}${'k'.repeat(250)}`
    expect(await initiate(merchant, key)).toMatchObject({ status: 200, replayed: undefined })
    expect(await initiate(merchant, key)).toMatchObject({ status: 200, replayed: 'true' })
  })
})
