import { describe, expect, test } from 'vitest'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { DAY, HOUR } from '../../simulator/support/duration.ts'
import { authorizeBlik } from '../support/create-test-payments.ts'
import { parseCsv } from '../support/parse-csv.ts'
import { actionRequest, blikRequest, irisRequest } from '../support/payment-requests.ts'
import { type SeededRandom, seededRandom } from '../support/seeded-random.ts'
import { ACCOUNT, openCore, type ResponseBody, type SimulatorCore } from '../support/simulator-core.ts'

const SECOND_ACCOUNT = ACCOUNT.replace(/1$/, '2')
const WEEK = { from: '2026-01-05', to: '2026-01-11' }

const list = async (core: SimulatorCore, query: object = WEEK, organizationId = 'shop'): Promise<ResponseBody[]> => {
  const { http, body } = await core.call('reports', query, { organizationId })
  expect([http, body.totalCount]).toEqual([200, body.files?.length])
  return body.files
}

const download = async (core: SimulatorCore, { reportId }: ResponseBody): Promise<string> => {
  const told = await core.call('downloadReport', { reportId })
  expect(told.http).toBe(200)
  return told.text
}

/** Creates a payment of 1000, captured in two parts on the first day, with 300 refunded on the second. */
const twoDays = async (core: SimulatorCore): Promise<string> => {
  const id = await authorizeBlik(core)
  await core.call('capture', actionRequest(id, 400))
  core.pass(HOUR)
  await core.call('capture', actionRequest(id, 600))
  core.pass(DAY)
  await core.call('refund', actionRequest(id, 300))
  return id
}

