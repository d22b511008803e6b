import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import type { DialectLines } from '../../contracts/dialect/dialect-lines.ts'
import type { JournalEntry } from '../../simulator/journal/journal-entry.ts'
import type { Config } from '../../simulator/options/options.ts'
import { statusAndCode } from '../support/api-response-checks.ts'
import type { RawRequestParts } from '../support/create-signed-raw-request.ts'
import type { RawResponse } from '../support/raw-http.ts'
import { irisInitiateBody, openRawSandbox, type RawSandbox, tokenForm } from '../support/raw-request-sandbox.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const open = async (config: Partial<Config> = {}, lines?: DialectLines): Promise<RawSandbox> => {
  const dialect = join(temporaryFolder(), 'ours.yaml')
  if (lines) writeFileSync(dialect, stringify(lines))
  const sandbox = await openRawSandbox({ config: { ...config, ...(lines ? { dialect } : {}) } })
  onTestFinished(async () => {
    expect(sandbox.faults).toEqual([])
    await sandbox.close()
  })
  return sandbox
}

const call = async (sandbox: RawSandbox, parts: RawRequestParts): Promise<RawResponse> =>
  sandbox.send(await sandbox.sign(parts))
const fieldsOf = (answer: RawResponse) =>
  answer.body.length === 0 ? undefined : (answer.json() as { fields?: Record<string, string> }).fields
const newest = async ({ simulator }: RawSandbox): Promise<JournalEntry | undefined> => {
  const answer = await fetch(`${simulator.pagesUrl}/control/organizations/demo-merchant/journal?limit=1`)
  return ((await answer.json()) as { calls: JournalEntry[] }).calls[0]
}

const ACT = { processingAccountId: 'demo-merchant-account-1', clientTransactionId: 'act-1', transactionId: 'nobody' }
const { paymentDetails, payerDetails } = irisInitiateBody()
const CHARGE = {
  processingAccountId: 'demo-merchant-account-1',
  clientTransactionId: 'charge-1',
  paymentDetails: { amount: 1, currency: 'PLN', country: 'PL', description: 'x' },
  providerDetails: { providerId: 'BLIK' },
  payerDetails: { payerId: 'nobody' },
}
const MOCK = { processingAccountId: ACT.processingAccountId, key: { type: 'PAYER_ID', value: 'p' }, type: 'MOCK' }

type Mistyped = { body?: object; method?: string; target: string; member: string; nearest?: string }

