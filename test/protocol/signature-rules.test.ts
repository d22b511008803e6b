import { describe, expect, test } from 'vitest'
import { positiveVector, receivedRequest, VECTORS_CREATED, vectorKey, verifyAtVectorTime } from './signature-vectors.ts'

const POST = positiveVector('dialect-P-256-post-rfc')
const GET = positiveVector('dialect-P-256-get-rfc')

const withHeader = (name: string, value: string | undefined) => ({
  ...POST,
  headers: { ...POST.headers, [name]: value },
})

describe('5.2: created', () => {
  // biome-ignore format: a table reads by its columns
  test.each([
    [300,  true],
    [301,  false],
    [0,    true],
    [-60,  true],
    [-61,  false],
  ])('%i s old: accepted is %s', async (age, ok) => {
    expect((await verifyAtVectorTime(POST, { nowSeconds: VECTORS_CREATED + age })).ok).toBe(ok)
  })

  test('both bounds follow the options', async () => {
    const narrow = { maxAgeSeconds: 5, maxAheadSeconds: 2 }
    const verdicts = [5, 6, -2, -3].map(age =>
      verifyAtVectorTime(POST, { ...narrow, nowSeconds: VECTORS_CREATED + age }),
    )
    expect((await Promise.all(verdicts)).map(({ ok }) => ok)).toEqual([true, false, true, false])
  })

  test('a refusal states the clock difference', async () => {
    expect(await verifyAtVectorTime(POST, { nowSeconds: VECTORS_CREATED + 4000 })).toMatchObject({
      message: expect.stringMatching(/is 4000 s old, at most 300 s/),
    })
  })

  test.each([
    [VECTORS_CREATED, true],
    [VECTORS_CREATED - 1, false],
  ])('expires=%i: accepted is %s, once the signature would fit', async (expires, inTime) => {
    const request = withHeader('signature-input', `${POST.headers['signature-input']};expires=${expires}`)
    const verdict = await verifyAtVectorTime(request)
    expect(verdict).toMatchObject({
      message: inTime ? expect.stringContaining('verify') : expect.stringContaining('expired'),
    })
  })
})

