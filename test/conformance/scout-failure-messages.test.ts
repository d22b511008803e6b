import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { lastWords, wordsOnMissingToken } from '../../contracts/scout/describe-last-refusal.ts'
import { scoutErrorFields } from '../../contracts/scout/read-only-probes.ts'
import { scoutDecisions } from '../../contracts/scout/scout-decisions.ts'
import { scoutOperationReferences } from '../../contracts/scout/scout-operation-references.ts'
import { type CheckContext, createCheckContext } from '../../contracts/suites/context/check-context.ts'
import { startStubServer } from '../client/stub-server.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { bodyTextOf, isCallTo, refuseCalls } from './mutants/mutations-of-matching-calls.ts'
import { targetOptions } from './run-certify-child-process.ts'
import { runCertifyInProcess } from './run-certify-in-process.ts'
import { SIMULATOR_PROFILE, simulatorProfileAt } from './run-suites.ts'

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})

afterAll(() => simulator.stop())

const scout = async (change: (text: string) => string, ...options: string[]) => {
  const file = join(temporaryFolder(), 'ours.yaml')
  writeFileSync(file, change(readFileSync(SIMULATOR_PROFILE, 'utf8')))
  return runCertifyInProcess('scout', '--profile', file, ...targetOptions(simulator), ...options)
}

test('where no dialect is let in, scout ends with the response that is not like the others', async () => {
  const { out } = await scout(text => `${text}\npaths:\n  token: /auth/nowhere\n`)
  expect(out).toMatch(
    /open {6}the service answered POST \S+\/auth\/nowhere with HTTP 401, code 4970, ".+": correct --kit, .* or paths\.token in \S+ours\.yaml\n$/,
  )
})

test('where nothing responds, scout ends with the transport error', async () => {
  const { out } = await scout(text => text, '--base-url', 'https://localhost:1')
  expect(out).toMatch(
    /https:\/\/localhost:1\S* with nothing: it cannot be reached \(ECONNREFUSED: .*\): start it, or correct --base-url\n$/,
  )
  expect(out).not.toContain('correct paths.keySet')
})

// biome-ignore format: a table reads by its columns
test.each([
  ['a page',           '<html>It works</html>'],
  ['an empty object',  '{}'],
  ['an empty token',   '{"access_token":""}'],
  ['a set of keys',    '{"keys":[]}'],
])('scout learns nothing from a server that answers %s to every call, and says so', async (_what, body) => {
  const stub = await startStubServer((_, outgoing) => outgoing.writeHead(200).end(body))
  const kit = join(temporaryFolder(), 'kit.json')
  writeFileSync(kit, JSON.stringify({ ...simulator.kit, ca: stub.ca }))
  const change = (text: string) => text.replace(/^(dialect|paths):\n( .*\n)+/gm, '')
  const { code, out } = await scout(change, '--base-url', stub.url, '--kit', kit, '--json')
  await stub.stop()
  expect(code).toBe(3)
  expect(JSON.parse(out)).toEqual({
    found: [],
    open: expect.arrayContaining([
      expect.stringMatching(
        /^dialect: POST \S+\/auth\/token was answered with HTTP 200 and no access token, which does not look like the payment API: correct --base-url or paths\.token in \S+ours\.yaml$/,
      ),
    ]),
  })
})

// biome-ignore format: a table reads by its columns
test.each([
  ['a\r\nX-More: 1\u{1f600}', 'an access token that no header carries, as it holds more than visible ASCII: mend the service'],
  ['abc\u202edef',            'an access token that no header carries, as it holds more than visible ASCII: mend the service'],
  ['',                        'no access token, which does not look like the payment API: correct --base-url or paths.token in '],
  [{ value: 'token' },        'no access token, which does not look like the payment API: correct --base-url or paths.token in '],
])('what scout says of the access token %j', (token, words) => {
  const served = exchange(200, JSON.stringify({ access_token: token }), 'token')
  expect(wordsOnMissingToken(simulatorProfileAt(simulator), [served])).toContain(`with HTTP 200 and ${words}`)
})

test('what scout says of a compressed token response', () => {
  const served = exchange(200, '\u001f', 'token')
  const coded = {
    ...served,
    response: served.response && { ...served.response, headers: { 'content-encoding': 'gzip' } },
  }
  expect(wordsOnMissingToken(simulatorProfileAt(simulator), [coded as never])).toContain('a body encoded by gzip')
})

