import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toEndpointCall, withPathMembers } from '../../contracts/client/endpoint-call.ts'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { SAME_IDS } from '../../contracts/dialect/numeric-ids.ts'
import { createValueForms } from '../../contracts/dialect/value-forms.ts'
import { createExpect } from '../../contracts/harness/judge/check-assertions.ts'
import { Blocked, Mismatch, Untestable } from '../../contracts/harness/judge/verdict-errors.ts'
import { createRequestDialect } from '../../contracts/harness/profile/create-request-dialect.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { findField } from '../../contracts/harness/profile/response-fields-and-line-advice.ts'
import type { OperationName } from '../../contracts/operations.ts'
import { irisPayment, withMember } from '../../contracts/suites/given/request-bodies.ts'
import { ensureStage } from '../../contracts/suites/grid/cell-judgments.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { idsWithVerdict, runSuites, SIMULATOR_PROFILE } from './run-suites.ts'

const LIMIT = 120_000
const FILE = join(import.meta.dirname, 'dialects/coarse-states.yaml')
const simulator = readProfile(SIMULATOR_PROFILE)
const coarse = readProfile(FILE)
let deployment: TestSimulator

beforeAll(async () => {
  deployment = await startTestSimulator({ dialect: FILE })
})

afterAll(() => deployment.stop())

const always = coarse.requests?.always

/** Lines of the profile that say something else than the deployment does, and the checks that cannot pass then. */
// biome-ignore format: a table reads by its columns
const WRONG: readonly (readonly [line: string, Partial<Profile>, string[]])[] = [
  ['requests.always.all',     { requests: { ...coarse.requests, always: { ...always, all: {} } } },     ['VAL-01', 'VAL-02', 'RDS-09']],
  ['requests.always.capture', { requests: { ...coarse.requests, always: { ...always, capture: {} } } }, ['LIF-01']],
  ['requests.always.reports', { requests: { ...coarse.requests, always: { ...always, reports: {} } } }, ['SCP-11']],
  ['paths.search',            { paths: { ...coarse.paths, search: '/orders' } },                        ['RDS-09']],
  ['paths.providers',         { paths: { ...coarse.paths, providers: 'POST /methods' } },               ['RDS-12']],
  ['responses.label',         { responses: { reading: 'rfc' } },                                        ['RSP-02', 'RSP-06']],
  ['responses.reading',       { responses: { ...coarse.responses, reading: 'literal' } },               ['RSP-02', 'EVT-03']],
  ['responses.encoding',      { responses: { ...coarse.responses, encoding: 'der' } },                  ['RSP-02', 'EVT-03']],
  ['responses.digest',        { responses: { ...coarse.responses, digest: 'sha-256' } },                ['RSP-05', 'RSP-09', 'RSP-02']],
  ['keySet.protected',        { keySet: { protected: false } },                                         ['RSP-04']],
  ['webhooks.signature',      { webhooks: { ...coarse.webhooks, signature: 'both' } },                  ['EVT-03']],
]

test.each(WRONG)(
  '4: a check does not pass unless %s says how the deployment is',
  async (_line, wrong, ids) => {
    const { apiUrl: baseUrl, kitFolder: kit, pagesUrl: control } = deployment
    const profile = readProfile(FILE, { baseUrl, kit, control })
    const right = idsWithVerdict(await runSuites(profile, ids), 'pass')
    const results = idsWithVerdict(await runSuites({ ...profile, ...wrong }, ids), 'pass')
    expect(right).toEqual(expect.arrayContaining(ids))
    expect(ids.filter(id => results.includes(id))).toEqual([])
  },
  LIMIT,
)

test('4: a request has the constants of its operation unless it sets the member, or lacks it on purpose', () => {
  const constants = {
    all: { '/paymentDetails/currency': 'ZZZ', '/tenant/id': 7 },
    initiate: { '/returnUrl': 'x' },
    reports: { '/format': 1 },
  }
  const { json, query } = createRequestDialect({ ...simulator, requests: { always: constants } })
  const sent = irisPayment({ account: 'acc' })
  expect(json('initiate', sent)).toEqual({ ...sent, tenant: { id: 7 } })
  expect(json('refund', { a: 1 })).toEqual({ a: 1, paymentDetails: { currency: 'ZZZ' }, tenant: { id: 7 } })
  const bare = JSON.parse(JSON.stringify(json('initiate', withMember(sent, 'paymentDetails', undefined))))
  expect(bare).toEqual(expect.not.objectContaining({ paymentDetails: expect.anything() }))
  expect(JSON.stringify(json('initiate', withMember(sent, 'returnUrl', undefined)))).not.toContain('returnUrl')
  expect(query('reports', { from: 'f' })).toEqual({ from: 'f', format: '1' })
  expect(query('reports', { format: 'csv' })).toEqual({ format: 'csv' })
})

test('2.9: a request has no member that its operation does not take here, nor any below it', () => {
  const without = {
    capture: ['clientTransactionId', 'paymentDetails'],
    refund: ['paymentDetails.amount'],
    reports: ['to'],
  }
  const { json, query } = createRequestDialect({ ...simulator, requests: { without } })
  const body = { transactionId: 'p', clientTransactionId: 'c', paymentDetails: { amount: 1, description: 'd' } }
  expect(json('capture', body)).toEqual({ transactionId: 'p' })
  expect(json('refund', body)).toEqual({ ...body, paymentDetails: { description: 'd' } })
  expect(json('cancel', body)).toEqual(body)
  expect(query('reports', { from: 'f', to: 't' })).toEqual({ from: 'f' })
})

