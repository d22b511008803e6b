import { sign, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { derFromRaw, possibleEncodings, rawFromDer } from '../../contracts/protocol/ecdsa-encoding.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { KEY_PAIRS } from './generated-key-pairs.ts'

// biome-ignore format: a table reads by its columns
const SIGNATURES = { 'P-256': 100, 'P-384': 40, 'P-521': 300 } as const

const signatures = (count: number, { algorithm, privateKey }: (typeof KEY_PAIRS)[number]) =>
  Array.from({ length: count }, (_, index) => {
    const message = Buffer.from(`message ${index}`)
    return { message, der: sign(algorithm.hash, message, privateKey) }
  })

describe.each(KEY_PAIRS)('5.2: signatures on $algorithm.curve', pair => {
  const { algorithm, publicKey } = pair
  const width = algorithm.coordinateBytes
  const made = signatures(SIGNATURES[algorithm.curve], pair)

  test('DER converts to r‖s that Node verifies, and back to the same DER', () => {
    for (const { der } of made) {
      const raw = rawFromDer(der, width) ?? Buffer.alloc(0)
      expect(raw).toHaveLength(2 * width)
      expect(derFromRaw(raw).equals(der)).toBe(true)
      expect(possibleEncodings(raw, width)).toEqual(['raw'])
      expect(possibleEncodings(der, width)).toEqual(['der'])
    }
    for (const { message, der } of made.slice(0, 30)) {
      const raw = rawFromDer(der, width) ?? Buffer.alloc(0)
      expect(verify(algorithm.hash, message, { key: publicKey, dsaEncoding: 'ieee-p1363' }, raw)).toBe(true)
    }
  })

  test('leading zero octets of r and s are kept at full width', () => {
    const coordinates = [
      [1],
      [0x7f],
      [0x80],
      [0xff, 0],
      [0x80, ...Array(width - 2).fill(7)],
      Array(width).fill(0xff),
      [],
    ]
    for (const r of coordinates)
      for (const s of coordinates) {
        const raw = Buffer.concat([
          ...[r, s].map(octets => Buffer.from([...Array(width - octets.length).fill(0), ...octets])),
        ])
        const back = rawFromDer(derFromRaw(raw), width)
        expect(back?.toString('hex')).toBe(raw.toString('hex'))
      }
  })

  test('damaged bytes never throw, and readable ones convert back to themselves', () => {
    const chance = seededRandom(width)
    for (const { der } of made.slice(0, 40))
      for (let round = 0; round < 100; round += 1) {
        const damaged = damage(der, chance)
        const raw = rawFromDer(damaged, width)
        if (raw) expect(derFromRaw(raw).equals(damaged)).toBe(true)
      }
  })
})

test('5.2: P-521 signatures in the tests include leading zero octets', () => {
  const [pair] = KEY_PAIRS.slice(-1)
  const raws = pair ? signatures(60, pair).map(({ der }) => rawFromDer(der, 66)) : []
  expect(raws.filter(raw => raw?.[0] === 0 || raw?.[66] === 0).length).toBeGreaterThan(20)
})

test.each([
  ['nothing', ''],
  ['one octet', '30'],
  ['an empty sequence', '3000'],
  ['another tag', '3106020101020101'],
  ['a length that is too long', '3007020101020101'],
  ['a length that is too short', '3005020101020101'],
  ['a length in long form where short would do', '308106020101020101'],
  ['an indefinite length', '30800201010201010000'],
  ['octets after the end', '300602010102010100'],
  ['one integer only', '3003020101'],
  ['three integers', '3009020101020101020101'],
  ['an integer without octets', '30050200020101'],
  ['a surplus leading zero', '300702020001020101'],
  ['a negative integer', '3006020181020101'],
  ['another tag inside', '3006030101020101'],
])('5.2: %s is no DER signature', (_name, hex) => {
  expect(rawFromDer(Buffer.from(hex, 'hex'), 32)).toBeUndefined()
  expect(possibleEncodings(Buffer.from(hex, 'hex'), 32)).toEqual([])
})

test('5.2: an integer wider than the curve is no signature', () => {
  const wide = derFromRaw(Buffer.alloc(96, 1))
  expect(rawFromDer(wide, 32)).toBeUndefined()
  expect(rawFromDer(wide, 48)).toHaveLength(96)
})

/** Changes, drops or adds one octet somewhere. */
const damage = (bytes: Buffer, chance: ReturnType<typeof seededRandom>): Buffer => {
  const at = chance.below(bytes.length)
  const octet = Buffer.from([chance.below(256)])
  const rest = bytes.subarray(at + chance.pick([0, 1, 1, 2]))
  return Buffer.concat([bytes.subarray(0, at), chance.pick([octet, octet, Buffer.alloc(0)]), rest])
}
