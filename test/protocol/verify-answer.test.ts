import { describe, expect, test } from 'vitest'
import { contentDigest } from '../../contracts/protocol/content-digest.ts'
import { signAnswer } from '../../contracts/protocol/sign.ts'
import type { VerifyingKey } from '../../contracts/protocol/verify.ts'
import { verifyAnswer } from '../../contracts/protocol/verify-answer.ts'
import { KEY_PAIRS } from './key-pairs.ts'
import { CREATED, strict, TOLERANT } from './vectors.ts'

const [key, otherKey] = KEY_PAIRS
if (!key || !otherKey) throw new Error('There are no pairs.')

const BODY = Buffer.from('{"status":"APPROVED"}')

const signedHeaders = async (): Promise<Record<string, string>> => {
  const content = { contentDigest: contentDigest(BODY, 'sha-512'), contentType: 'application/json' }
  const signature = await signAnswer({ status: 200, ...content, contentLength: BODY.length }, key, { created: CREATED })
  return { 'content-digest': content.contentDigest, 'content-type': content.contentType, ...signature }
}

const judge = (headers: Record<string, string | undefined>, more: { body?: Buffer; key?: VerifyingKey | null } = {}) =>
  verifyAnswer(
    { status: 200, header: name => headers[name], body: more.body ?? BODY },
    keyId => (more.key === undefined ? (keyId === key.keyId ? key : undefined) : (more.key ?? undefined)),
    TOLERANT,
  )

describe('5.4: an answer that proves nothing', () => {
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

  test('a key that the set does not hold, and one that is another', async () => {
    const headers = await signedHeaders()
    expect(await judge(headers, { key: null })).toMatchObject({ message: `the key set has no key "${key.keyId}"` })
    expect(await judge(headers, { key: otherKey })).toMatchObject({ message: expect.stringContaining('not verify') })
  })

  test('a body where none was signed', async () => {
    const headers = await signAnswer({ status: 200 }, key, { created: CREATED })
    expect(await judge(headers)).toMatchObject({ ok: false, message: expect.stringContaining('no Content-Digest') })
    expect(await judge(headers, { body: Buffer.alloc(0) })).toMatchObject({ ok: true })
  })

  test('the reading and encoding that the reader insists on', async () => {
    const headers = await signedHeaders()
    const answer = { status: 200, header: (name: string) => headers[name], body: BODY }
    const verdicts = [strict('literal', 'der'), strict('rfc', 'der'), strict('literal', 'raw')].map(dialect =>
      verifyAnswer(answer, () => key, dialect),
    )
    expect((await Promise.all(verdicts)).map(({ ok }) => ok)).toEqual([true, false, false])
  })
})