// biome-ignore format: a table reads by its columns
/** A mistyped member of each operation, at each depth, and the known member that is nearest. */
const MISTYPED: readonly Mistyped[] = [
  { target: '/payments/initiate',  member: 'autocapture', nearest: 'autoCapture', body: irisInitiateBody({ autocapture: false }) },
  { target: '/payments/initiate',  member: 'paymentDetails.autocapture', nearest: 'paymentDetails.autoCapture', body: irisInitiateBody({ paymentDetails: { ...paymentDetails, autocapture: false } }) },
  { target: '/payments/initiate',  member: 'payerDetails.phone.countrycode', nearest: 'payerDetails.phone.countryCode', body: irisInitiateBody({ payerDetails: { ...payerDetails, phone: { countryCode: '+30', countrycode: '+30', number: '2101234567' } } }) },
  { target: '/payments/initiate',  member: 'requestContext.user_agent', nearest: 'requestContext.userAgent', body: irisInitiateBody({ requestContext: { user_agent: 'x' } }) },
  { target: '/payments/initiate',  member: 'zzz', body: irisInitiateBody({ zzz: 1 }) },
  { target: '/payments/initiate',  member: 'paymentDetails.__proto__', body: irisInitiateBody({ paymentDetails: { ...paymentDetails, ['__proto__']: 1 } }) },
  { target: '/payments/finalize',  member: 'clientTransactionID', body: { processingAccountId: ACT.processingAccountId, transactionId: 'x', clientTransactionID: 'x' } },
  { target: '/payments/charge',    member: 'payerDetails.paymenttoken', nearest: 'payerDetails.paymentToken', body: { ...CHARGE, payerDetails: { payerId: 'nobody', paymenttoken: 'x' } } },
  { target: '/payments/capture',   member: 'paymentDetails.ammount', nearest: 'paymentDetails.amount', body: { ...ACT, paymentDetails: { ammount: 1 } } },
  { target: '/payments/capture',   member: 'amount', nearest: 'paymentDetails.amount', body: { ...ACT, amount: 1, paymentDetails: {} } },
  { target: '/payments/cancel',    member: 'paymentDetails', body: { ...ACT, paymentDetails: { amount: 1 } } },
  { target: '/payments/refund',    member: 'paymentDetails.amounts', nearest: 'paymentDetails.amount', body: { ...ACT, paymentDetails: { amounts: 1, description: 'x' } } },
  { target: '/payments/search',    member: 'clientTransactionld', nearest: 'clientTransactionId', body: { clientTransactionld: 'x' } },
  { target: '/payments/providers', member: 'county', nearest: 'country', body: { county: 'PL' } },
  { target: '/mock/set',           member: 'onetime', nearest: 'oneTime', body: { ...MOCK, onetime: true } },
  { target: '/mock/set',           member: 'steps.capture.statusInfo.reasoncode', nearest: 'steps.capture.statusInfo.reasonCode', body: { ...MOCK, steps: { capture: { status: 'DECLINED', statusInfo: { reasoncode: '1000', reasonCode: '1000', message: 'no' } } } } },
  { target: '/payments/capture?dryRun=true', member: 'dryRun', body: { ...ACT, paymentDetails: {} } },
  { target: '/payments/nobody/status?verbose=1', member: 'verbose', method: 'GET' },
  { target: '/payments/nobody/events?limit=1',   member: 'limit', method: 'GET' },
]