describe('7.1: kind of the refusal', () => {
  // biome-ignore format: a table reads by its columns
  test.each([
    ['no Signature-Input',     withHeader('signature-input', undefined),                       'absent'],
    ['no Signature',           withHeader('signature', undefined),                             'absent'],
    ['no Content-Digest',      withHeader('content-digest', undefined),                        'digest'],
    ['another Content-Digest', withHeader('content-digest', 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:'), 'digest'],
    ['another label',          withHeader('signature', 'sig1=:AAAA:'),                         'unreadable'],
    ['no byte sequence',       withHeader('signature', 'service_sig="AAAA"'),                  'unreadable'],
    ['broken Base64',          withHeader('signature', 'service_sig=:AAAAA:'),                 'unreadable'],
    ['stray bits in Base64',   withHeader('signature', 'service_sig=:AB==:'),                  'unreadable'],
    ['rubbish as Signature',   withHeader('signature', '\u0000;;='),                           'unreadable'],
    ['an item, not a list',    withHeader('signature-input', 'service_sig="x"'),               'unreadable'],
    ['no keyid',               withHeader('signature-input', 'service_sig=("@method");created=1760000000'), 'unreadable'],
    ['an empty keyid',         withHeader('signature-input', 'service_sig=("@method");keyid="";created=1760000000'), 'unreadable'],
    ['no created',             withHeader('signature-input', 'service_sig=("@method");keyid="a"'), 'unreadable'],
    ['a negative created',     withHeader('signature-input', 'service_sig=("@method");keyid="a";created=-1'), 'unreadable'],
    ['@signature-params inside', withHeader('signature-input', 'service_sig=("@signature-params");keyid="a";created=1'), 'unreadable'],
    ['created with decimals',  withHeader('signature-input', 'service_sig=("@method");keyid="a";created=1.0'), 'unreadable'],
  ] as const)('%s', async (_name, request, kind) => {
    expect(await verifyAtVectorTime(request)).toMatchObject({ ok: false, kind })
  })

  test('5.2: alg has to be the algorithm of the key', async () => {
    const named = (alg: string) => withHeader('signature-input', `${POST.headers['signature-input']};alg="${alg}"`)
    const other = await verifyAtVectorTime(named('ecdsa-p384-sha384'))
    expect(other).toMatchObject({ ok: false, message: expect.stringContaining('is not the algorithm of key') })
    for (const own of ['ecdsa-p256-sha256', 'ECDSA_SHA_256'])
      expect(await verifyAtVectorTime(named(own))).toMatchObject({
        message: expect.stringContaining('does not verify'),
      })
  })
})

describe('5.2: the list of components is exact', () => {
  const list = (names: string) =>
    withHeader('signature-input', `service_sig=(${names});keyid="dialect-P-256";created=${VECTORS_CREATED}`)
  test.each([
    ['too short', list('"@authority" "@method" "@request-target"')],
    ['one missing', list('"@authority" "@method" "@request-target" "content-digest" "content-type"')],
    [
      'another order',
      list('"@method" "@authority" "@request-target" "content-digest" "content-type" "content-length"'),
    ],
    [
      'one more',
      list('"@authority" "@method" "@request-target" "content-digest" "content-type" "content-length" "date"'),
    ],
    ['empty', list('')],
  ])('%s is refused with the right list', async (_name, request) => {
    expect(await verifyAtVectorTime(request)).toMatchObject({
      kind: 'mismatch',
      message: expect.stringContaining('expected ("@authority" "@method" "@request-target" "content-digest"'),
    })
  })

  // biome-ignore format: a table reads by its columns
  test.each([
    ['POST', false, 3, true],
    ['POST', false, 6, false],
    ['POST', true,  3, true],
    ['POST', true,  6, true],
    ['GET',  false, 3, true],
    ['GET',  true,  6, false],
  ])('an empty %s, with a digest: %s, that names %i components: its list is accepted: %s', async (method, digest, count, ok) => {
    const names = ['@authority', '@method', '@request-target', 'content-digest', 'content-type', 'content-length']
    const list = names.slice(0, count).map(name => `"${name}"`).join(' ')
    const headers = {
      host: 'api.example',
      ...(digest ? { 'content-digest': 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:' } : {}),
      'signature-input': `service_sig=(${list});keyid="dialect-P-256";created=${VECTORS_CREATED}`,
      signature: 'service_sig=:AAAA:',
    }
    const verdict = await verifyAtVectorTime({ method, target: '/', headers })
    expect(verdict).toMatchObject({ message: expect.stringContaining(ok ? 'does not verify' : 'component list') })
  })

  test('without a body there are exactly three components', async () => {
    const input = `${GET.headers['signature-input']}`.replace('-target"', '-target" "content-length"')
    const verdict = await verifyAtVectorTime({ ...GET, headers: { ...GET.headers, 'signature-input': input } })
    expect(verdict).toMatchObject({
      message: expect.stringContaining('expected ("@authority" "@method" "@request-target") in'),
    })
  })
})

test('5.2: no header value makes verification throw', async () => {
  const rubbish = [
    '',
    '=',
    '(',
    'service_sig',
    'service_sig=',
    'service_sig=()',
    'service_sig=();keyid',
    '\u{1f4a3}',
    'a'.repeat(9000),
  ]
  for (const value of rubbish)
    for (const name of ['signature-input', 'signature', 'content-digest'])
      expect(await verifyAtVectorTime(withHeader(name, value))).toMatchObject({ ok: false })
})

test('5.2: the request of the vectors matches its description', () => {
  expect(receivedRequest(POST).body).toHaveLength(Number(POST.headers['content-length']))
  expect(vectorKey('dialect-P-521')?.algorithm.curve).toBe('P-521')
})
