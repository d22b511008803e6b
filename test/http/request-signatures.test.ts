import { afterAll, beforeAll, expect, test } from 'vitest'
import { contentDigest } from '../../contracts/protocol/content-digest.ts'
import { algorithmNamed } from '../../contracts/protocol/signature-algorithms.ts'
import type { Config } from '../../simulator/options/options.ts'
import { createClock } from '../../simulator/support/clock.ts'
import { expectRefusal, expectServed, statusAndCode } from '../support/api-response-checks.ts'
import { headerValue, type RawRequest, type RawRequestParts, withHeader } from '../support/create-signed-raw-request.ts'
import { irisInitiateBody, openRawSandbox, type RawSandbox, signingKeyOf } from '../support/raw-request-sandbox.ts'

const NOW = 1_900_000_000

let sandbox: RawSandbox

beforeAll(async () => {
  sandbox = await openRawSandbox({ config: { unknownMembers: 'ignore' }, clock: createClock(() => NOW * 1000) })
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const payment = (parts: RawRequestParts = {}): Promise<RawRequest> =>
  sandbox.sign({ body: irisInitiateBody(), ...parts })

const expectCode = async (message: RawRequest, wanted: string) => {
  const answer = await sandbox.send(message)
  if (wanted === '200/-1') await expectServed(answer, sandbox.keySet)
  else await expectRefusal(answer, sandbox.keySet, wanted)
}

/** Changes of a header value, with the expected result for Signature, Signature-Input and Content-Digest. */
const SPOILT: [string, (value: string) => string[], string, string, string][] = [
  ['missing', () => [], '401/4990', '401/4990', '400/4990'],
  ['empty', () => [''], '401/4990', '401/4990', '400/4990'],
  ['sent twice', value => [value, value], '400/4000', '400/4000', '400/4000'],
  ['twice in one', value => [`${value}, ${value}`], '401/4990', '401/4990', '400/4990'],
  ['rubbish', () => ['?!'], '401/4990', '401/4990', '400/4990'],
  ['cut short', value => [value.slice(0, -9)], '401/4990', '401/4992', '400/4990'],
  ['followed by more', value => [`${value}x`], '401/4990', '401/4990', '400/4990'],
  ['in UTF-8', value => [`${value};a="\xc5\xbc"`], '401/4990', '401/4990', '400/4990'],
  ['a number', value => [value.replace(/=.*/, '=1')], '401/4990', '401/4990', '400/4990'],
  ['a token', value => [value.replace(/=.*/, '=a')], '401/4990', '401/4990', '400/4990'],
  ['a flag', value => [value.replace(/=.*/, '')], '401/4990', '401/4990', '400/4990'],
  ['an empty list', value => [value.replace(/=.*/, '=()')], '401/4990', '401/4990', '400/4990'],
  ['an empty byte sequence', value => [value.replace(/=.*/, '=::')], '401/4992', '401/4990', '400/4990'],
  ['of 14,000 octets', value => [`${value};a="${'x'.repeat(14_000)}"`], '200/-1', '401/4992', '401/4992'],
  ['opening quotes without end', value => [`${value};a="${'\\"'.repeat(4_000)}`], '401/4990', '401/4990', '400/4990'],
]

test('a signature that does not verify is refused with the way to its cause', async () => {
  const message = withHeader(await payment(), 'Signature', 'service_sig=:AAAA:')
  const { statusInfo } = await expectRefusal(await sandbox.send(message), sandbox.keySet, '401/4992')
  expect(statusInfo.message).toContain('give the callId to "assay lab --call"')
})

test.each(SPOILT)(
  'Signature, Signature-Input and Content-Digest, each %s',
  async (_case, spoil, signature, input, digest) => {
    const message = await payment()
    for (const [name, wanted] of [
      ['Signature', signature],
      ['Signature-Input', input],
      ['Content-Digest', digest],
    ] as const)
      await expectCode(withHeader(message, name, ...spoil(headerValue(message, name))), wanted)
  },
)

test.each<[string, (input: string) => string, string]>([
  ['another label', input => input.replace('service_sig', 'sig1'), '401/4990'],
  ['an upper-case label', input => input.replace('service_sig', 'Service_sig'), '401/4990'],
  ['no keyid', input => input.replace(/;keyid="[^"]*"/, ''), '401/4990'],
  ['an empty keyid', input => input.replace(/keyid="[^"]*"/, 'keyid=""'), '401/4990'],
  ['a keyid that is a token', input => input.replace(/keyid="[^"]*"/, 'keyid=abc'), '401/4990'],
  ['an unknown keyid', input => input.replace(/keyid="[^"]*"/, 'keyid="nobody"'), '401/4992'],
  ['a keyid that looks like SQL', input => input.replace(/keyid="[^"]*"/, `keyid="' OR 1=1 --"`), '401/4992'],
  ['no created', input => input.replace(/;created=\d+/, ''), '401/4990'],
  ['a negative created', input => input.replace('created=', 'created=-'), '401/4990'],
  ['a decimal created', input => input.replace(/created=(\d+)/, 'created=$1.0'), '401/4990'],
  ['a created in quotes', input => input.replace(/created=(\d+)/, 'created="$1"'), '401/4990'],
  ['a created that is a date', input => input.replace('created=', 'created=@'), '401/4990'],
  ['a created of 16 digits', input => input.replace(/created=\d+/, 'created=1234567890123456'), '401/4990'],
  ['a created in milliseconds', input => input.replace(/created=(\d+)/, 'created=$1000'), '401/4992'],
  ['an expires in the past', input => `${input};expires=${NOW - 1}`, '401/4992'],
  ['an expires that is a text', input => `${input};expires="soon"`, '401/4990'],
  ['an alg that is none', input => `${input};alg="none"`, '401/4992'],
  ['the alg of another key', input => `${input};alg="ecdsa-p384-sha384"`, '401/4992'],
  ['an alg that is a number', input => `${input};alg=1`, '401/4990'],
  ['parameters of every kind', input => `${input};a=?1;b=tok*/en;c=:YQ==:;d=1.5;e=@1`, '401/4992'],
  ['a component twice', input => input.replace('"@method"', '"@method" "@method"'), '401/4990'],
  ['a component with a parameter', input => input.replace('"@method"', '"@method";req'), '401/4990'],
  ['a component in upper case', input => input.replace('"content-type"', '"Content-Type"'), '401/4990'],
  ['a component that is a token', input => input.replace('"@method"', 'method'), '401/4990'],
  ['its own name among the components', input => input.replace('"@method"', '"@signature-params"'), '401/4990'],
  ['a component less', input => input.replace(' "content-digest"', ''), '401/4992'],
  ['a component more', input => input.replace('"@method"', '"@method" "@path"'), '401/4992'],
  [
    'components in another order',
    input => input.replace('"@authority" "@method"', '"@method" "@authority"'),
    '401/4992',
  ],
  ['no components', input => input.replace(/\(.*\)/, '()'), '401/4992'],
  ['a list without its end', input => input.replace(')', ''), '401/4990'],
])('Signature-Input with %s', async (_case, change, wanted) => {
  const message = await payment()
  await expectCode(withHeader(message, 'Signature-Input', change(headerValue(message, 'Signature-Input'))), wanted)
})

test('another signature label is ignored', async () => {
  const message = await payment()
  const more = withHeader(message, 'Signature', `${headerValue(message, 'Signature')}, theirs=:AAAA:`)
  await expectCode(
    withHeader(more, 'Signature-Input', `theirs=("@path");keyid="x", ${headerValue(message, 'Signature-Input')}`),
    '200/-1',
  )
})

test.each([
  [-300, '200/-1'],
  [-301, '401/4992'],
  [60, '200/-1'],
  [61, '401/4992'],
])('a signature created %i s from now', async (seconds, wanted) => {
  await expectCode(await payment({ created: NOW + seconds }), wanted)
})

test.each(['ECDSA_SHA_256', 'ECDSA_SHA_384', 'ECDSA_SHA_512'])(
  '%s with every signature base and encoding',
  async name => {
    const signingKey = signingKeyOf(sandbox.demo.kit, name)
    for (const reading of ['rfc', 'literal'] as const)
      for (const encoding of ['der', 'raw'] as const)
        await expectCode(await payment({ signingKey, reading, encoding }), '200/-1')
  },
)

test('the hash of another curve, and the key of another organization, are refused', async () => {
  const own = signingKeyOf(sandbox.demo.kit)
  await expectCode(await payment({ signingKey: { ...own, algorithm: algorithmNamed('ECDSA_SHA_384') } }), '401/4992')
  await expectCode(await payment({ signingKey: sandbox.other.signingKey }), '401/4992')
  await expectCode(await payment({ signingKey: { ...sandbox.other.signingKey, keyId: own.keyId } }), '401/4992')
})

test.each([
  ['zeros', Buffer.alloc(64)],
  ['ones', Buffer.alloc(64, 0xff)],
  ['an empty DER sequence', Buffer.from('3000', 'hex')],
  ['DER of two zeros', Buffer.from('3006020100020100', 'hex')],
  ['DER with negative numbers', Buffer.from('30060201ff0201ff', 'hex')],
  ['DER in indefinite form', Buffer.from('30800201010201010000', 'hex')],
  ['6,000 octets', Buffer.alloc(6_000, 1)],
])('a signature of %s', async (_case, bytes) => {
  const message = await payment()
  await expectCode(withHeader(message, 'Signature', `service_sig=:${bytes.toString('base64')}:`), '401/4992')
})

test.each([
  ['rfc', 'literal'],
  ['literal', 'rfc'],
] as const)('only the %s signature base when configured', async (signatureBase, other) => {
  const codes = await strictly({ signatureBase }, [{ reading: signatureBase }, { reading: other }])
  expect(codes).toEqual(['200/-1', '401/4992'])
})

test.each([
  ['der', 'raw'],
  ['raw', 'der'],
] as const)('only the %s encoding when configured', async (signatureEncoding, other) => {
  const codes = await strictly({ signatureEncoding }, [{ encoding: signatureEncoding }, { encoding: other }])
  expect(codes).toEqual(['200/-1', '401/4992'])
})

test.each([
  ['a charset', 'application/json; charset=utf-8', '200/-1'],
  ['upper case and a charset', 'Application/JSON;charset=UTF-8', '200/-1'],
  ['another type', 'text/plain', '400/4000'],
  ['a type that only begins like it', 'application/json-seq', '400/4000'],
  ['two types', 'application/json, application/json', '400/4000'],
  ['rubbish for a type', ';;;', '400/4000'],
])('a body with %s', async (_case, contentType, wanted) => {
  await expectCode(await payment({ contentType }), wanted)
})

test('a body without a type', async () => {
  const message = await payment({ contentType: '' })
  await expectCode(withHeader(message, 'Content-Type'), '400/4000')
})

test('a body other than the signed one, and one without a valid digest, are refused', async () => {
  const message = await payment()
  const changed = Buffer.from(String(message.body).replace('4999', '1999'))
  await expectCode({ ...message, body: changed }, '400/4990')
  await expectCode(withHeader({ ...message, body: changed }, 'Content-Digest', contentDigest(changed)), '401/4992')
  await expectCode(withHeader(message, 'Content-Digest', 'md5=:AAAA:'), '400/4990')
  await expectCode(
    withHeader(message, 'Content-Digest', `sha-256=:AAAA:, ${contentDigest(changed, 'sha-512')}`),
    '400/4990',
  )
})

test('an empty body of a POST is 400', async () => {
  const short = withHeader(await sandbox.sign({ method: 'POST' }), 'Content-Length', '0')
  await expectCode(short, '400/4000')
  await expectCode(await sandbox.sign({ body: '' }), '400/4000')
})

test('a GET with a body is served with a digest and refused without', async () => {
  const { transactionId } = await expectServed(await sandbox.send(await payment()), sandbox.keySet)
  const target = `/payments/${transactionId}/status`
  await expectCode(await sandbox.sign({ method: 'GET', target, body: '{}' }), '200/-1')
  const unsigned = withHeader(await sandbox.sign({ target }), 'Content-Length', '2')
  await expectCode({ ...unsigned, body: Buffer.from('{}') }, '400/4990')
})

test.each([
  'localhost',
  'LocalHost',
  'localhost:8443',
  'LOCALHOST:1',
  '127.0.0.1',
  '[::1]',
  '[::1]:8443',
  'other.name',
])('the Host %s is signed without its port, in lower case', async host => {
  await expectCode(await payment({ host }), '200/-1')
  const wrong = await payment({ host: 'wrong.host' })
  await expectCode(withHeader(wrong, 'Host', host), '401/4992')
})

test('the method and the target are signed as they were sent', async () => {
  const target = '/payments/a%2Fb%7e/status?x=%20&x=1'
  await expectCode(await sandbox.sign({ target }), '404/4001')
  await expectCode({ ...(await sandbox.sign({ target })), target: '/payments/a%2Fb~/status?x=%20&x=1' }, '401/4992')
  await expectCode({ ...(await sandbox.sign({ target: '/payments/x/status' })), method: 'DELETE' }, '401/4992')
})

/** Status and reason code of payments signed in different ways, in a sandbox with its own configuration. */
const strictly = async (config: Partial<Config>, ways: RawRequestParts[]): Promise<string[]> => {
  const strict = await openRawSandbox({ config, signing: ways[0] ?? {} })
  try {
    const codes: string[] = []
    for (const way of ways)
      codes.push(statusAndCode(await strict.send(await strict.sign({ body: irisInitiateBody(), ...way }))))
    return codes
  } finally {
    await strict.close()
  }
}