test('scout learns no driver of shoppers from a server that answers the same to every call', async () => {
  const same = { access_token: 'token', token_type: 'Bearer', expires_in: 3600, transactionId: 'payment-1' }
  const stub = await startStubServer((_, outgoing) => outgoing.writeHead(200).end(JSON.stringify(same)))
  const kit = join(temporaryFolder(), 'kit.json')
  writeFileSync(kit, JSON.stringify({ ...simulator.kit, ca: stub.ca }))
  const file = join(temporaryFolder(), 'without-control.yaml')
  writeFileSync(file, readFileSync(SIMULATOR_PROFILE, 'utf8').replace(/^control:\n( .*\n)+/m, ''))
  const options = ['--base-url', stub.url, '--kit', kit, '--tier', '3', '--json']
  const { out } = await runCertifyInProcess('scout', '--profile', file, ...options)
  await stub.stop()
  const { found, open } = JSON.parse(out) as { found: { line: string }[]; open: string[] }
  expect(found.filter(({ line }) => line.startsWith('shopper.'))).toEqual([])
  expect(open).toContainEqual(
    expect.stringMatching(/^shopper\.mock\.approve: .* is in no state that the profile finds$/),
  )
})

test('where a probe is refused, scout says how and names the line', async () => {
  const { out } = await scout(text => `${text}\nrequests:\n  initiate:\n    returnUrl: /back\n`, '--tier', '3')
  expect(out).toMatch(
    /the service answered POST \S+\/payments\/initiate with HTTP 400, code 4000, ".*returnUrl.*": correct requests\.initiate or enums in/,
  )
})

