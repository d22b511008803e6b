import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { PROVIDER_CODES, providerCode } from '../../contracts/protocol/provider-codes.ts'
import { NO_PROBLEM, REASON_CODE_FAMILIES, REFUSALS, type RefusalName } from '../../contracts/protocol/reason-codes.ts'
import { ALGORITHMS, algorithmNamed, algorithmOfKey } from '../../contracts/protocol/signature-algorithms.ts'
import { KEY_PAIRS } from './generated-key-pairs.ts'

// biome-ignore format: a table reads by its columns
test.each([
  ['ECDSA_SHA_256', 'P-256', 'sha256', 256],
  ['ECDSA_SHA_384', 'P-384', 'sha384', 384],
  ['ECDSA_SHA_512', 'P-521', 'sha512', 521],
])('5.2: %s is %s with %s', (name, curve, digest, bits) => {
  const row = algorithmNamed(name)
  expect(row).toMatchObject({ curve, hash: digest, coordinateBytes: Math.ceil(bits / 8) })
  expect(hash(row.hash, '')).toMatch(/^[0-9a-f]+$/)
})

test('5.2: there are three algorithms, one per curve', () => {
  expect(KEY_PAIRS.map(({ privateKey }) => algorithmOfKey(privateKey))).toEqual([...ALGORITHMS])
  expect(() => algorithmNamed('RSA')).toThrow('Unknown signing algorithm RSA')
})

// biome-ignore format: a table reads by its columns
const CODES: readonly (readonly [RefusalName, number, string, string])[] = [
  ['INVALID_INPUT',          400, '4000', '7.3'],
  ['MEDIA_TYPE_REFUSED',     400, '4000', '7.1'],
  ['KEY_MISSING',            400, '4000', 'I1'],
  ['CERTIFICATE_MISSING',    400, '4980', '5.1'],
  ['CERTIFICATE_REFUSED',    400, '4980', '5.1'],
  ['DIGEST_MISSING',         400, '4990', '5.2'],
  ['DIGEST_REFUSED',         400, '4990', '5.2'],
  ['LENGTH_MISSING',         400, '4990', '5.2'],
  ['SIGNATURE_UNREADABLE',   401, '4990', '5.2'],
  ['SIGNATURE_REFUSED',      401, '4992', '5.2'],
  ['TOKEN_EXPIRED',          401, '4061', '7.3'],
  ['TOKEN_REFUSED',          401, '4970', '7.3'],
  ['FORBIDDEN',              403, '4971', '7.3'],
  ['PAYMENT_NOT_FOUND',      404, '4001', '7.3'],
  ['ORDER_NOT_FOUND',        404, '4001', '7.5'],
  ['ORDER_EXISTS',           409, '3001', '7.5'],
  ['REPORT_NOT_FOUND',      404, '4000', '7.3'],
  ['ENDPOINT_NOT_FOUND',     404, '4000', '7.1'],
  ['METHOD_NOT_FOUND',       404, '4000', '4'],
  ['KEY_REUSED',             409, '3002', 'I4'],
  ['BODY_TOO_LARGE',         413, '4130', '7.1'],
  ['TRANSITION_NOT_ALLOWED', 422, '5002', 'R5'],
  ['MANDATE_REFUSED',        422, '5010', '2.3'],
  ['PAYMENT_LOCKED',         423, '5003', '7.1'],
  ['RATE_LIMITED',           429, '3000', '7.1'],
  ['INTERNAL',               500, '9999', '7.1'],
  ['OPERATION_UNSUPPORTED',  501, '8003', '7.3'],
  ['PROVIDER_ERROR',         502, '8004', '7.3'],
  ['PROVIDER_TIMEOUT',       504, '8001', '7.4'],
]

describe('7.1 to 7.3: refusals', () => {
  test.each(CODES)('%s is %i with %s (%s)', (name, http, reasonCode) => {
    expect(REFUSALS[name]).toMatchObject({ http, reasonCode })
  })

  test('the table has exactly these refusals', () => {
    expect(Object.keys(REFUSALS).sort()).toEqual(CODES.map(([name]) => name).sort())
  })

  test('7.2: every code lies in a family, and `no problem` in none', () => {
    const families = Object.values(REFUSALS).map(({ reasonCode }) => reasonCode.charAt(0))
    expect(families.filter(digit => !(digit in REASON_CODE_FAMILIES))).toEqual([])
    expect(Object.keys(REASON_CODE_FAMILIES)).toEqual(['1', '2', '3', '4', '5', '6', '8', '9'])
    expect(NO_PROBLEM).toBe('-1')
  })

  test('I3: of the refusals only 422 and 501 are stored under the key', () => {
    const remembered = Object.values(REFUSALS).filter(row => row.remembered)
    expect(remembered.map(({ http }) => http)).toEqual([422, 422, 501])
  })
})

// biome-ignore format: a table reads by its columns
const MAPPED = [
  ['BLIK', '3001',                    '4000'],
  ['BLIK', '3002',                    '2001'],
  ['BLIK', '3003',                    '2000'],
  ['BLIK', '3004',                    '8003'],
  ['IRIS', 'DMSP1000',                '8004'],
  ['IRIS', 'DMSP1003',                '4001'],
  ['IRIS', 'DMSP1010',                '8004'],
  ['IRIS', 'DMSP1104',                '4000'],
  ['IRIS', 'DMSP1109',                '4000'],
  ['IRIS', 'DMSP1112',                '4000'],
  ['IRIS', 'DMSP1120',                '3001'],
  ['IRIS', 'DMSP1140',                '4971'],
  ['IRIS', 'TIMEOUT',                 '2000'],
  ['IRIS', 'AUTHORISINGPARTYABORTED', '2001'],
] as const

describe('7.5: provider codes', () => {
  test.each(MAPPED)('%s %s becomes %s', (provider, code, reasonCode) => {
    expect(providerCode(provider, code).reasonCode).toBe(reasonCode)
  })

  test('the table holds these and no others, each in its own words', () => {
    expect(PROVIDER_CODES.map(row => [row.provider, row.code, row.reasonCode])).toEqual(MAPPED)
    expect(PROVIDER_CODES.filter(({ meaning }) => meaning.length < 10)).toEqual([])
  })

  test('a code of the other provider is unknown', () => {
    expect(() => providerCode('IRIS', '3001')).toThrow('IRIS has no code 3001')
  })
})
