import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRepeatedMember } from '../../simulator/http/repeated-json-member.ts'
import { expectRefusal, expectServed } from '../support/api-response-checks.ts'
import { irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

let sandbox: RawSandbox

beforeAll(async () => {
  sandbox = await openRawSandbox({ config: { unknownMembers: 'ignore' } })
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const send = async (body: string | Buffer | object) => sandbox.send(await sandbox.sign({ body }))

/** JSON text of a valid payment with members appended. */
const withMembers = (members: string): string => JSON.stringify(irisInitiateBody()).replace(/\}$/, `,${members}}`)

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`

const REFUSED: [string, string | Buffer][] = [
  ['blanks alone', '   '],
  ['a brace', '{'],
  ['half a payment', JSON.stringify(irisInitiateBody()).slice(0, 90)],
  ['two objects', '{}{}'],
  ['a comma too many', '{"a":1,}'],
  ['single quotes', "{'a':1}"],
  ['a comment', '{"a":1/*b*/}'],
  ['NaN', '{"a":NaN}'],
  ['Infinity', '{"a":-Infinity}'],
  ['a number with leading zeros', '{"a":01}'],
  ['hexadecimal', '{"a":0x1}'],
  ['an array', '[{}]'],
  ['null', 'null'],
  ['a number', '42'],
  ['a text', '"{}"'],
  ['true', 'true'],
  ['nothing but a member of another object', '"a":1'],
  ['a raw control character in a text', '{"a":"\u0001"}'],
  ['a raw line feed in a text', '{"a":"\n"}'],
  ['an escape that is none', '{"a":"\\x41"}'],
  ['half an escape', '{"a":"\\u12"}'],
  ['a member twice, deep', withMembers('"metadata":{"a":"x","\\u0061":"y"}')],
  ['a member twice', withMembers('"returnUrl":"https://shop.example/other"')],
  ['octets that are not UTF-8', Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])],
  ['an overlong form of UTF-8', Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')])],
  ['a surrogate in UTF-8', Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')])],
  ['UTF-16', Buffer.from('\ufeff{"a":1}', 'utf16le')],
  ['NUL octets', Buffer.alloc(64)],
  ['objects 33 deep', withMembers(`"x":${nested('{"a":', '}', 33)}`)],
  ['arrays 500,000 deep', withMembers(`"x":${nested('[', ']', 500_000)}`)],
  ['arrays 900,000 deep without an end', '['.repeat(900_000)],
]

test.each(REFUSED)('a body of %s is refused with 400', async (_case, body) => {
  const answer = await send(body)
  await expectRefusal(answer, sandbox.keySet, '400/4000')
  expect(answer.body.length).toBeLessThan(1_000)
})

test.each([
  ['an unknown member', withMembers('"unknown":{"a":[1,2,3]}')],
  ['objects 31 deep', withMembers(`"x":${nested('{"a":', '}', 31)}`)],
  ['a number too large for any machine', withMembers('"x":1e999')],
  ['a number of 10,000 digits', withMembers(`"x":${'9'.repeat(10_000)}`)],
  ['minus zero', withMembers('"x":-0')],
  ['members called __proto__ and constructor', withMembers('"__proto__":{"amount":1},"constructor":{"prototype":1}')],
  ['an array of 400,000 numbers', withMembers(`"x":[${'1,'.repeat(400_000)}1]`)],
  ['blanks of every kind', ` \t\r\n${JSON.stringify(irisInitiateBody())} \t\r\n`],
  ['a byte order mark', `\ufeff${JSON.stringify(irisInitiateBody())}`],
])('a payment with %s is accepted', async (_case, body) => {
  await expectServed(await send(body), sandbox.keySet)
})

test('a member that comes twice is named, with its place', async () => {
  const body = JSON.stringify(irisInitiateBody()).replace('"amount":4999', '"amount":4999,"amount":1')
  const { statusInfo } = await expectRefusal(await send(body), sandbox.keySet, '400/4000')
  expect(statusInfo.message).toBe('The body has the member paymentDetails.amount twice in one object: send it once.')
})

test.each([
  ['items.c', '{"items":[{"b":1},{"c":1,"c":2}]}'],
  ['c', '{"items":[{"b":{"a":1}}],"c":1,"c":2}'],
  ['a.b.c', '{"a":{"x":[1,{"y":2}],"b":{"c":1,"c":2}}}'],
])('of lists and objects too: %s', (path, body) => {
  expect(findRepeatedMember(body)).toBe(path)
})

test.each([
  ['SQL', "Robert'); DROP TABLE payments;--"],
  ['markup', '<script>alert(1)</script>'],
  ['a lone surrogate', 'a\ud800b'],
  ['NUL and its neighbours', 'a\u0000\u0001\u001f\u007fb'],
  ['every direction', '\u202eabc\u202c\u200f'],
  ['pictures', '👩‍👩‍👧‍👦🏴‍☠️'],
  ['line ends', 'a\r\nb\u2028c'],
  ['a path', '../../../../etc/passwd'],
  ['a template', '#{1+1}{{1+1}}%s%n'],
  ['a name of the language', '__proto__'],
])('texts with %s are returned unchanged', async (_case, text) => {
  const sent = { clientTransactionId: text, metadata: { [text.slice(0, 64)]: text } }
  const { transactionId } = await expectServed(await send(irisInitiateBody(sent)), sandbox.keySet)
  for (const read of ['status', 'events']) {
    const answer = await sandbox.send(await sandbox.sign({ target: `/payments/${transactionId}/${read}` }))
    const { clientTransactionId, metadata } = await expectServed(answer, sandbox.keySet)
    expect({ clientTransactionId, metadata }).toEqual(sent)
  }
})

test('metadata named __proto__ is returned like any other', async () => {
  const body = withMembers('"metadata":{"__proto__":"a","constructor":"b","toString":"c"}')
  const { metadata } = await expectServed(await send(body), sandbox.keySet)
  expect(JSON.stringify(metadata)).toBe('{"__proto__":"a","constructor":"b","toString":"c"}')
})

test.each([
  ['51 members', { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'x'])) }],
  [
    '10,000 members',
    { metadata: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 'x'])) },
  ],
  [
    '10,000 members that are no texts',
    { metadata: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [i, i])) },
  ],
  ['a name of 65 letters', { metadata: { ['k'.repeat(65)]: 'x' } }],
  ['a name of 900,000 letters that is no text', { metadata: { ['k'.repeat(900_000)]: 1 } }],
  ['an empty name', { metadata: { '': 'x' } }],
  ['a text of 501 letters', { metadata: { k: 'x'.repeat(501) } }],
  ['a text of 900,000 letters', { metadata: { k: 'x'.repeat(900_000) } }],
  ['a number', { metadata: { k: 1 } }],
  ['null', { metadata: { k: null } }],
  ['an object', { metadata: { k: {} } }],
])('metadata of %s is refused with a short message', async (_case, change) => {
  const answer = await send(irisInitiateBody(change))
  const { fields } = await expectRefusal(answer, sandbox.keySet, '400/4000')
  expect(Object.keys(fields ?? {})[0]).toMatch(/^metadata/)
  expect(answer.body.length).toBeLessThan(5_000)
})

test.each([
  ['a fraction', '1.5', false],
  ['a fraction that is none', '100.0', true],
  ['an exponent', '1e2', true],
  ['zero', '0', false],
  ['minus zero', '-0', false],
  ['minus one', '-1', false],
  ['the largest', '99999999999', true],
  ['one more than the largest', '100000000000', false],
  ['beyond exact integers', '9007199254740993', false],
  ['infinitely much', '1e400', false],
  ['infinitely little', '1e-400', false],
  ['a text', '"4999"', false],
  ['true', 'true', false],
])('an amount of %s', async (_case, amount, accepted) => {
  const answer = await send(JSON.stringify(irisInitiateBody()).replace('4999', amount))
  if (accepted) return void (await expectServed(answer, sandbox.keySet))
  const { fields } = await expectRefusal(answer, sandbox.keySet, '400/4000')
  expect(Object.keys(fields ?? {})).toEqual(['paymentDetails.amount'])
})

test('7.1: a body of more members than any call has is refused before they are looked at one by one', async () => {
  const many = Array.from({ length: 20_000 }, (_, at) => `"k${at}":"v"`).join()
  const answer = await send(withMembers(`"metadata":{${many}}`))
  await expectRefusal(answer, sandbox.keySet, '400/4000')
  expect(answer.json()).toMatchObject({ statusInfo: { message: expect.stringContaining('more than 15000 members') } })
})

test('D-110: a returnUrl that is no address is refused, not dropped', async () => {
  const refused = await send({ ...irisInitiateBody(), returnUrl: 'https://a.b:99999/' })
  await expectRefusal(refused, sandbox.keySet, '400/4000')
  expect(refused.json()).toMatchObject({ fields: { returnUrl: expect.any(String) } })
})
