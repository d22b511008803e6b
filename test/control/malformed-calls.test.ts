import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectServed } from '../support/api-response-checks.ts'
import { expectDescribedResponse } from '../support/raw-control-call.ts'
import { exchangeRaw, type RawResponse } from '../support/raw-http.ts'
import { irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

let sandbox: RawSandbox

beforeAll(async () => {
  sandbox = await openRawSandbox()
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const DEMO = '/control/organizations/demo-merchant'

const say = async (method: string, target: string, body = '', headers: Record<string, string> = {}) => {
  const all = { Host: 'localhost', 'Content-Length': String(Buffer.byteLength(body)), ...headers }
  const message = { method, target, headers: Object.entries(all), body: Buffer.from(body) }
  const [answer] = (await exchangeRaw(sandbox.pagesPort, message, { plain: true, head: method === 'HEAD' })).answers
  if (!answer) throw new Error('There is no answer.')
  const unread = answer.status === 400 && answer.header('content-type')?.startsWith('text/')
  if (/^\/control(\/|$)/.test(target) && !unread) expectDescribedResponse(answer, { method, target, sent: body })
  return answer
}

/** Expects an error of control: a status and one sentence; returns the sentence. */
const expectSentence = (answer: RawResponse, status: number): string => {
  expect(answer.status, answer.body.toString()).toBe(status)
  const { error } = answer.json() as { error: string }
  expect(error).toMatch(/^[^\n]{10,400}\.$/)
  return error
}

/** Bodies that are invalid where a JSON object is required. */
const BAD_BODIES = [
  '{',
  '[]',
  'null',
  '42',
  '"x"',
  '{"unknown":"x"}',
  '{"__proto__":"x"}',
  '{"constructor":"x"}',
  `{"${'x'.repeat(50_000)}":1}`,
  `${'['.repeat(60_000)}`,
  '\u0000',
]

describe.each([
  ['an organization', '/control/organizations', 'id'],
  ['the clock', `${DEMO}/clock`, 'advance'],
  ['the shopper', `${DEMO}/payments/nobody/shopper`, 'action'],
])('%s', (_what, target, member) => {
  test('invalid bodies are refused with 400', async () => {
    for (const body of BAD_BODIES) expectSentence(await say('POST', target, body), 400)
  })

  test('a member that is not a string is refused with 400', async () => {
    for (const value of ['1', 'true', 'null', '[]', '{}'])
      expectSentence(await say('POST', target, `{"${member}":${value}}`), 400)
  })
})

test.each([
  ['inbox?transactionID=x', 'transactionID', 'type, transactionId, clientTransactionId, after, limit'],
  ['payments?limt=1', 'limt', ''],
  ['journal?reasoncode=4000', 'reasoncode', ''],
  ['deliveries?transactionID=x', 'transactionID', ''],
  ['mandates?payerId=x', 'payerId', 'limit'],
])('a filter that does not exist is refused: %s', async (target, name, known) => {
  const error = expectSentence(await say('GET', `${DEMO}/${target}`), 400)
  expect(error).toContain(`The query has the unknown parameter ${name}: give ${known}`)
})

test.each([
  ['inbox?type=NOPE', 'type is "NOPE": give one of PAYMENT_INITIATE, '],
  ['inbox?after=zzz', 'after names no message of this organization'],
  ['inbox/wait?type=NOPE&atMost=PT1M', 'type is "NOPE": give one of PAYMENT_INITIATE, '],
  ['inbox/wait?after=zzz&atMost=PT1M', 'after names no message of this organization'],
  ['deliveries?before=zzz', 'before names no delivery of this organization'],
  ['deliveries?state=nope', 'state is "nope": give one of failing, '],
  ['journal?layer=nope', 'layer is "nope": give one of any, http, '],
  ['journal?webhooks=nope', 'webhooks is "nope": give one of sent.'],
  ['journal?status=nope', 'status is "nope": give a status such as 404'],
  ['journal.har?layer=nope', 'layer is "nope": give one of any, http, '],
  ['journal/stream?layer=nope', 'layer is "nope": give one of any, http, '],
  ['payments?status=nope', 'status is "nope": give one of '],
  ['payments?state=nope', 'state is "nope": give one of '],
  ['payments?providerId=nope', 'providerId is "nope": give one of BLIK, IRIS.'],
  ['payments?accountId=nope', 'accountId is "nope": give one of demo-merchant-account-1'],
  ['payments/totals?accountId=nope', 'accountId is "nope": give one of demo-merchant-account-1'],
  ['payments.csv?accountId=nope', 'accountId is "nope": give one of demo-merchant-account-1'],
  ['payments?createdFrom=2026-02-30', 'createdFrom is "2026-02-30": give a day'],
  ['payments?createdTo=2026-02-30T10:00:00Z', 'createdTo is "2026-02-30T10:00:00Z": give a day'],
  ['conduct?since=1', 'since is "1": give an instant'],
  ['journal?before=zzz', 'before names no call of this journal'],
  ['journal.har?before=zzz', 'before names no call of this journal'],
  ['payments?before=zzz', 'before names no payment of this organization'],
  ['statistics?span=nope', 'span is "nope": give '],
  ['reports?type=nope', 'type is "nope": give one of '],
])('a filter that nothing can match is refused: %s', async (target, sentence) => {
  expect(expectSentence(await say('GET', `${DEMO}/${target}`), 400)).toContain(sentence)
})

test.each(['UPPER', '-x', '', 'a b', '../x', 'x'.repeat(64), 'ż', "'--", '__proto__', 'a\u0000'])(
  'an organization with the id %j is refused',
  async id => {
    expectSentence(await say('POST', '/control/organizations', JSON.stringify({ id })), 400)
  },
)

test('an existing organization id is refused with 409', async () => {
  expectSentence(await say('POST', '/control/organizations', '{"id":"demo-merchant"}'), 409)
})

test.each(['', 'P', 'PT', 'PT-1S', '-PT1S', '1', 'PT1', 'P1Y', 'PT1.5M', 'PT1,5S', 'pt1s', 'P1D ', 'PTNaNS', '∞'])(
  'the clock does not advance by %j',
  async advance => {
    expectSentence(await say('POST', `${DEMO}/clock`, JSON.stringify({ advance })), 400)
  },
)

const UNITS = 'an ISO 8601 duration of days, hours, minutes and seconds'

// biome-ignore format: a table reads by its columns
test.each([
  ['clock',                    { advance: 'P1W' },                                                       `advance is "P1W": give ${UNITS} such as PT45S, or "next".`],
  ['clock',                    { advance: 'P1M' },                                                       `advance is "P1M": give ${UNITS} such as PT45S, or "next".`],
  ['delivery-plans',           { do: 'delay', after: 'P1W' },                                            `after is "P1W": give ${UNITS} such as PT30S, up to P365D.`],
  ['faults',                   { operation: 'refund', kind: 'timeout', done: 'late', after: 'P1W' },     `after is "P1W": give ${UNITS} such as PT30S, up to P365D.`],
  ['faults',                   { operation: 'refund', kind: 'limited', after: 'P1W' },                   `after is "P1W": give whole seconds as ${UNITS} such as PT2S, up to P1D.`],
  ['payments/x/shopper',       { action: 'approve', after: 'P1W' },                                      `after is "P1W": give ${UNITS} such as PT5S.`],
  ['payments/x/shopper',       { action: 'approve', after: 5 },                                          `after is 5: give ${UNITS} such as PT5S.`],
  ['payments/x/shopper',       { action: 'approve', keep: true },                                        'keep is true: give one of yes, no.'],
  ['payments/x/shopper',       { action: 'approve', leaves: null },                                      'leaves is null: give one of yes, no.'],
  ['payments/x/shopper',       { action: 7 },                                                            'action is 7: give one of approve, decline, lapse.'],
  ['blik/codes',               { recurring: true },                                                      'recurring is true: give one of yes, no.'],
  ['blik/codes',               { phone: 7 },                                                             'phone is 7: give a text.'],
  ['mocks',                    { processingAccountId: 'a', key: { type: 'payerId', value: 'x' }, type: 'MOCK' }, 'scenario is missing: GET /control/scenarios lists the names.'],
  ['mocks',                    { processingAccountId: 'a', key: { type: 'payerId', value: 'x' }, scenario: 'ok' }, 'scenario is "ok": GET /control/scenarios lists the names.'],
  ['mocks',                    { processingAccountId: 7 },                                               'processingAccountId is 7: give an account.'],
])('the error of %s %j says what to give', async (path, body, sentence) => {
  expect(expectSentence(await say('POST', `${DEMO}/${path}`, JSON.stringify(body)), 400)).toBe(sentence)
})

test('a clock cannot be advanced beyond the year 9999', async () => {
  const clock = (advance: string) =>
    say('POST', '/control/organizations/other-merchant/clock', JSON.stringify({ advance }))
  expectSentence(await clock(`P${'9'.repeat(30)}D`), 400)
  expectSentence(await clock('P3000000D'), 400)
  expect((await clock('P2900000D')).status).toBe(200)
  expectSentence(await clock('P2900000D'), 400)
  expect((await clock('PT1S')).status).toBe(200)
  expect((await say('GET', '/control/organizations')).status).toBe(200)
})

test.each([
  ['GET', '/control/organizations/nobody/kit'],
  ['GET', '/control/organizations/nobody/journal'],
  ['GET', '/control/organizations/__proto__/kit'],
  ['GET', '/control/organizations/%00/kit'],
  ['GET', '/control/organizations/%zz/kit'],
  ['GET', '/control/organizations/..%2fdemo-merchant/kit'],
  ['POST', '/control/organizations/nobody/blik/codes'],
  ['POST', '/control/organizations/nobody/clock'],
  ['POST', '/control/organizations/nobody/clock/drain'],
  ['POST', '/control/organizations/nobody/payments/x/shopper'],
  ['GET', '/control/nothing'],
  ['DELETE', '/control'],
  ['DELETE', '/control/organizations'],
  ['DELETE', '/control/organizations/nobody'],
  ['POST', '/control/organizations/nobody/reset'],
  ['GET', '/control/organizations/nobody/snapshots'],
  ['PUT', '/control/organizations/nobody/snapshots/a'],
  ['POST', '/control/organizations/nobody/snapshots/a/restore'],
  ['PUT', `${DEMO}/kit`],
  ['PUT', `${DEMO}/clock`],
  ['GET', `${DEMO}/blik/codes`],
  ['OPTIONS', `${DEMO}/clock`],
  ['TRACE', `${DEMO}/clock`],
])('%s %s is 404', async (method, target) => {
  expectSentence(await say(method, target), 404)
})

test.each(['0', '-1', '1.5', 'x', '100000', '', '1e3', '%00'])('a journal with limit=%s is refused', async limit => {
  expectSentence(await say('GET', `${DEMO}/journal?limit=${limit}`), 400)
  expectSentence(await say('GET', `/control/journal?limit=${limit}`), 400)
})

const initiate = async (): Promise<string> => {
  const answer = await sandbox.send(await sandbox.sign({ body: irisInitiateBody() }))
  return String((await expectServed(answer, sandbox.keySet)).transactionId)
}

const act = (transactionId: string, action: string, organization = 'demo-merchant') =>
  say('POST', `/control/organizations/${organization}/payments/${transactionId}/shopper`, JSON.stringify({ action }))

test('a shopper decides once, by a known action, on an existing payment', async () => {
  const transactionId = await initiate()
  for (const action of ['', 'APPROVE', 'approve ', 'cancel', '__proto__'])
    expectSentence(await act(transactionId, action), 400)
  expectSentence(await act('nobody', 'approve'), 404)
  expectSentence(await act('%00', 'approve'), 404)
  expectSentence(await act(transactionId, 'approve', 'other-merchant'), 404)
  expect((await act(transactionId, 'decline')).json()).toEqual({ transactionId, outcome: 'declined' })
  for (const action of ['decline', 'approve', 'lapse'])
    expect(expectSentence(await act(transactionId, action), 409)).toBe(
      'The shopper has nothing to decide any more, as the payment is DECLINED: begin another one.',
    )
})

test('a decision after expiry is refused with 409', async () => {
  const transactionId = await initiate()
  expect((await say('POST', `${DEMO}/clock`, '{"advance":"PT30M"}')).status).toBe(200)
  expect(expectSentence(await act(transactionId, 'approve'), 409)).toContain('as the payment is EXPIRED:')
})

test.each([
  'evil.example',
  'localhost.evil.example',
  'localhost.',
  'user@evil.example',
  '127.0.0.1.evil.example',
  'evil.example:8080',
])('a page or a call under the rebound Host %s is refused', async host => {
  for (const target of ['/', '/control/organizations', `${DEMO}/kit`]) {
    const answer = await say('GET', target, '', { Host: host })
    expect([400, 403]).toContain(answer.status)
    expect(answer.body.toString()).not.toContain('PRIVATE KEY')
  }
})

test('an absolute target does not bypass the Host check', async () => {
  const answer = await say('GET', `http://localhost${DEMO}/kit`, '', { Host: 'evil.example' })
  expect(answer.status).toBe(403)
})

test.each(['https://evil.example', 'null', 'http://localhost:1', 'http://localhost.evil.example', 'rubbish'])(
  'a call from a page of the origin %s is refused',
  async origin => {
    expect((await say('POST', `${DEMO}/clock/drain`, '', { Origin: origin })).status).toBe(403)
  },
)

test.each(['localhost', '127.0.0.1', '[::1]', 'assay', 'shop.localhost', 'LOCALHOST:80'])(
  'the Host %s with the same Origin is accepted',
  async host => {
    const headers = { Host: host, Origin: `http://${host}` }
    expect((await say('POST', `${DEMO}/blik/codes`, '', headers)).status).toBe(201)
  },
)

test('an unknown address of control is refused with the place of the known ones', async () => {
  const { status, body } = await say('GET', '/control/nope')
  expect([status, JSON.parse(body.toString())]).toEqual([
    404,
    { error: 'There is no GET /control/nope: GET /control/openapi.yaml lists what there is.' },
  ])
})

test('a body that is too large is refused', async () => {
  const answer = await say('POST', '/control/organizations', `{"id":"${'x'.repeat(70_000)}"}`)
  expect(answer.status).toBe(413)
})

test.each([
  ['GET', '/nowhere'],
  ['GET', '/blik/nobody'],
  ['GET', '/blik/demo-merchant/phones/nobody'],
  ['POST', '/blik/demo-merchant/phones/nobody/codes'],
  ['GET', '/iris/nobody'],
  ['GET', '/iris/%00'],
  ['GET', '/iris/%zz/banks/x'],
  ['POST', '/iris/nobody/decision'],
  ['GET', '/assets/..%2f..%2fpages.ts'],
  ['GET', '/assets/...'],
  ['DELETE', '/'],
  ['PROPFIND', '/'],
])('%s %s is not a page: 404', async (method, target) => {
  expect((await say(method, target)).status).toBe(404)
})

test.each([
  ['rubbish', 'application/x-www-form-urlencoded', '%%%&&==='],
  ['a broken multipart form', 'multipart/form-data; boundary=x', '--x\r\nrubbish'],
  ['a multipart form without a boundary', 'multipart/form-data', 'x'],
  ['an unknown action', 'application/x-www-form-urlencoded', 'action=cake'],
])('a decision sent as %s has no effect', async (_case, type, body) => {
  const answer = await sandbox.send(await sandbox.sign({ body: irisInitiateBody() }))
  const { transactionId, providerDetails } = await expectServed(answer, sandbox.keySet)
  const { pathname } = new URL((providerDetails as { redirectUrl: string }).redirectUrl)
  const decision = await say('POST', `${pathname}/decision`, body, { 'Content-Type': type })
  expect(decision.status).toBe(303)
  const status = await sandbox.send(await sandbox.sign({ target: `/payments/${transactionId}/status` }))
  expect((await expectServed(status, sandbox.keySet)).status).toBe('PENDING')
})
