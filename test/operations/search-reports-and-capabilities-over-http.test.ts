import { expect, test } from 'vitest'
import type { Merchant } from '../../contracts/client/merchant-client.ts'
import { bodyOf } from '../support/body-or-refusal.ts'
import { parseCsv } from '../support/parse-csv.ts'
import { blikRequest } from '../support/payment-requests.ts'
import {
  createSecondMerchant,
  firstAccountOf,
  initiateIris,
  irisRequestOf,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

const putCapabilities = (
  running: ScopedSimulator,
  accountId: string,
  wanted: unknown,
  organizationId = running.kit.organizationId,
) =>
  fetch(`${running.pagesUrl}/control/organizations/${organizationId}/accounts/${accountId}/capabilities`, {
    method: 'PUT',
    body: JSON.stringify(wanted),
  })

/** Creates an authorized BLIK payment without captures; returns its id. */
const authorized = async (running: ScopedSimulator, merchant: Merchant): Promise<string> => {
  const processingAccountId = firstAccountOf(merchant)
  const { code } = await running.controlPlane.shopper.createCode(running.kit.organizationId)
  const request = { ...blikRequest(code, { autoCapture: false }), processingAccountId }
  const { transactionId } = bodyOf(await merchant.initiate(request))
  await running.controlPlane.shopper.act(running.kit.organizationId, transactionId, 'approve')
  bodyOf(await merchant.finalize({ processingAccountId, transactionId }))
  return transactionId
}

test('4, E1: search and providers ignore idempotency keys, and return data of the own organization only', async () => {
  const running = await startScopedSimulator()
  const merchant = merchantOf(running)
  const id = await initiateIris(merchant)
  const key = { headers: { 'idempotency-key': 'one-and-the-same' } }
  const found = bodyOf(await merchant.search({ clientTransactionId: 'order-1' }, key))
  expect(found.payments.map(({ transactionId }) => transactionId)).toEqual([id])
  expect(bodyOf(await merchant.search({ status: 'CANCELED' }, key)).payments).toEqual([])
  expect(bodyOf(await (await createSecondMerchant(running)).search({})).payments).toEqual([])
  const ids = async (request: object) =>
    bodyOf(await merchant.providers(request, key)).providers.map(one => one.providerId)
  expect([await ids({}), await ids({ country: 'GR' }), await ids({ currency: 'PLN' })]).toEqual([
    ['BLIK', 'IRIS'],
    ['IRIS'],
    ['BLIK'],
  ])
  expect(await ids({ country: 'GR', currency: 'PLN' })).toEqual([])
})

test('7.1: invalid fields of search and reports are named', async () => {
  const merchant = merchantOf(await startScopedSimulator())
  const bad = await merchant.search({
    limit: 101,
    status: 'SETTLED',
    amountFrom: 1.5,
    createdFrom: 'today',
    cursor: '',
  } as never)
  expect([bad.status, bad.ok || Object.keys(bad.refusal?.fields ?? {}).sort()]).toEqual([
    400,
    ['amountFrom', 'createdFrom', 'cursor', 'limit', 'status'],
  ])
  const scope = 'data:reports'
  const refused = async (path: string) => {
    const exchange = await merchant.send({ method: 'GET', path, token: await merchant.tokenFor(scope) })
    return [exchange.response?.status, Object.keys(JSON.parse(String(exchange.response?.body)).fields ?? {}).sort()]
  }
  expect(await refused('/reports')).toEqual([400, ['from', 'to']])
  expect(await refused('/reports?from=2026-02-30&to=now')).toEqual([400, ['from', 'to']])
  expect(await refused('/reports?from=2026-01-01&to=2026-01-02&to=2026-01-03')).toEqual([400, ['to']])
  expect(await refused('/reports?from=2026-01-01&to=2026-01-02&type=ALL')).toEqual([400, ['type']])
  expect(await refused('/reports/download?reportId=1')).toEqual([400, ['reportId']])
  expect(await refused('/reports?from=2026-01-01&to=2026-01-02&account=a')).toEqual([400, ['account']])
  expect(await refused('/reports?from=2026-01-01&to=2026-01-02&type=SETTLEMENT?&account=a')).toEqual([
    400,
    ['account', 'type'],
  ])
  expect(await refused(`/reports/download?reportId=${crypto.randomUUID()}&format=pdf`)).toEqual([400, ['format']])
})

test('4, 5.3, 5.4: listing and downloading reports require the scope data:reports', async () => {
  const running = await startScopedSimulator()
  const merchant = merchantOf(running)
  const transactionId = await authorized(running, merchant)
  const processingAccountId = firstAccountOf(merchant)
  bodyOf(await merchant.capture({ processingAccountId, transactionId, clientTransactionId: 'c', paymentDetails: {} }))
  const from = new Date(running.controlPlane.now(running.kit.organizationId)).toISOString().slice(0, 10)
  await running.controlPlane.clock.advance(running.kit.organizationId, 2 * 86_400_000)
  const { files, totalCount } = bodyOf(await merchant.reports({ from, to: from, type: 'TRANSACTION_DETAILS' }))
  expect(totalCount).toBe(1)
  const reportId = files[0]?.reportId ?? ''
  const answer = await merchant.downloadReport(reportId)
  const { headers = {} } = answer.exchange.response ?? {}
  expect(headers['content-type']).toBe('text/csv')
  expect(headers['content-disposition']).toBe(`attachment; filename="${files[0]?.name}.csv"`)
  expect(parseCsv(bodyOf(answer))).toMatchObject([
    { type: 'CAPTURE', originalTransactionId: transactionId, amount: '1000' },
  ])
  const readOnly = { path: {}, query: { from, to: from, reportId } }
  for (const endpoint of ['reports', 'downloadReport'] as const)
    expect((await merchant.request(endpoint, readOnly)).response?.status).toBe(403)
  const other = await createSecondMerchant(running)
  expect((await other.downloadReport(reportId)).status).toBe(404)
})

test('1, D-77: capabilities switched off for an account are not offered and refused there, and only there', async () => {
  const running = await startScopedSimulator()
  const merchant = merchantOf(running)
  const [first = '', second = ''] = merchant.credentials.processingAccountIds
  const before = await authorized(running, merchant)
  const told = await putCapabilities(running, first, { BLIK: { partialCapture: false, recurring: false } })
  expect([told.status, (await told.json()).capabilities.BLIK]).toMatchObject([
    200,
    { partialCapture: false, refund: true },
  ])
  const offer = async (processingAccountId?: string) => {
    const request = { currency: 'PLN', ...(processingAccountId === undefined ? {} : { processingAccountId }) }
    const [blik] = bodyOf(await merchant.providers(request)).providers
    return [blik?.capabilities.partialCapture, blik?.transactionTypes]
  }
  expect(await offer(first)).toEqual([false, ['ONE_TIME', 'TOKEN_ONLY']])
  for (const unchanged of [second, undefined])
    expect(await offer(unchanged)).toEqual([true, ['ONE_TIME', 'RECURRING', 'TOKEN_ONLY']])
  const capture = (amount: number) =>
    merchant.capture({
      processingAccountId: first,
      transactionId: before,
      clientTransactionId: 'c',
      paymentDetails: { amount },
    })
  expect((await capture(400)).status).toBe(501)
  await putCapabilities(running, first, {})
  expect((await capture(400)).status).toBe(200)
})

test('D-77: a mandate of IRIS, where an account is given recurring payments, is charged', async () => {
  const running = await startScopedSimulator()
  const merchant = merchantOf(running)
  const processingAccountId = firstAccountOf(merchant)
  await putCapabilities(running, processingAccountId, { IRIS: { recurring: true } })
  const request = {
    ...irisRequestOf(merchant),
    transactionType: 'RECURRING' as const,
    payerDetails: { payerId: 'payer-7' },
  }
  const { transactionId } = bodyOf(await merchant.initiate(request))
  await running.controlPlane.shopper.act(running.kit.organizationId, transactionId, 'approve')
  bodyOf(await merchant.finalize({ processingAccountId, transactionId }))
  const { returnUrl: _, ...charge } = { ...request, clientTransactionId: 'again', autoCapture: true }
  expect(bodyOf(await merchant.charge(charge))).toMatchObject({ status: 'APPROVED' })
})

test('D-77: capabilities survive a restart', async () => {
  const running = await startScopedSimulator()
  const account = running.kit.processingAccountIds[0] ?? ''
  await putCapabilities(running, account, { IRIS: { laterCapture: true } })
  await running.stop()
  const again = await startScopedSimulator({ dataDir: running.dataDir })
  const [iris] = bodyOf(await merchantOf(again).providers({ processingAccountId: account, country: 'GR' })).providers
  expect(iris?.capabilities.laterCapture).toBe(true)
})

test('D-77: invalid capabilities are refused in one sentence', async () => {
  const running = await startScopedSimulator()
  const account = running.kit.processingAccountIds[0] ?? ''
  const refusal = async (wanted: unknown, accountId = account, organizationId?: string) => {
    const answer = await putCapabilities(running, accountId, wanted, organizationId)
    return [answer.status, (await answer.json()).error]
  }
  expect(await refusal({ COWRIE: {} })).toEqual([
    400,
    expect.stringMatching(/unknown member COWRIE: give BLIK, IRIS\.$/),
  ])
  expect(await refusal({ BLIK: { fly: true } })).toEqual([
    400,
    expect.stringMatching(/^BLIK has no capability fly: give refund, /),
  ])
  expect(await refusal({ BLIK: { refund: 'yes' } })).toEqual([400, 'BLIK.refund must be true or false.'])
  expect(await refusal({ BLIK: [] })).toEqual([400, expect.stringMatching(/^BLIK must be an object such as/)])
  expect(await refusal({}, 'nobody')).toEqual([
    404,
    expect.stringMatching(/^There is no account nobody in organization /),
  ])
  expect((await refusal({}, account, 'nobody'))[0]).toBe(404)
  const merchant = merchantOf(running)
  expect((await merchant.providers({ processingAccountId: 'somebody-else' })).status).toBe(403)
})
