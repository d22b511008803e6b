import { describe, expect, test } from 'vitest'
import { contentDigest } from '../../contracts/protocol/content-digest.ts'
import type { VerifyingKey } from '../../contracts/protocol/match-signature-dialect.ts'
import { signResponse } from '../../contracts/protocol/sign-messages.ts'
import { verifyResponse } from '../../contracts/protocol/verify-response.ts'
import { KEY_PAIRS } from './generated-key-pairs.ts'
import { strictDialect, TOLERANT_DIALECT, VECTORS_CREATED } from './signature-vectors.ts'

const [key, otherKey] = KEY_PAIRS
if (!key || !otherKey) throw new Error('There are no pairs.')

const BODY = Buffer.from('{"status":"APPROVED"}')

const signedHeaders = async (): Promise<Record<string, string>> => {
  const content = { contentDigest: contentDigest(BODY, 'sha-512'), contentType: 'application/json' }
  const signature = await signResponse({ status: 200, ...content, contentLength: BODY.length }, key, {
    created: VECTORS_CREATED,
  })
  return { 'content-digest': content.contentDigest, 'content-type': content.contentType, ...signature }
}

const judge = (headers: Record<string, string | undefined>, more: { body?: Buffer; key?: VerifyingKey | null } = {}) =>
  verifyResponse(
    { status: 200, header: name => headers[name], body: more.body ?? BODY },
    keyId => (more.key === undefined ? (keyId === key.keyId ? key : undefined) : (more.key ?? undefined)),
    TOLERANT_DIALECT,
  )

describe('5.4: responses that do not verify', () => {
  // biome-ignore format: a table reads by its columns
  test.each([
    ['no Signature',       { signature: undefined },                                'is not signed'],
    ['no Signature-Input', { 'signature-input': undefined },                        'is not signed'],
    ['no Content-Digest',  { 'content-digest': undefined },                         'no Content-Digest'],
    ['another digest',     { 'content-digest': contentDigest(Buffer.from('x')) },   'does not match the body'],
    ['another type',       { 'content-type': 'text/html' },                         'does not verify'],
    ['rubbish',            { 'signature-input': 'service_sig=' },                   'not a structured-field dictionary'],
    ['a label of others',  { 'signature-input': 'sig1=("@status");keyid="a";created=1' }, 'no label service_sig'],
    ['too little covered', { 'signature-input': `service_sig=("@status");keyid="${key.keyId}";created=1` }, 'does not cover "content-digest"'],
  ])('%s', async (_what, altered, message) => {
    const headers = await signedHeaders()
    expect(await judge(headers)).toMatchObject({ ok: true, keyId: key.keyId })
    expect(await judge({ ...headers, ...altered })).toEqual({ ok: false, message: expect.stringContaining(message) })
  })

  test('a key missing from the key set, and another key', async () => {
    const headers = await signedHeaders()
    expect(await judge(headers, { key: null })).toMatchObject({ message: `the key set has no key "${key.keyId}"` })
    expect(await judge(headers, { key: otherKey })).toMatchObject({ message: expect.stringContaining('not verify') })
  })

  test('a body that the signature does not cover', async () => {
    const headers = await signResponse({ status: 200 }, key, { created: VECTORS_CREATED })
    expect(await judge(headers)).toMatchObject({ ok: false, message: expect.stringContaining('no Content-Digest') })
    expect(await judge(headers, { body: Buffer.alloc(0) })).toMatchObject({ ok: true })
  })

  test('a reading and encoding that the verifier does not accept', async () => {
    const headers = await signedHeaders()
    const answer = { status: 200, header: (name: string) => headers[name], body: BODY }
    const verdicts = [
      strictDialect('literal', 'der'),
      strictDialect('rfc', 'der'),
      strictDialect('literal', 'raw'),
    ].map(dialect => verifyResponse(answer, () => key, dialect))
    expect((await Promise.all(verdicts)).map(({ ok }) => ok)).toEqual([true, false, false])
  })
})
