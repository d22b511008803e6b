import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRedactor } from '../../contracts/client/redact-secrets.ts'
import { missingCapabilityReason } from '../../contracts/harness/profile/capabilities-that-checks-need.ts'
import { createRequestDialect, requestPointer } from '../../contracts/harness/profile/create-request-dialect.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { readDialectLines, readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { OPERATIONS } from '../../contracts/operations.ts'
import { readDecisions } from '../../contracts/read-decisions-table.ts'
import { irisPayment } from '../../contracts/suites/given/request-bodies.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

const written = (more: string): string => {
  const file = join(temporaryFolder(), 'profile.yaml')
  writeFileSync(file, `${readFileSync(SIMULATOR_PROFILE, 'utf8')}\n${more}`)
  return file
}

const read = (more: string): Profile => readProfile(written(more))

// biome-ignore format: a table reads by its columns
test.each([
  ['a secret in plain sight',           'expiredIdentity: { certificate: "-----BEGIN", privateKey: env:A }', /:\d+: expiredIdentity\.certificate must be env:NAME or file:PATH, so that no profile contains a secret\.$/],
  ['a tag that YAML does not have',     'enums: !ours {}',                                       /:\d+: Unresolved tag: !ours\.$/],
  ['a line that stands twice',          'reviewed: 1\nsecond: { a: 1, b: 2, a: 3 }',              /:\d+: Map keys must be unique\.$/],
  ['nesting without an end',            `extra: ${'['.repeat(50_000)}`,                             /:\d+: This is nested too deeply: take levels out\.$/],
  ['a second document',                 '---\nname: Second',                                      /:\d+: A second document begins here: keep one, without the line ---\.$/],
  ['a number without an end',           'budgets: { seconds: .inf }',                             /:\d+: budgets\.seconds must be a whole number, not Infinity\.$/],
  ['a number that is none',             'budgets: { seconds: .nan }',                             /:\d+: budgets\.seconds must be a whole number, not NaN\.$/],
  ['a place that is no pointer',        'requests: { all: { clientTransactionId: reference } }',  /:\d+: requests\.all\.clientTransactionId must be a JSON pointer such as .*, not "reference"\.$/],
  ['a pointer with a bare ~',           'requests: { all: { clientTransactionId: /a~2b } }',      /:\d+: requests\.all\.clientTransactionId must be a JSON pointer such as .*, with ~0 for ~ and ~1 for \/ in a name, not "\/a~2b"\.$/],
  ['a pointer that ends with ~',        'members: { status: { lifecycle.state: /a~ } }',          /:\d+: members\.status\.lifecycle\.state must be a JSON pointer such as .*, not "\/a~"\.$/],
  ['a constant at no place',            'requests: { always: { capture: { /a~2b: PLN } } }',      /:\d+: requests\.always\.capture\S* must be a JSON pointer such as /],
  ['a flag at the top of the request',  'requests: { all: { autoCapture: /autoCapture } }',       /:\d+: requests\.all\.autoCapture is no member of our requests: write paymentDetails\.autoCapture instead\.$/],
  ['a member without its parent',       'requests: { all: { amount: /amount } }',                 /:\d+: requests\.all\.amount is no member of our requests: write paymentDetails\.amount instead\.$/],
  ['a member of another operation',     'requests: { refund: { returnUrl: /back } }',             /:\d+: requests\.refund\.returnUrl is no member of our requests: contracts\/openapi\.yaml has the names\.$/],
  ['a member of responses that is none', 'members: { status: { state: /phase } }',                 /:\d+: members\.status\.state is no member of our responses: write lifecycle\.state instead\.$/],
  ['a misspelt parameter',              'requests: { reports: { From: /since } }',                /:\d+: requests\.reports\.From is no member of our requests: write from instead\.$/],
  ['a member to leave out that is none', 'requests: { without: { capture: [amount] } }',          /:\d+: requests\.without\.capture\.amount is no member of our requests: write paymentDetails\.amount instead\.$/],
  ['an operation that is none',         'requests: { pay: { amount: /amount } }',                 /:\d+: requests\.pay is not known here\.$/],
  ['a fixed word',                      'enums: { providerId: { BLIK: B } }',                     /:\d+: enums\.providerId is not known here\.$/],
  ['a type that the document lacks',    'enums: { transactionType: { TWICE: T } }',               /:\d+: enums\.transactionType\.TWICE is not known here\.$/],
  ['two words for one',                 'enums: { transactionType: { ONE_TIME: A, RECURRING: A } }', /:\d+: enums\.transactionType\.RECURRING is "A", as is enums\.transactionType\.ONE_TIME: a word means one thing\.$/],
  ['a success that is none',            'success: { initiate: [404] }',                           /:\d+: success\.initiate\.0 must be at most 299, not 404\.$/],
  ['a header that is none',             'headers: { signature: "a b" }',                          /:\d+: headers\.signature must be the name of a header, not "a b"\.$/],
  ['an id of another kind',             'ids: { transactionId: uuid }',                           /:\d+: ids\.transactionId must be one of text, number, not "uuid"\.$/],
  ['a capability that nobody knows',    'capabilities: { teleport: false }',                      /:\d+: capabilities\.teleport is not known here\.$/],
  ['a method that is none',             'capabilities: { methods: [CASH] }',                      /:\d+: capabilities\.methods\.0 must be one of BLIK, IRIS, not "CASH"\.$/],
  ['a constant at no pointer',          'requests: { always: { capture: { currency: PLN } } }',   /:\d+: requests\.always\.capture/],
  ['a member that initiate must take',  'requests: { without: { initiate: [metadata] } }',        /:\d+: requests\.without\.initiate is not known here\.$/],
  ['a method of a write',               'paths: { capture: GET /capture }',                       /:\d+: paths\.capture must be a path that begins with \//],
  ['a parameter of another name',       "paths: { status: '/p/{paymentId}' }",                    /:\d+: paths\.status has "\{paymentId\}", which no call of status fills: write \{transactionId\} instead\.$/],
  ['a parameter with a hyphen',         "paths: { events: '/p/{transaction-id}' }",               /:\d+: paths\.events has "\{transaction-id\}", which no call of events fills: write \{transactionId\} instead\.$/],
  ['a parameter that is a number',      "paths: { capture: '/p/{1}' }",                           /:\d+: paths\.capture has "\{1\}", which no call of capture fills: write \{processingAccountId\}, .* or \{\w+\} instead\.$/],
  ['a parameter that is an object',     "paths: { capture: '/p/{paymentDetails}' }",              /:\d+: paths\.capture has "\{paymentDetails\}", which no call of capture fills: /],
  ['a parameter in the query',          "paths: { status: '/p?id={id}' }",                        /:\d+: paths\.status has "\{id\}", which no call of status fills: /],
  ['a parameter where none can be',     "paths: { keySet: '/keys/{kid}' }",                       /:\d+: paths\.keySet has "\{kid\}", which no call of keySet fills: leave it out\.$/],
  ['a brace without its other',         "paths: { cancel: '/p/{transactionId' }",                 /:\d+: paths\.cancel has "\{transactionId", which no call of cancel fills: /],
  ['a parameter that stands twice',     "paths: { status: '/p/{transactionId}?id={transactionId}' }", /:\d+: paths\.status has \{transactionId\} twice: leave one out\.$/],
  ['a status of no payment',            'paths: { status: /p/state }',                            /:\d+: paths\.status lacks \{transactionId\}: write it where the id of the payment stands\.$/],
  ['one address of two operations',     'paths: { capture: /p/act, refund: /p/act }',             /:\d+: paths\.refund is POST \/p\/act, where paths\.capture is too: give each its own address\.$/],
  ['two addresses that differ in words only', "paths: { search: 'GET /p/{clientTransactionId}', status: '/p/{transactionId}?v=1' }", /:\d+: paths\.search is GET \/p\/\{clientTransactionId\}, where paths\.status is too: give each its own address\.$/],
  ['a check that is none',              'knownFailures: { nonsense: why }',                       /:\d+: knownFailures/],
])('4: %s is refused with file, line and remedy', (_what, more, sentence) => {
  expect(() => read(more)).toThrow(sentence)
})

test('4: the pointer to a list may be empty, and is refused with a bare ~', () => {
  const file = written('')
  const withList = (pointer: string) => {
    writeFileSync(file, readFileSync(SIMULATOR_PROFILE, 'utf8').replace('list: /providers', `list: "${pointer}"`))
    return readProfile(file).fields?.providers?.list
  }
  expect(['', '/', '/a~0b', '/a~1b/c'].map(withList)).toEqual(['', '/', '/a~0b', '/a~1b/c'])
  for (const pointer of ['/a~2b', '/a/b~'])
    expect(() => withList(pointer)).toThrow(/:\d+: fields\.providers\.list must be a JSON pointer such as .*, not "/)
})

// biome-ignore format: a table reads by its columns
test.each([
  ['Latin-1',              text => Buffer.from(text.replace('name: ', 'name: \u00d6'), 'latin1')],
  ['UTF-16 with its mark', text => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 without mark',  text => Buffer.from(text, 'utf16le')],
] as [string, (text: string) => Buffer][])('4: a profile in %s is refused, also where only the dialect is read', (_what, encoded) => {
  const file = written('')
  const text = readFileSync(file, 'utf8')
  for (const readFile of [readProfile, readDialectLines]) {
    writeFileSync(file, encoded(text))
    expect(() => readFile(file)).toThrow(/profile\.yaml is no text in UTF-8: save it as one\.$/)
    writeFileSync(file, `\ufeff${text.replace('name: ', 'name: \u00d6')}`)
    expect(readFile(file)).toBeDefined()
  }
})

test('4: a map of very many lines is read in time that grows with their number', () => {
  const lines = Array.from({ length: 60_000 }, (_, index) => `  L${index}: x\n`).join('')
  expect(() => read(`enums:\n${lines}`)).toThrow(/:\d+: enums\.L0 is not known here\.$/)
  expect(() => read(`enums:\n${lines}  L7: y\n`)).toThrow(/:60\d{3}: Map keys must be unique\.$/)
}, 20_000)

test('4: a profile is also read from a pipe, as of <(…) of a shell', () => {
  const pipe = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  spawn('sh', ['-c', '(head -n 3 "$0"; tail -n +4 "$0") > "$1"', SIMULATOR_PROFILE, pipe])
  expect(readProfile(pipe).name).toBe(readProfile(SIMULATOR_PROFILE).name)
})

// biome-ignore format: a table reads by its columns
test.each([
  ['one path by two methods',               { capture: '/p', status: '/p?id={transactionId}', search: 'POST /q', providers: 'GET /q' }],
  ['a member of the request',               { initiate: '/accounts/{processingAccountId}/payments', refund: '/p/{transactionId}/refund', downloadReport: '/reports/{reportId}' }],
  ['a query of fixed values',               { reports: '/files?kind=report' }],
  ['the usual address of another operation', { initiate: '/payments/charge' }],
])('4: paths with %s are accepted', (_what, paths) => {
  expect(read(`paths: ${JSON.stringify(paths)}`).paths).toEqual(paths)
})

test('4: a consent that ends too soon to look at it a minute before is refused; 0 is none', () => {
  const file = written('')
  const withConsent = (seconds: number) => {
    writeFileSync(file, readFileSync(file, 'utf8').replace(/consentSeconds: \d+/, `consentSeconds: ${seconds}`))
    return readProfile(file).limits?.consentSeconds
  }
  for (const seconds of [1, 60, 119])
    expect(() => withConsent(seconds)).toThrow(
      new RegExp(
        `:\\d+: limits\\.consentSeconds must be at least 120, or 0 where a consent does not end, not ${seconds}\\.$`,
      ),
    )
  expect([withConsent(0), withConsent(120)]).toEqual([0, 120])
})

// biome-ignore format: a table reads by its columns
test.each([
  ['target.baseUrl',    /baseUrl: .*/,   'baseUrl: https://a:99999',           'an address'],
  ['control.url',       /url: .*/,       'url: http://a:99999',                'an address'],
  ['webhooks.receiver', /receiver: .*/,  'receiver: http://%',                 'an address'],
  ['webhooks.receiver', /receiver: .*/,  'receiver: https://127.0.0.1:0',      'an http address without a path'],
  ['webhooks.public',   /receiver: .*/,  'public: "https://["',                'an address'],
])('4: %s that cannot be opened is refused, also where only the dialect is read: %s, %s', (line, was, is, expected) => {
  const file = written('')
  writeFileSync(file, readFileSync(file, 'utf8').replace(was, is))
  for (const readFile of [readProfile, readDialectLines])
    expect(() => readFile(file)).toThrow(new RegExp(`:\\d+: ${line} must be ${expected}, .*not "http`))
})

// biome-ignore format: a table reads by its columns
test.each([
  ['target.baseUrl',    /baseUrl: .*/,   'baseUrl: https://user:pw-secret@a'],
  ['target.baseUrl',    /baseUrl: .*/,   'baseUrl: "https:user:pw-secret@a"'],
  ['target.baseUrl',    /baseUrl: .*/,   'baseUrl: "https://user:pw-secret@"'],
  ['target.baseUrl',    /baseUrl: .*/,   `baseUrl: "https://${'u'.repeat(40)}:pw-secret@a"`],
  ['control.url',       /url: .*/,       'url: http://:pw-secret@a'],
  ['webhooks.receiver', /receiver: .*/,  'receiver: http://pw-secret@127.0.0.1:0'],
  ['webhooks.public',   /receiver: .*/,  'public: https://user:pw-secret@a'],
])('4: %s with a user name or password is refused without showing it: %s, %s', (line, was, is) => {
  const file = written('')
  writeFileSync(file, readFileSync(file, 'utf8').replace(was, is))
  for (const readFile of [readProfile, readDialectLines])
    expect(() => readFile(file)).toThrow(
      new RegExp(`:\\d+: ${line} must be (?!.*secret).* without a (user name or password|query).*\\.$`),
    )
})

test('4: a base URL or control address with a user name or password in place of the line is refused without showing it', () => {
  for (const override of ['baseUrl', 'control'])
    expect(() => readProfile(SIMULATOR_PROFILE, { [override]: 'https://user:pw-secret@a' })).toThrow(
      /^The (base URL|control address) (?!.*secret).* without a user name or password[^\n]*\.$/,
    )
})

test('4: a confirmed decision that does not exist is refused, with the nearest', () => {
  const all = readDecisions().map(({ number }) => number)
  const confirming = (...decisions: string[]) => {
    const file = written('')
    writeFileSync(file, readFileSync(file, 'utf8').replace('confirmed: all', `confirmed: [${decisions.join(', ')}]`))
    return readProfile(file)
  }
  expect(confirming(...all).confirmed).toEqual(all)
  const next = `D-${all.length + 1}`
  expect(() => confirming('D-05', next)).toThrow(
    new RegExp(`:\\d+: confirmed\\.1 is "${next}", which is no decision: the nearest is ${all.at(-1)}\\.$`),
  )
  expect(() => confirming('D-05'.replace('0', ''))).toThrow(/confirmed\.0 is "D-\d", .*: the nearest is D-05\.$/)
  expect(() => confirming('five')).toThrow(/confirmed\.0 must be the number of a decision, such as D-05, not "five"\.$/)
})

test('4: a word may stand for two stages', () => {
  const file = written('')
  writeFileSync(file, readFileSync(file, 'utf8').replace('settled: [SETTLED]', 'settled: [CAPTURED]'))
  expect(readProfile(file).states?.settled).toEqual(['CAPTURED'])
})

const OTHER = `
requests:
  all: { clientTransactionId: /ref, paymentDetails: /order, paymentDetails.amount: /order/money/value }
  initiate: { payerDetails.payerId: /who, returnUrl: '/a~1b', metadata.channel: /channel }
  downloadReport: { reportId: /id }
enums: { transactionType: { ONE_TIME: once } }
ids: { transactionId: number }
`

test('4: request members are written at their configured pointers, others below their parent', () => {
  const { json, query } = createRequestDialect(read(OTHER))
  const { clientTransactionId, ...payment } = irisPayment({ account: 'acc' })
  expect(json('initiate', { clientTransactionId, ...payment })).toEqual({
    processingAccountId: 'acc',
    ref: clientTransactionId,
    'a/b': payment.returnUrl,
    transactionType: 'once',
    order: { money: { value: 1000 }, currency: 'EUR', country: 'GR', description: 'Contract check' },
    providerDetails: { providerId: 'IRIS' },
    who: payment.payerDetails.payerId,
  })
  expect(json('capture', { transactionId: '77', paymentDetails: {} })).toEqual({ transactionId: 77, order: {} })
  expect(json('capture', { transactionId: 'not a number' })).toEqual({ transactionId: 'not a number' })
  expect(json('initiate', [])).toEqual([])
  expect(query('downloadReport', { reportId: 'r', from: 'f' })).toEqual({ id: 'r', from: 'f' })
  expect(requestPointer(read(OTHER), 'initiate', 'paymentDetails.currency')).toBe('/order/currency')
})

test.each([
  ['naming: snake_case', ['one_time_code', 'payment_token']],
  ['members: { all: { payerDetails.paymentToken: /stored/mandate } }', ['mandate']],
  ['', []],
])('7: of a profile with %j the secret members are %j', (lines, names) => {
  expect(createRequestDialect(read(lines)).secretMembers).toEqual(names)
})

test('7: secrets under renamed members are redacted', () => {
  const profile = read('requests: { all: { payerDetails.oneTimeCode: /shopper/pin } }')
  const { secretMembers } = createRequestDialect(profile)
  const request = {
    method: 'POST',
    url: 'https://x',
    headers: {},
    body: Buffer.from('{"shopper":{"pin":"123456"}}'),
    secretMembers,
  }
  const hidden = createRedactor().exchange({ request, durationMs: 1 })
  expect(Buffer.from(hidden.request.body ?? []).toString()).not.toContain('123456')
})

test('4: only checks of a missing capability are not applicable', () => {
  const profile = read('capabilities: { webhooks: false, mocks: true }')
  expect(missingCapabilityReason(profile, 'EVT-01')).toMatch(/capabilities\.webhooks: false$/)
  expect([missingCapabilityReason(profile, 'MCK-01'), missingCapabilityReason(profile, 'LIF-01')]).toEqual([
    undefined,
    undefined,
  ])
})

test('4: the example profile documents every line and endpoint', () => {
  const example = readFileSync(join(SIMULATOR_PROFILE, '../example.yaml'), 'utf8')
  const schema = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../contracts/harness/profile/profile.schema.json'), 'utf8'),
  )
  const told = Object.keys(schema.properties).filter(name => !new RegExp(`^(# )?${name}:`, 'm').test(example))
  expect(told).toEqual(['scouted'])
  for (const endpoint of Object.keys(OPERATIONS)) expect(example).toContain(endpoint)
})
