import { describe, expect, test } from 'vitest'
import { SEARCH_SCAN_LIMIT } from '../../simulator/store/unit-of-work.ts'
import { DAY } from '../../simulator/support/duration.ts'
import { writeInUnit } from '../store/run-unit-of-work.ts'
import { change, payment } from '../store/sample-records.ts'
import { actionRequest, blikRequest, irisRequest } from '../support/payment-requests.ts'
import { ACCOUNT, openCore, type SimulatorCore, START } from '../support/simulator-core.ts'

const search = async (core: SimulatorCore, request: object = {}, organizationId?: string) => {
  const { http, body } = await core.call('search', request, organizationId === undefined ? {} : { organizationId })
  expect(http).toBe(200)
  return { ...body, ids: body.payments.map(({ transactionId }: { transactionId: string }) => transactionId) }
}

const iris = async (core: SimulatorCore, more: object = {}): Promise<string> =>
  (await core.call('initiate', { ...irisRequest(), ...more })).body.transactionId

/** Ids of all pages of a search; `meanwhile` runs after each page. */
const pages = async (core: SimulatorCore, request: object, meanwhile?: () => Promise<unknown>): Promise<string[]> => {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await search(core, { ...request, ...(cursor === undefined ? {} : { cursor }) })
    found.push(...page.ids)
    cursor = page.nextCursor
    await meanwhile?.()
  } while (cursor !== undefined)
  return found
}

describe('4: search', () => {
  test('D-73: returns the newest first, each with status, provider, amount and time', async () => {
    const core = await openCore()
    const first = await iris(core, { metadata: { basket: 'b-1' } })
    core.pass(1000)
    const second = await iris(core)
    const { payments, nextCursor } = await search(core)
    expect(payments.map((found: { transactionId: string }) => found.transactionId)).toEqual([second, first])
    expect(nextCursor).toBeUndefined()
    expect(payments[1]).toEqual({
      ...(await core.status(first)).body,
      providerDetails: { providerId: 'IRIS' },
      paymentDetails: { amount: 1000, currency: 'EUR' },
      createdAt: '2026-01-05T12:00:00.000Z',
    })
  })

  test('D-73: filters by each criterion alone and by all together', async () => {
    const core = await openCore()
    const code = await core.code()
    const blik = (
      await core.call('initiate', {
        ...blikRequest(code, { amount: 700 }),
        clientTransactionId: 'a',
        payerDetails: { oneTimeCode: code, payerId: 'anna' },
      })
    ).body.transactionId
    core.pass(5_000)
    await iris(core, { processingAccountId: `${ACCOUNT.slice(0, -1)}2` })
    await core.decide(blik, 'decline')
    // biome-ignore format: a table reads by its columns
    const narrowing = {
      processingAccountId: ACCOUNT, clientTransactionId: 'a', payerId: 'anna', providerId: 'BLIK', status: 'DECLINED',
      amountTo: 700, createdTo: '2026-01-05T12:00:00.000Z',
    }
    for (const [name, value] of Object.entries(narrowing))
      expect([name, (await search(core, { [name]: value })).ids]).toEqual([name, [blik]])
    expect((await search(core, { ...narrowing, amountFrom: 700, createdFrom: '2026-01-05T12:00:00Z' })).ids).toEqual([
      blik,
    ])
    for (const none of [
      { payerId: 'bert' },
      { status: 'CANCELED' },
      { amountFrom: 1001 },
      { createdTo: '2025-12-31T23:59:60Z' },
    ])
      expect((await search(core, none)).ids).toEqual([])
  })

  test('7: finds a payment by its current status', async () => {
    const core = await openCore()
    const id = await iris(core)
    expect((await search(core, { status: 'PENDING' })).ids).toEqual([id])
    await core.decide(id, 'approve')
    expect([(await search(core, { status: 'PENDING' })).ids, (await search(core, { status: 'ACCEPTED' })).ids]).toEqual(
      [[], [id]],
    )
    await core.call('finalize', actionRequest(id))
    expect((await search(core, { status: 'APPROVED' })).ids).toEqual([id])
  })

  test('7.1: never returns payments of another organization', async () => {
    const core = await openCore()
    const id = await iris(core)
    const cursor = Buffer.from(id).toString('base64url')
    for (const request of [
      {},
      { clientTransactionId: 'order-1' },
      { processingAccountId: ACCOUNT },
      { status: 'PENDING' },
    ])
      expect((await search(core, request, 'other')).ids).toEqual([])
    expect((await core.call('search', { cursor }, { organizationId: 'other' })).http).toBe(400)
  })

  test('8, D-74: finds a payment by its reference for a year, by other criteria without limit', async () => {
    const core = await openCore()
    const id = await iris(core)
    core.time.now = START + 365 * DAY
    expect((await search(core, { clientTransactionId: 'order-1' })).ids).toEqual([id])
    core.time.now += 1
    expect((await search(core, { clientTransactionId: 'order-1' })).ids).toEqual([])
    expect((await search(core, { clientTransactionId: 'order-1', createdFrom: '2026-01-01T00:00:00Z' })).ids).toEqual(
      [],
    )
    expect((await search(core, { payerId: 'shopper-1' })).ids).toEqual([id])
    expect((await core.status(id)).http).toBe(200)
  })
})

