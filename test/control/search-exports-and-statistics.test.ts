import { expect, test } from 'vitest'
import { organizationControl } from '../support/control-client.ts'
import { descriptionMismatches } from '../support/control-description.ts'
import { parseCsv } from '../support/parse-csv.ts'
import {
  firstAccountOf,
  initiateIris,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

const described = async ({ pagesUrl }: ScopedSimulator, path: string) => {
  const target = `/control/organizations/demo-merchant/${path}`
  const answer = await fetch(`${pagesUrl}${target}`)
  const body = await answer.text()
  expect(descriptionMismatches({ method: 'GET', target, sent: '', status: answer.status, body })).toEqual([])
  return { status: answer.status, body: JSON.parse(body) }
}

test('payments, captures, refunds and calls are found by the end of their ids, and payments by reference and amount', async () => {
  const simulator = await startScopedSimulator()
  const { post } = organizationControl(simulator)
  const merchant = merchantOf(simulator)
  const transactionId = await initiateIris(merchant)
  await initiateIris(merchant)
  await post(`payments/${transactionId}/shopper`, { action: 'approve' })
  const processingAccountId = firstAccountOf(merchant)
  const finalized = await merchant.finalize({ processingAccountId, transactionId })
  expect(finalized.ok).toBe(true)
  await post('clock', { advance: 'PT1H' })
  const refunded = await merchant.refund({
    processingAccountId,
    transactionId,
    clientTransactionId: 'back-again',
    paymentDetails: { description: 'One jar broke' },
  })
  expect(refunded.ok).toBe(true)
  const { payments } = (await described(simulator, `payments?transactionId=${transactionId}`)).body
  const find = async (text: string) =>
    (await described(simulator, `search?q=${encodeURIComponent(text)}`)).body.found as {
      kind: string
      id: string
      transactionId?: string
    }[]

  expect(await find(`…${transactionId.slice(-6)}`)).toMatchObject([{ kind: 'payment', id: transactionId }])
  const kinds = async (text: string) => [...new Set((await find(text)).map(({ kind }) => kind))]
  expect(await find('back-again')).toMatchObject([{ kind: 'refund', transactionId }])
  const refundId = (await find('back-again'))[0]?.id ?? ''
  expect(JSON.stringify(refunded)).toContain(refundId)
  expect(await find(refundId.slice(-8))).toMatchObject([{ kind: 'refund', id: refundId }])
  const { calls } = (await described(simulator, 'journal?limit=1')).body
  expect(await kinds(calls[0].callId)).toEqual(['call'])
  expect(await kinds(payments[0].clientTransactionId)).toContain('payment')
  expect(await find(String(payments[0].amount))).toHaveLength(2)
  expect(await find((payments[0].amount / 100).toFixed(2))).toHaveLength(2)
  for (const nothing of ['', 'abc', 'no such thing', '0.01', '%'.repeat(300)]) expect(await find(nothing)).toEqual([])
})

test('payments are narrowed, added up and exported by every criterion; a wrong one is refused with its cure', async () => {
  const simulator = await startScopedSimulator()
  const { get, post } = organizationControl(simulator)
  const merchant = merchantOf(simulator)
  const [declined] = [await initiateIris(merchant), await initiateIris(merchant)]
  await post(`payments/${declined}/shopper`, { action: 'decline' })
  const { payments } = (await get('payments')).body
  const day = payments[0].createdAt.slice(0, 10)
  const { amount, currency } = payments[0]
  const account = firstAccountOf(merchant)
  // biome-ignore format: a table reads by its columns
  for (const [query, count] of [
    ['',                                                          2],
    ['providerId=IRIS',                                           2],
    ['providerId=BLIK',                                           0],
    ['state=DECLINED',                                            1],
    ['status=PENDING',                                            1],
    [`accountId=${account}&createdFrom=${day}&createdTo=${day}`,  2],
    ['createdTo=2020-01-01T00:00:00Z',                            0],
    [`amountFrom=${amount}&amountTo=${amount}`,                   2],
    [`amountFrom=${amount + 1}`,                                  0],
    [`transactionId=${declined}&status=PENDING`,                  0],
    [`transactionId=${declined}`,                                 1],
  ] as const) {
    expect((await described(simulator, `payments?${query}`)).body.payments, query).toHaveLength(count)
    const totals = (await described(simulator, `payments/totals?${query}`)).body
    expect([totals.payments, totals.isComplete], query).toEqual([count, true])
    const csv = await fetch(`${simulator.pagesUrl}/control/organizations/demo-merchant/payments.csv?${query}`)
    expect([csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8',
      'attachment; filename="demo-merchant-payments.csv"',
    ])
    expect(parseCsv(await csv.text()), query).toHaveLength(count)
  }
  expect((await get('payments/totals')).body.totals).toEqual([
    { currency, status: 'DECLINED', payments: 1, amount, captured: 0, refunded: 0 },
    { currency, status: 'PENDING', payments: 1, amount, captured: 0, refunded: 0 },
  ])
  // biome-ignore format: a table reads by its columns
  for (const [query, sentence] of [
    ['amountFrom=1.5',         'amountFrom is "1.5": give an amount in minor units, such as 1999.'],
    ['createdFrom=yesterday',  'createdFrom is "yesterday": give a day such as 2026-01-05, or an instant such as 2026-01-05T12:00:00Z.'],
    ['createdTo=2026-02-40',   'createdTo is "2026-02-40": give a day such as 2026-01-05, or an instant such as 2026-01-05T12:00:00Z.'],
    ['state=PAID',             'state is "PAID": give one of '],
  ] as const)
    for (const path of ['payments', 'payments/totals', 'payments.csv']) {
      const { status, body } = await get(`${path}?${query}`)
      expect([status, body.error], path).toEqual([400, expect.stringContaining(sentence)])
    }
})

test('calls and payments are counted over a span of the clock', async () => {
  const simulator = await startScopedSimulator()
  const { post } = organizationControl(simulator)
  const merchant = merchantOf(simulator)
  await post('clock', { freeze: true })
  await initiateIris(merchant)
  await merchant.request('providers', {}, { token: 'none' })
  for (const [span, periods] of [
    ['hour', 30],
    ['day', 24],
    ['week', 28],
    ['month', 30],
  ] as const) {
    const { body } = await described(simulator, `statistics?span=${span}`)
    expect([body.span, body.periods.length]).toEqual([span, periods])
    const last = body.periods.at(-1)
    expect(last.payments).toEqual({ PENDING: 1 })
    expect(last.calls.refused).toEqual({ token: 1 })
    expect(last.calls.accepted).toBeGreaterThan(0)
  }
  await post('clock', { advance: 'P2D' })
  const { body } = await described(simulator, 'statistics')
  expect(body.periods.every(({ payments }: { payments: object }) => Object.keys(payments).length === 0)).toBe(true)
  expect((await described(simulator, 'statistics?span=year')).status).toBe(400)
})

test('the HTTP archive has every call that the journal keeps, oldest first, or as many as are asked for', async () => {
  const simulator = await startScopedSimulator()
  const merchant = merchantOf(simulator)
  const transactionId = await initiateIris(merchant)
  for (let at = 0; at < 60; at += 1) await merchant.status(transactionId)
  const entriesOf = async (query: string) => (await described(simulator, `journal.har${query}`)).body.log.entries
  const all = await entriesOf('')
  expect(all.length).toBeGreaterThan(61)
  const [first] = all
  expect(first.request.url).toMatch(/\/auth\/token$/)
  expect(await entriesOf('?limit=2')).toEqual(all.slice(-2))
  expect((await described(simulator, 'journal.har?limit=none')).status).toBe(400)
})
