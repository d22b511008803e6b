import { describe, expect, test } from 'vitest'
import {
  contentDigest,
  describeDigestError,
  DIGEST_ALGORITHMS as ROWS,
} from '../../contracts/protocol/content-digest.ts'
import { BAD_DIGESTS, DIGESTS } from './signature-vectors.ts'

const BODY = Buffer.from('{"hello": "world"}')

describe('5.2: Content-Digest', () => {
  test.each(DIGESTS)('$id of $source is accepted for its body', ({ field, content }) => {
    expect(describeDigestError(field, Buffer.from(content))).toBeUndefined()
  })

  test.each(DIGESTS)('$id is refused for a body that is one byte longer', ({ field, content }) => {
    expect(describeDigestError(field, Buffer.from(`${content} `))).toMatch(/does not match the body: expected sha-/)
  })

  test.each(DIGESTS.filter(({ field }) => !field.includes(',')))(
    '$id is what we write ourselves',
    ({ field, content }) => {
      const name = ROWS.find(row => field.startsWith(row.name))?.name
      expect(contentDigest(Buffer.from(content), name)).toBe(field)
    },
  )

  test.each(BAD_DIGESTS)('$id is refused', ({ field, content }) => {
    expect(describeDigestError(field, Buffer.from(content))).toMatch(/^Content-Digest/)
  })

  test.each([
    [''],
    [','],
    ['sha-256'],
    ['sha-256=::'],
    ['sha-256=:€:'],
    ['sha-256=1'],
    ['sha-256="text"'],
    ['sha-256=:AA:;'],
    ['SHA-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'],
    ['sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE:'],
    ['sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPF=:'],
    [`${contentDigest(BODY)}, ${contentDigest(BODY)}`],
  ])('%j is refused in words, whatever it is', field => {
    expect(describeDigestError(field, BODY)).toMatch(/^Content-Digest/)
  })

  test('an unknown digest beside a valid one is ignored', () => {
    expect(describeDigestError(`${contentDigest(BODY)}, md5=:Sd/dVLAcvNLSq16eXua5uQ==:`, BODY)).toBeUndefined()
  })

  test.each(['sha-256', 'sha-384', 'sha-512'] as const)('%s is one of the three that are accepted', name => {
    expect(describeDigestError(contentDigest(BODY, name), BODY)).toBeUndefined()
  })
})