describe('4, D-75: daily reports', () => {
  test('list the captures, settlements, fees and refunds of each past day', async () => {
    const core = await openCore()
    const id = await twoDays(core)
    const today = await list(core)
    expect(today.map(({ reportType, periodStart }) => [reportType, periodStart.slice(0, 10)])).toEqual([
      ['TRANSACTION_DETAILS', '2026-01-05'],
      ['SETTLEMENT', '2026-01-05'],
      ['FEE_DETAILS', '2026-01-05'],
    ])
    core.pass(DAY)
    const files = await list(core)
    expect(files.slice(0, 3)).toEqual(today)
    expect(files.slice(3).map(({ reportType, numberOfRecords }) => [reportType, numberOfRecords])).toEqual([
      ['TRANSACTION_DETAILS', 1],
      ['SETTLEMENT', 1],
    ])
    const [details, settlement, fees] = await Promise.all(today.map(file => download(core, file)))
    const { captures } = (await core.events(id)).body.paymentDetails
    expect(details).toBe(
      [
        'timestamp,type,transactionId,clientTransactionId,originalTransactionId,originalClientTransactionId,providerId,amount,currency',
        `2026-01-05T12:00:00.000Z,CAPTURE,${captures[0].transactionId},act-1,${id},order-1,BLIK,400,PLN`,
        `2026-01-05T13:00:00.000Z,CAPTURE,${captures[1].transactionId},act-1,${id},order-1,BLIK,600,PLN`,
        '',
      ].join('\r\n'),
    )
    expect(parseCsv(settlement ?? '')).toMatchObject([
      {
        type: 'SETTLEMENT',
        timestamp: '2026-01-05T12:00:02.000Z',
        grossAmount: '400',
        feeAmount: '30',
        netAmount: '370',
      },
      {
        type: 'SETTLEMENT',
        timestamp: '2026-01-05T13:00:02.000Z',
        grossAmount: '600',
        feeAmount: '32',
        netAmount: '568',
      },
    ])
    expect(parseCsv(fees ?? '')).toMatchObject([
      { amount: '400', feeRule: 'SANDBOX 1.2 % + 25', feeAmount: '30' },
      { amount: '600', feeRule: 'SANDBOX 1.2 % + 25', feeAmount: '32' },
    ])
    expect(parseCsv(await download(core, files[4]))).toMatchObject([
      { type: 'REFUND', grossAmount: '-300', feeAmount: '0', netAmount: '-300' },
    ])
  })

  test('have metadata that matches their content and stays the same', async () => {
    const core = await openCore()
    await twoDays(core)
    const [file] = await list(core)
    const text = await download(core, file)
    expect(file).toEqual({
      reportId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
      organizationId: 'shop',
      contractualEntityId: 'shop',
      processingAccountId: ACCOUNT,
      reportType: 'TRANSACTION_DETAILS',
      periodStart: '2026-01-05T00:00:00.000Z',
      periodEnd: '2026-01-05T23:59:59.000Z',
      name: `TRANSACTION_DETAILS_${ACCOUNT}_${file.reportId}_20260105`,
      fileSize: Buffer.byteLength(text),
      numberOfRecords: 2,
      createdAt: '2026-01-06T00:00:00.000Z',
    })
    core.pass(40 * DAY)
    expect((await list(core))[0]).toEqual(file)
    expect(await download(core, { reportId: file.reportId.toUpperCase() })).toBe(text)
  })

  test('include a settlement on the day it was due, also where its job ran later', async () => {
    const core = await openCore()
    core.time.now = Date.UTC(2026, 0, 5, 23, 59, 59)
    const id = await authorizeBlik(core)
    await core.call('capture', actionRequest(id))
    core.pass(3 * DAY)
    const days = (await list(core)).map(({ reportType, periodStart }) => `${reportType} ${periodStart.slice(8, 10)}`)
    expect(days).toEqual(['TRANSACTION_DETAILS 05', 'FEE_DETAILS 05', 'SETTLEMENT 06'])
  })

  test('are filtered by account, name, type and period', async () => {
    const core = await openCore()
    await twoDays(core)
    core.pass(DAY)
    const types = async (more: object) => (await list(core, { ...WEEK, ...more })).length
    expect(await types({ processingAccountId: ACCOUNT })).toBe(5)
    expect(await types({ processingAccountId: SECOND_ACCOUNT })).toBe(0)
    expect(await types({ type: 'SETTLEMENT' })).toBe(2)
    expect(await types({ type: 'INVOICE' })).toBe(0)
    const [{ name }] = await list(core, { ...WEEK, type: 'SETTLEMENT' })
    expect(await types({ name })).toBe(1)
    expect(await types({ organizationId: 'shop', contractualEntityId: 'shop' })).toBe(5)
    expect(await types({ organizationId: 'other' })).toBe(0)
    expect(await types({ from: '2026-01-06', to: '2026-01-06' })).toBe(2)
    expect(await types({ from: '2026-01-06T01:00:00+02:00', to: '2026-01-05T23:59:59Z' })).toBe(3)
  })

  test.each([
    ['to', { from: '2026-01-06', to: '2026-01-05' }],
    ['to', { from: '2026-01-01', to: '2026-02-01' }],
  ])('a wrong %s is named: %j', async (field, query) => {
    const { http, body } = await (await openCore()).call('reports', query)
    expect([http, body.statusInfo.reasonCode, Object.keys(body.fields)]).toEqual([400, '4000', [field]])
  })

  test('D-75: any-range: from and to may be any time apart', async () => {
    const core = await openCore({ choices: decisionChoices({ 'D-75': 'any-range' }) })
    await twoDays(core)
    expect(await list(core, { from: '2025-01-01', to: '2027-12-31' })).toHaveLength(3)
  })

  test('7.1: a report of another organization, of the current day, or an unknown one is not found', async () => {
    const core = await openCore()
    await twoDays(core)
    const [file] = await list(core)
    expect(await list(core, WEEK, 'other')).toEqual([])
    const foreign = await core.call('downloadReport', { reportId: file.reportId }, { organizationId: 'other' })
    const unknown = await core.call('downloadReport', { reportId: '0000513b-4c1f-8a60-8d2e-5b1f0c9d7e42' })
    expect([foreign.http, foreign.body]).toEqual([404, { ...unknown.body, callId: foreign.body.callId }])
    core.pass(DAY)
    const later = (await list(core)).at(-1)
    const before = await openCore()
    await twoDays(before)
    expect((await before.call('downloadReport', { reportId: later.reportId })).http).toBe(404)
    before.pass(DAY)
    expect((await before.call('downloadReport', { reportId: later.reportId })).http).toBe(200)
  })

  test('D-78: a reference that looks like a formula is escaped', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    await core.call('capture', { ...actionRequest(id), clientTransactionId: '=cmd|"/c calc",1\r\n' })
    core.pass(DAY)
    const [file] = await list(core)
    expect(parseCsv(await download(core, file))[0]?.clientTransactionId).toBe('\'=cmd|"/c calc",1\r\n')
  })
})

