import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentDigest, DIGEST_ALGORITHMS, describeDigestError } from '../../contracts/protocol/content-digest.ts'
import { derFromRaw, rawFromDer } from '../../contracts/protocol/ecdsa-encoding.ts'
import { authorityOf, mediaTypeOf } from '../../contracts/protocol/signature-base.ts'
import { readSignatureInput, writeParameters } from '../../contracts/protocol/signature-input.ts'
import { UnreadableField } from '../../contracts/protocol/structured-field.ts'
import { propertyRuns } from './property-run-counts.ts'

const RUNS = propertyRuns(500)

const bytes = fc.uint8Array({ maxLength: 160 })
const equal = (one: Uint8Array | undefined, other: Uint8Array): boolean =>
  one !== undefined && Buffer.from(one).equals(other)

describe.each([32, 48, 66])('5.2: ECDSA signatures of 2 × %i bytes', width => {
  /** With leading zero octets, as real ones have now and then. */
  const coordinate = fc
    .tuple(fc.nat(width), fc.uint8Array({ minLength: width, maxLength: width }))
    .map(([zeros, octets]) => octets.fill(0, 0, zeros))
  const raws = fc.tuple(coordinate, coordinate).map(both => Buffer.concat(both))

  test('r‖s comes back from DER', () => {
    fc.assert(
      fc.property(raws, raw => equal(rawFromDer(derFromRaw(raw), width), raw)),
      RUNS,
    )
  })

  test('any bytes are refused or convert back to themselves', () => {
    const damaged = fc.tuple(raws, fc.nat(), fc.nat(255), fc.nat(3)).map(([raw, at, octet, cut]) => {
      const der = derFromRaw(raw)
      der[at % der.length] = octet
      return der.subarray(0, der.length - (cut === 3 ? 1 : 0))
    })
    const anyWidth = fc.uint8Array({ minLength: 2, maxLength: 160 }).map(octets => derFromRaw(octets))
    fc.assert(
      fc.property(fc.oneof(bytes, damaged, anyWidth), der => {
        const raw = rawFromDer(der, width)
        return !raw || equal(derFromRaw(raw), der)
      }),
      RUNS,
    )
  })
})

/** Arbitrary near-miss of Signature-Input: its parts in any order and number. */
const scraps = fc
  .array(
    fc.constantFrom(
      ...[
        'service_sig',
        '=',
        '(',
        ')',
        '"@method"',
        '"@authority"',
        ' ',
        ';',
        'keyid',
        '="k"',
        'created',
        '=1',
        '=1.5',
      ],
      ...['=-1', ',', ':', 'sha-256', '=:AAAA:', '=:AAA:', '"', '\\', '?1', '@1', 'alg', 'expires', '*', '1e9', '%"a"'],
    ),
    { maxLength: 14 },
  )
  .map(parts => parts.join(''))
const headers = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), scraps)

describe('5.2: Signature-Input', () => {
  test('any text is parsed or refused as unreadable', () => {
    const read = (header: string): void => {
      try {
        readSignatureInput(header)
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableField)
      }
    }
    const begun = headers.map(rest => `service_sig=("@method")${rest}`)
    fc.assert(fc.property(fc.oneof(headers, begun), read), RUNS)
  })

  test('written parameters parse to themselves', () => {
    const names = fc.uniqueArray(
      fc.stringMatching(/^@?[a-z][a-z-]{0,11}$/).filter(name => name !== '@signature-params'),
    )
    const keyIds = fc.stringMatching(/^[ -~]{1,40}$/)
    fc.assert(
      fc.property(names, keyIds, fc.nat(), (components, keyId, created) => {
        const parameters = writeParameters(components, keyId, created)
        expect(readSignatureInput(`service_sig=${parameters}`)).toEqual({
          label: 'service_sig',
          components,
          keyId,
          created,
          parameters,
        })
      }),
      RUNS,
    )
  })
})

describe('5.2: Content-Digest', () => {
  test('any invalid header gets an error message', () => {
    const begun = fc
      .tuple(fc.constantFrom(...DIGEST_ALGORITHMS.map(row => row.name)), headers)
      .map(parts => parts.join('='))
    fc.assert(
      fc.property(fc.oneof(headers, begun), bytes, (header, body) => {
        expect(describeDigestError(header, body)).toEqual(expect.any(String))
      }),
      RUNS,
    )
  })

  test('a digest matches its own body only', () => {
    const name = fc.constantFrom(...DIGEST_ALGORITHMS.map(row => row.name))
    fc.assert(
      fc.property(bytes, bytes, name, (body, other, digest) => {
        const same = Buffer.from(body).equals(other)
        expect(describeDigestError(contentDigest(body, digest), other) === undefined).toBe(same)
      }),
      RUNS,
    )
  })
})

describe('5.2: components are normalized', () => {
  const host = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().map(address => `[${address}]`),
  )
  const mixed = fc.tuple(host, fc.boolean()).map(([name, loud]) => (loud ? name.toUpperCase() : name))

  test('an authority is normalized in case and default port, idempotently', () => {
    fc.assert(
      fc.property(mixed, fc.nat(65_535), (name, port) => {
        const authority = authorityOf(name)
        expect(authority).toBe(name.toLowerCase())
        expect(authorityOf(`${name}:${port}`)).toBe(authority)
        expect(authorityOf(authority)).toBe(authority)
      }),
      RUNS,
    )
  })

  test('media type normalization is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const type = mediaTypeOf(text)
        expect(mediaTypeOf(type)).toBe(type)
        expect(mediaTypeOf(`${type}; charset=utf-8`)).toBe(type)
      }),
      RUNS,
    )
  })
})