test('4: calls that the document shows with an Idempotency-Key have one, mock/set too', () => {
  const keyOf = (endpoint: OperationName) => toEndpointCall(endpoint, { json: {} }).headers?.['idempotency-key']
  expect(keyOf('initiate')).toBeDefined()
  expect(keyOf('mockSet')).toBeDefined()
  expect(keyOf('search')).toBeUndefined()
})

test('4: a search by GET has its members in the path or the query, and no body', () => {
  const call = (search: string, json: unknown) => {
    const paths = { search }
    const { method, path, body } = toEndpointCall('search', withPathMembers('search', { json }, paths), paths)
    return [method, path, body]
  }
  expect(call('GET /p?ref={clientTransactionId}', { clientTransactionId: 'a/b', limit: 2 })).toEqual([
    'GET',
    '/p?ref=a%2Fb&limit=2',
    undefined,
  ])
  expect(call('GET /p', { filter: { clientTransactionId: 'a b' } })).toEqual([
    'GET',
    '/p?clientTransactionId=a+b',
    undefined,
  ])
  expect(call('/p', { limit: 2 })).toEqual(['POST', '/p', Buffer.from('{"limit":2}')])
})

test('4: a path names a member of a query too, and a payment by its path only', () => {
  const paths = { downloadReport: '/reports/{reportId}/file' }
  const report = withPathMembers('downloadReport', { query: { reportId: 'r/1', more: '1' } }, paths)
  expect(toEndpointCall('downloadReport', report, paths).path).toBe('/reports/r%2F1/file?more=1')
  const status = { path: { transactionId: 'a' }, query: { transactionId: 'b' } }
  expect(toEndpointCall('status', withPathMembers('status', status)).path).toBe('/payments/a/status?transactionId=b')
})

// biome-ignore format: a table reads by its columns
test.each([
  ['leading zeros',    '007',                  '"007"'],
  ['a number',         '7',                    '7'],
  ['more than 2^53',   '9007199254740993',     '9007199254740993'],
  ['other characters', '7/50%',                '"7/50%"'],
])('2.6: an id with %s survives in bodies and paths', (_what, id, written) => {
  const profile: Profile = { ...simulator, ids: { transactionId: 'number' } }
  expect(JSON.stringify(createValueForms(profile, SAME_IDS).write('transactionId', id))).toBe(written)
  expect(String(findField(profile, answering(`{"transactionId":${written}}`), 'initiate.transactionId'))).toBe(id)
  const { path } = toEndpointCall('status', { path: { transactionId: id } })
  expect(path).toBe(`/payments/${encodeURIComponent(id)}/status`)
})

const answering = (body: string): Exchange => ({
  request: { method: 'GET', url: 'https://localhost/', headers: {}, endpoint: 'status' },
  response: { status: 200, headers: {}, body: Buffer.from(body) },
  durationMs: 1,
})

const inCategory = (profile: Profile, body: object, ...stages: string[]) =>
  createExpect(profile, { id: 'LIF-01' }).inCategory(answering(JSON.stringify(body)), ...stages)
const active = (taken: unknown, returned: unknown) => ({ lifecycle: { phase: 'ACTIVE' }, sums: { taken, returned } })

// biome-ignore format: a table reads by its columns
test.each([
  ['authorized', active(0, 0),            ['captured', 'settled', 'refunded']],
  ['captured',   active('1000.00', '0'),  ['authorized', 'refunded']],
  ['settled',    active(1000, 0),         ['authorized', 'refunded']],
  ['refunded',   active(1000, 1000),      ['authorized', 'captured', 'settled']],
])('3: a word for several stages means %s by its sums', (stage, body, others) => {
  expect(() => inCategory(coarse, body, stage)).not.toThrow()
  for (const other of others) expect(() => inCategory(coarse, body, other)).toThrow(Mismatch)
})

test('3: the stage on which a row of a grid builds is told by its sums too', () => {
  const read = (...sums: [number, number]) => ({ of: () => answering(JSON.stringify(active(...sums))), transcript: [] })
  const ensure = (sums: [number, number], stage: string) =>
    ensureStage(read(...sums), createExpect(coarse, { id: 'GRD-16' }), 'before', [stage])
  expect(ensure([1000, 0], 'captured')).not.toBe(ensure([1000, 1000], 'refunded'))
  expect(() => ensure([0, 0], 'captured')).toThrow(Blocked)
  expect(() => ensure([1000, 1000], 'authorized')).toThrow(Blocked)
})

test('3: without sums a word stands for each of its stages; a sum that is named and not found is untestable', () => {
  const { captured: _, refunded: __, ...status } = coarse.fields?.status ?? {}
  const sumless = { ...coarse, fields: { ...coarse.fields, status } }
  for (const stage of ['authorized', 'refunded']) inCategory(sumless, active(0, 0), stage)
  expect(() => inCategory(sumless, active(0, 0), 'waiting')).toThrow(Mismatch)
  expect(() => inCategory(coarse, { lifecycle: { phase: 'ACTIVE' } }, 'authorized')).toThrow(Untestable)
  expect(() => inCategory(coarse, active('much', 0), 'authorized')).toThrow(Untestable)
  expect(() => inCategory(coarse, { lifecycle: { phase: 'OPEN' } }, 'waiting')).not.toThrow()
})