describe('D-73: pages of a search', () => {
  test('return every payment once and in order, also those of the same millisecond', async () => {
    const core = await openCore()
    const made: string[] = []
    for (let number = 0; number < 25; number += 1) {
      made.unshift(await iris(core))
      if (number % 5 === 0) core.pass(1)
    }
    expect((await search(core)).ids).toEqual(made.slice(0, 20))
    expect(await pages(core, { limit: 7 })).toEqual(made)
    expect(await pages(core, { limit: 25 })).toEqual(made)
    expect(await pages(core, { limit: 3, createdTo: '2026-01-05T12:00:00.002Z' })).toEqual(made.slice(-11))
    expect(await pages(core, { limit: 4, clientTransactionId: 'order-1', amountFrom: 1000 })).toEqual(made)
  })

  test('are not shifted by new payments', async () => {
    const core = await openCore()
    const made: string[] = []
    for (let number = 0; number < 12; number += 1) made.unshift(await iris(core))
    let arriving = 0
    const found = await pages(core, { limit: 3 }, async () => {
      core.pass(1)
      if (arriving++ < 10) await iris(core)
    })
    expect(found).toEqual(made)
  })

  test.each(['nonsense', '%%%', Buffer.from('no such payment').toString('base64url'), ''])(
    'with the invalid cursor %j are refused with 400',
    async cursor => {
      const core = await openCore()
      await iris(core)
      const told = await core.call('search', { cursor })
      expect([told.http, told.body.statusInfo.reasonCode, Object.keys(told.body.fields)]).toEqual([
        400,
        '4000',
        ['cursor'],
      ])
    },
  )

  test('scan a bounded number of payments each, and may be empty with a next cursor', async () => {
    const core = await openCore()
    const crowd = 2 * SEARCH_SCAN_LIMIT + 10
    for (let number = 0; number < crowd; number += 1)
      await writeInUnit(core.store, {
        change: change(payment(`t${number}`, { amount: number === 3 ? 5 : 1000, createdAt: number })),
      })
    const first = await search(core, { amountTo: 10 })
    expect([first.ids, typeof first.nextCursor]).toEqual([[], 'string'])
    expect(await pages(core, { amountTo: 10 })).toEqual(['t3'])
    expect(await pages(core, { amountTo: 10, status: 'PENDING', limit: 1 })).toEqual(['t3'])
    expect(await pages(core, { amountTo: 10, createdFrom: '1970-01-01T00:00:00.004Z' })).toEqual([])
    expect(await pages(core, { amountTo: 10, createdTo: '1970-01-01T00:00:04.000Z' })).toEqual(['t3'])
  })
})

test.each(['2026-01-05T12:00:00+00', '2026-01-05T13:00:00+01', '2026-01-05T11:59:60Z'])(
  '4: createdFrom %s is a time as any other',
  async createdFrom => {
    const core = await openCore()
    const id = await iris(core)
    expect((await search(core, { createdFrom })).ids).toEqual([id])
    expect((await search(core, { createdTo: createdFrom.replace(/^2026/, '2025') })).ids).toEqual([])
  },
)