test('scout learns the words for states where partial captures are refused', async () => {
  const [account] = simulator.kit.processingAccountIds
  const url = `${simulator.pagesUrl}/control/organizations/demo-merchant/accounts/${account}/capabilities`
  const body = JSON.stringify({ BLIK: { partialCapture: false } })
  await fetch(url, { method: 'PUT', headers: { 'content-type': 'application/json' }, body })
  const withoutWords = (text: string) => text.replace(/^(states|fields):\n( .*\n)+/gm, '')
  const { out } = await scout(withoutWords, '--tier', '3', '--json')
  await fetch(url, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{}' })
  const { found } = JSON.parse(out) as { found: { line: string; value: unknown }[] }
  expect(Object.fromEntries(found.map(({ line, value }) => [line, value]))).toMatchObject({
    'states.authorized': ['AUTHORIZED'],
    'states.captured': ['CAPTURED'],
    'fields.events.captured': '/paymentDetails/capturedAmount',
  })
})

test('1: scout leaves a decision open on which two methods differ', async () => {
  let isIris = false
  const mixed = refuseCalls(call => {
    if (isCallTo('/payments/initiate')(call)) isIris = bodyTextOf(call).includes('"IRIS"')
    return isCallTo('/payments/cancel')(call) && !isIris
  }, 'TRANSITION_NOT_ALLOWED')
  const other = await startTestSimulator({}, dataDir => mixed(dataDir, { count: 0 }))
  const context = createCheckContext(simulatorProfileAt(other), 3)
  try {
    const { found, open } = await scoutDecisions(context)
    expect(found.map(({ line }) => line)).toContain('decisions.D-34')
    expect(open).toContainEqual(expect.stringMatching(/^decisions\.D-39: not seen, .* → 422\b.*; .* → 200\b/))
  } finally {
    context.close()
    await other.stop()
  }
})

const exchange = (status: number, body: string, endpoint?: 'token' | 'search'): Exchange => ({
  request: {
    method: 'POST',
    url: 'https://x/y',
    headers: { authorization: `Bearer ${SECRET}` },
    ...(endpoint && { endpoint }),
  },
  response: { status, headers: {}, body: Buffer.from(body) },
  durationMs: 1,
})
const SECRET = 'a-token-that-nobody-may-see'

const redirect = (location: string, endpoint?: 'token' | 'search'): Exchange => {
  const { request } = exchange(301, '', endpoint)
  return { request, response: { status: 301, headers: { location }, body: Buffer.alloc(0) }, durationMs: 1 }
}

// biome-ignore format: a table reads by its columns
test.each([
  [exchange(401, '{"error":"invalid_client","error_description":"unknown key"}', 'token'), 'with HTTP 401, code invalid_client, "unknown key": correct --kit, first its certificate'],
  [exchange(403, `{"message":"no ${SECRET} here"}`, 'search'),    'with HTTP 403, "no [hidden, 27 characters] here": correct --kit, its certificate'],
  [exchange(404, '<h1>Not\n found</h1>', 'search'),               'with HTTP 404, "<h1>Not found</h1>": correct paths.search in'],
  [exchange(422, '{"at":"2026-01-01","why":"this is no body"}', 'search'), 'with HTTP 422, "this is no body": correct requests.search or enums in'],
  [redirect('https://elsewhere.example/v2', 'token'),             'with HTTP 301 to "https://elsewhere.example/v2": correct --base-url or paths.token in'],
  [redirect('/\u202eelse'),                                       'with HTTP 301 to "/\u202eelse": correct --base-url or paths.keySet in'],
  [redirect(`https://a:pw@b/?token=${SECRET}`, 'search'),         'with HTTP 301 to "https://***@b/?token=[hidden, 27 characters]": correct --base-url or paths.search in'],
  [exchange(307, '', 'token'),                                    'with HTTP 307: correct --base-url or paths.token in'],
  [exchange(503, '', 'search'),                                   'with HTTP 503: try again later'],
  [exchange(501, '{"code":"8003"}', 'search'),                    'with HTTP 501, code 8003: where it does not offer this, a line of capabilities says so'],
  [exchange(422, '{"code":"5002"}', 'search'),                    'with HTTP 422, code 5002: its rules forbid it there, nothing is to be corrected'],
])('last words %#', (last, words) => {
  const profile = { ...simulatorProfileAt(simulator), errors: {} }
  expect(lastWords(profile, [last, exchange(200, '{}')])).toContain(words)
  if (last.response?.status === 301) expect(lastWords(profile, [last], 'paths.reports')).toContain(words)
  expect(lastWords(profile, [exchange(200, '{}')])).toBeUndefined()
})

test('a response that cannot be read is no service that is not there', async () => {
  const { response: _, ...lost } = exchange(0, '')
  const long = { ...lost, transportError: { code: 'ANSWER_TOO_LONG', message: 'the response is too long' } }
  expect(lastWords(simulatorProfileAt(simulator), [long])).toContain(
    'with a response that cannot be read (ANSWER_TOO_LONG: the response is too long): mend it, or correct --base-url',
  )
  const refused = { merchant: { request: async () => long }, profile: {} } as unknown as CheckContext
  const { open } = await scoutErrorFields(refused)
  expect(open.join()).toContain('/y ANSWER_TOO_LONG')
})

test('a service that gives no response is named with the transport error', () => {
  const { response: _, ...lost } = exchange(0, '')
  const cut = { ...lost, transportError: { code: 'ECONNREFUSED', message: 'refused' } }
  expect(lastWords(simulatorProfileAt(simulator), [cut])).toContain(
    'with nothing: it cannot be reached (ECONNREFUSED: refused): start it, or correct --base-url',
  )
})

test('scout says where a line of the profile differs from what it saw', async () => {
  const { out } = await scout(text =>
    text
      .replace("serviceVersion: '1.0'", "serviceVersion: '2.0'")
      .replace('callId: /callId', 'callId: /statusInfo/message')
      .replace('list: /providers', 'list: /nothing'),
  )
  expect(out).toMatch(/^differs {3}serviceVersion: "1\.0" \(the profile says "2\.0"\)$/m)
  expect(out).toMatch(/^differs {3}errors\.callId: "\/callId" \(the profile says "\/statusInfo\/message"\)$/m)
  expect(out).toMatch(/^differs {3}fields\.providers\.list: "\/providers" \(the profile says "\/nothing"\)$/m)
  expect(out).toMatch(/^was told {2}errors\.reasonCode: "\/statusInfo\/reasonCode"$/m)
})

const refusal = (status: number, code: string, more: object = {}) =>
  exchange(status, JSON.stringify({ problem: { number: code }, ...more }))

/** What scout learns of where codes are from a service that answers the three calls so; counts its calls of reports. */
const learnErrors = async (answers: Readonly<Record<string, Exchange>>, profile: object = {}) => {
  let reportCalls = 0
  const request = async (operation: string, { bytes }: { bytes?: unknown } = {}) => {
    if (operation === 'reports') reportCalls += 1
    return answers[bytes === undefined ? operation : 'broken']
  }
  const told = await scoutErrorFields({ merchant: { request }, profile } as unknown as CheckContext)
  return { ...told, reportCalls }
}

const REFUSED = { providers: refusal(401, '4970'), broken: refusal(400, '4000') }
const LEARNED = { line: 'errors.reasonCode', value: '/problem/number' }

// biome-ignore format: a table reads by its columns
test.each([
  ['no such place',              exchange(404, '{"problem":{"number":"4100"}}')],
  ['a page',                     exchange(404, '<h1>Not found</h1>')],
  ['a proxy that forbids',       exchange(403, '{"message":"Missing Authentication Token"}')],
  ['a list for everybody',       exchange(200, '{"reports":[]}')],
  ['an operation unsupported',   refusal(501, '8003')],
  ['a failure',                  refusal(500, '9000')],
])('scout learns where codes are of a service whose reports are %s', async (_what, reports) => {
  const { found, open } = await learnErrors({ ...REFUSED, reports })
  expect([found, open]).toEqual([[expect.objectContaining(LEARNED)], []])
  expect(found[0]?.evidence).toMatch(/^4970, 4xxx: /)
})

test('scout calls no reports of a deployment that has none', async () => {
  const none = { capabilities: { reports: false } }
  const { found, reportCalls } = await learnErrors({ ...REFUSED, reports: refusal(403, '4971') }, none)
  expect([found, reportCalls]).toEqual([[expect.objectContaining(LEARNED)], 0])
})

test('a scope that is missing still tells apart two places that hold codes', async () => {
  const answers = {
    providers: refusal(401, '4970', { group: '4970' }),
    broken: refusal(400, '4000', { group: '4000' }),
    reports: refusal(403, '4971', { group: '4970' }),
  }
  expect((await learnErrors(answers)).found).toEqual([expect.objectContaining(LEARNED)])
  const alike = await learnErrors({ ...answers, reports: exchange(404, '') })
  expect(alike.open).toEqual([expect.stringContaining('more than one place holds the right codes in ')])
})

// biome-ignore format: a table reads by its columns
test.each([
  ['one of several places',     '/problem/number',               { group: '4970' }, { group: '4000' }],
  ['a list of places',          ['/problem/code', '/problem/number'], { group: '4970' }, { group: '4000' }],
])('a line that holds the codes seen was told, not open: %s', async (_what, reasonCode, first, second) => {
  const answers = { providers: refusal(401, '4970', first), broken: refusal(400, '4000', second), reports: exchange(404, '') }
  const { found, open } = await learnErrors(answers, { errors: { reasonCode } })
  expect([found, open]).toEqual([[expect.objectContaining({ ...LEARNED, value: reasonCode })], []])
})

test('scout that learns no call id sends nobody to correct the place of codes', async () => {
  const plain = { access_token: 'token', token_type: 'Bearer', expires_in: 7200, scope: 'payments:read' }
  const stub = await startStubServer((incoming, outgoing) => {
    const isToken = incoming.url === '/auth/token'
    const code = incoming.headers.authorization === undefined ? '4970' : '4000'
    outgoing.writeHead(isToken ? 200 : 400).end(JSON.stringify(isToken ? plain : { problem: { number: code } }))
  })
  const kit = join(temporaryFolder(), 'kit.json')
  writeFileSync(kit, JSON.stringify({ ...simulator.kit, ca: stub.ca }))
  const change = (text: string) => text.replace(/^errors:\n( .*\n)+/gm, '')
  const { out } = await scout(change, '--base-url', stub.url, '--kit', kit).finally(() => stub.stop())
  expect(out).toContain('learned   errors.reasonCode: "/problem/number"')
  expect(out).toContain('open      errors.callId: not seen, what differs between two equal refusals')
  expect(out).not.toContain('correct errors.reasonCode')
})

test.each([403, 404, 500, undefined])(
  'scout learns nothing of references (D-48) where a cancel is answered by %s',
  async status => {
    const responses: Record<string, object | undefined> = {
      initiate: { status: 200, headers: {}, body: Buffer.from('{"transactionId":"t1"}') },
      cancel: status === undefined ? undefined : { status, headers: {}, body: Buffer.from('{}') },
    }
    const request = async (endpoint: string) => ({
      request: { method: 'POST', url: `https://a/${endpoint}`, headers: {}, endpoint },
      response: responses[endpoint],
    })
    const context = { profile: simulatorProfileAt(simulator), account: 'a', merchant: { request } }
    const { found, open } = await scoutOperationReferences(context as never)
    expect(found).toEqual([])
    expect(open).toEqual([expect.stringContaining('decisions.D-48')])
  },
)