/** Records of all reports of four months, by type. */
const allRows = async (core: SimulatorCore) => {
  const rows: Record<string, Record<string, string>[]> = { TRANSACTION_DETAILS: [], SETTLEMENT: [], FEE_DETAILS: [] }
  for (let month = 0; month < 4; month += 1) {
    const from = Date.UTC(2026, 0, 1) + month * 31 * DAY
    const query = { from: new Date(from).toISOString(), to: new Date(from + 30 * DAY).toISOString() }
    for (const file of await list(core, query)) {
      const records = parseCsv(await download(core, file))
      expect(records).toHaveLength(file.numberOfRecords)
      for (const { timestamp = '' } of records)
        expect(timestamp >= file.periodStart && timestamp.slice(0, 19) <= file.periodEnd).toBe(true)
      rows[file.reportType]?.push(...records.map(row => ({ ...row, account: file.processingAccountId })))
    }
  }
  return rows
}

const total = (rows: readonly Record<string, string>[] = [], column: string, where: Record<string, string>): number =>
  rows
    .filter(row => Object.entries(where).every(([name, value]) => row[name] === value))
    .reduce((sum, row) => sum + Number(row[column]), 0)

const startAny = async (core: SimulatorCore, chance: SeededRandom): Promise<{ id: string; account: string }> => {
  const account = chance.pick([ACCOUNT, SECOND_ACCOUNT])
  const wanted = { amount: chance.pick([1, 3, 42, 1000, 12_345, 99_999_999_999]) }
  const request =
    chance.next() < 0.7
      ? blikRequest(await core.code(), { ...wanted, autoCapture: chance.next() < 0.4 })
      : irisRequest(wanted)
  const { body } = await core.call('initiate', { ...request, processingAccountId: account })
  await core.decide(body.transactionId, chance.next() < 0.9 ? 'approve' : 'decline')
  await core.call('finalize', { processingAccountId: account, transactionId: body.transactionId })
  return { id: body.transactionId, account }
}

const WAITS = [0, 500, 2_000, HOUR, 13 * HOUR, DAY, 3 * DAY]

test.each(Array.from({ length: 12 }, (_, index) => index + 1))(
  '4: reports and payments agree to the last minor unit after random walk %i',
  async seed => {
    const chance = seededRandom(seed)
    const core = await openCore()
    const payments: { id: string; account: string }[] = []
    for (let step = 0; step < 60; step += 1) {
      if (payments.length < 8 && chance.next() < 0.3) payments.push(await startAny(core, chance))
      const one = payments.length > 0 ? chance.pick(payments) : undefined
      const amount = chance.pick([undefined, 1, 7, 500])
      if (one)
        await core.call(chance.pick(['capture', 'refund', 'cancel']), {
          ...actionRequest(one.id, amount),
          processingAccountId: one.account,
        })
      if (chance.next() < 0.4) core.pass(chance.pick(WAITS))
    }
    core.pass(9 * DAY)
    const rows = await allRows(core)
    for (const { id, account } of payments) {
      const { paymentDetails } = (await core.events(id)).body
      const { capturedAmount, refundedAmount, captures, currency } = paymentDetails
      const own = { originalTransactionId: id, account, currency }
      expect(total(rows.TRANSACTION_DETAILS, 'amount', { ...own, type: 'CAPTURE' })).toBe(capturedAmount)
      expect(total(rows.TRANSACTION_DETAILS, 'amount', own)).toBe(capturedAmount - refundedAmount)
      expect(total(rows.SETTLEMENT, 'grossAmount', own)).toBe(capturedAmount - refundedAmount)
      const fees = captures.reduce(
        (sum: bigint, part: ResponseBody) => sum + (BigInt(part.paymentDetails.amount) * 12n + 500n) / 1000n + 25n,
        0n,
      )
      expect(BigInt(total(rows.FEE_DETAILS, 'feeAmount', own))).toBe(fees)
      expect(total(rows.SETTLEMENT, 'netAmount', own)).toBe(capturedAmount - refundedAmount - Number(fees))
    }
    const told = Object.values(rows).flat()
    expect(new Set(told.map(row => row.originalTransactionId)).size).toBeGreaterThan(0)
    const known = new Set(payments.map(({ id }) => id))
    expect(told.filter(row => !known.has(row.originalTransactionId ?? ''))).toEqual([])
  },
)