describe('D-46: a mistyped member of a request', () => {
  test('is refused by default, with its place and the nearest known name, on every operation', async () => {
    const sandbox = await open()
    for (const { member, nearest, ...parts } of MISTYPED) {
      const answer = await call(sandbox, parts)
      expect([parts.target, statusAndCode(answer), Object.keys(fieldsOf(answer) ?? {})]).toEqual([
        parts.target,
        '400/4000',
        [member],
      ])
      const cure = fieldsOf(answer)?.[member]
      expect(cure).toBe(nearest ? `is not known here: the nearest is ${nearest}` : 'is not known here')
      expect(await newest(sandbox)).toMatchObject({ refused: { layer: 'validation' }, unknown: [{ member }] })
      expect((await newest(sandbox))?.unknown?.[0]?.nearest).toBe(nearest)
    }
  })

  test.each(['ignore', 'note'] as const)(
    '--unknown-members %s accepts it; the journal notes it',
    async unknownMembers => {
      const sandbox = await open({ unknownMembers })
      for (const { member, nearest, ...parts } of MISTYPED.filter(({ target }) => target !== '/mock/set')) {
        const answer = await call(sandbox, parts)
        expect(fieldsOf(answer) ?? {}).toEqual({})
        expect((await newest(sandbox))?.unknown).toEqual([{ member, ...(nearest ? { nearest } : {}) }])
        const told = unknownMembers === 'note' ? encodeURIComponent(member) : undefined
        expect(answer.header('assay-unknown-members')).toBe(told)
      }
    },
  )

  test('query parameters of reports are members too', async () => {
    const sandbox = await open()
    const scope = await call(sandbox, {
      target: '/auth/token',
      contentType: 'application/x-www-form-urlencoded',
      body: tokenForm(sandbox.demo.kit, 'data:reports'),
    })
    const { access_token: token } = scope.json() as { access_token: string }
    for (const [target, member, nearest] of [
      ['/reports?from=2026-01-01&to=2026-01-02&typ=SETTLEMENT', 'typ', 'type'],
      ['/reports/download?reportId=0000513b-4c1f-8a60-8d2e-5b1f0c9d7e42&reportid=1', 'reportid', 'reportId'],
    ] as const) {
      const answer = await call(sandbox, { target, method: 'GET', token })
      expect(fieldsOf(answer)).toEqual({ [member]: `is not known here: the nearest is ${nearest}` })
    }
    const twice = await call(sandbox, {
      target: '/reports?from=2026-01-01&to=2026-01-02&to=2026-01-03',
      method: 'GET',
      token,
    })
    expect([statusAndCode(twice), fieldsOf(twice)]).toEqual(['400/4000', { to: 'stands more than once' }])
  })

  test.each(['ignore', 'note'] as const)(
    'with %s those of mock/set are refused all the same, with the nearest name',
    async unknownMembers => {
      const sandbox = await open({ unknownMembers })
      const mock = await call(sandbox, { target: '/mock/set', body: { ...MOCK, scenario: 'OK', onetime: true } })
      expect(fieldsOf(mock)).toEqual({ onetime: 'is not known here: the nearest is oneTime' })
    },
  )

  test('2.3: initiate takes each member of payerDetails that the document names for it', async () => {
    const sandbox = await open()
    const body = irisInitiateBody({ payerDetails: { ...payerDetails, paymentToken: 'a-token' } })
    expect((await call(sandbox, { body })).status).toBe(200)
    expect(await newest(sandbox)).not.toHaveProperty('unknown')
    expect(JSON.stringify(await newest(sandbox))).not.toContain('a-token')
  })

  test('metadata stays free, and a token call is noted only (RFC 6749, 3.2)', async () => {
    const sandbox = await open()
    const free = irisInitiateBody({ metadata: { colour: 'blue', amount: '1' } })
    expect((await call(sandbox, { body: free })).status).toBe(200)
    expect(await newest(sandbox)).not.toHaveProperty('unknown')
    const body = `${tokenForm(sandbox.demo.kit)}&scop=x`
    const token = await call(sandbox, { target: '/auth/token', contentType: 'application/x-www-form-urlencoded', body })
    expect(token.status).toBe(200)
    expect((await newest(sandbox))?.unknown).toEqual([{ member: 'scop', nearest: 'scope' }])
  })

  test('all are named, together with what else is wrong', async () => {
    const sandbox = await open()
    const { amount: _, ...amountless } = paymentDetails
    const answer = await call(sandbox, {
      body: irisInitiateBody({ colour: 1, paymentDetails: { ...amountless, ammount: 1 } }),
    })
    expect(Object.keys(fieldsOf(answer) ?? {}).sort()).toEqual([
      'colour',
      'paymentDetails.ammount',
      'paymentDetails.amount',
    ])
  })

  test('the decision of a dialect wins over the option', async () => {
    const tolerant = await open({ unknownMembers: 'refuse' }, { decisions: { 'D-46': 'ignored' } })
    expect((await call(tolerant, { body: irisInitiateBody({ colour: 1 }) })).status).toBe(200)
    expect((await newest(tolerant))?.unknown).toEqual([{ member: 'colour' }])
    const strict = await open({ unknownMembers: 'ignore' }, { decisions: { 'D-46': '400' } })
    expect((await call(strict, { body: irisInitiateBody({ colour: 1 }) })).status).toBe(400)
  })

  test('a dialect names it, and the nearest, as they are spelt there', async () => {
    const sandbox = await open({}, { naming: 'snake_case', requests: { all: { 'paymentDetails.amount': '/sum' } } })
    const sent = { processing_account_id: ACT.processingAccountId, client_transaction_id: 'x', transaction_id: 'x' }
    for (const [more, member, nearest] of [
      [{ summ: 1 }, 'summ', 'sum'],
      [{ client_transaction_idd: 1 }, 'client_transaction_idd', 'client_transaction_id'],
      [{ clientTransactionId: 'x' }, 'clientTransactionId', 'client_transaction_id'],
    ] as const) {
      const answer = await call(sandbox, {
        target: '/payments/capture',
        body: { ...sent, payment_details: {}, ...more },
      })
      expect(fieldsOf(answer)).toEqual({ [member]: `is not known here: the nearest is ${nearest}` })
      expect((await newest(sandbox))?.unknown).toEqual([{ member, nearest }])
    }
  })
})
