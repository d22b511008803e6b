import { createHash, randomBytes } from 'node:crypto'

/** The only file that reads randomness. */
export type Ids = {
  uuid(): string
  /** A UUID that sorts by the time it is given, in milliseconds (RFC 9562, version 7): keys that grow keep writes in one place. */
  orderedUuid(milliseconds: number): string
  /** A secret that fits into a path: 128 bits in base64url. */
  secret(): string
  /** The same behind the time it is given, in milliseconds: secrets that are looked up, and keep writes in one place too. */
  orderedSecret(milliseconds: number): string
  /** Six digits, as a bank app shows them (R6); never 99 in front, where the magic codes are. */
  blikCode(): string
  /** A positive serial number of a certificate, hexadecimal (RFC 5280 4.1.2.2). */
  serial(): string
}

export const createIds = (): Ids => idsFrom(drawSixteen())

/** Sixteen bytes of chance, cut from a larger piece: what costs is the asking. */
const drawSixteen = () => {
  let piece = Buffer.alloc(0)
  return (): Buffer => {
    if (piece.length === 0) piece = randomBytes(4_096)
    const drawn = piece.subarray(0, 16)
    piece = piece.subarray(16)
    return drawn
  }
}

/**
 * The same ids for the same seed (D-90): SHA-256 in counter mode, a row of its own for each kind, so that one more of
 * one kind changes none of another. A folder's later runs each have rows of their own: no id comes twice.
 */
export const createSeededIds = (seed: string, run: number): Ids => {
  const counts = new Map<string, number>()
  return idsFrom(kind => {
    const count = counts.get(kind) ?? 0
    counts.set(kind, count + 1)
    return createHash('sha256').update(`${seed}\n${run}\n${kind}\n${count}`).digest().subarray(0, 16)
  })
}

/** Every kind of id from sixteen bytes of chance. */
const idsFrom = (bytes: (kind: keyof Ids) => Buffer): Ids => ({
  uuid: () => writeUuid(bytes('uuid'), 4),
  orderedUuid: milliseconds => {
    const chance = bytes('orderedUuid')
    chance.writeUIntBE(milliseconds, 0, 6)
    return writeUuid(chance, 7)
  },
  secret: () => bytes('secret').toString('base64url'),
  orderedSecret: milliseconds => {
    const time = Buffer.alloc(6)
    time.writeUIntBE(milliseconds, 0, 6)
    return Buffer.concat([time, bytes('orderedSecret')]).toString('base64url')
  },
  blikCode: () => String(bytes('blikCode').readUIntBE(0, 6) % FIRST_MAGIC_CODE).padStart(6, '0'),
  serial: () => `4${bytes('serial').toString('hex').slice(1)}`,
})

const FIRST_MAGIC_CODE = 990_000

const DIGITS = Buffer.from('0123456789abcdef')
/** Where each byte of a UUID has its two digits. */
const UUID_PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const
/** Written over and over: half a dozen are made for a payment. */
const uuid = Buffer.alloc(36, '-')

const writeUuid = (bytes: Buffer, version: 4 | 7): string => {
  bytes.writeUInt8((version << 4) | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  let at = 0
  for (const place of UUID_PLACES) {
    const byte = bytes[at++] ?? 0
    uuid[place] = DIGITS[byte >> 4] ?? 0
    uuid[place + 1] = DIGITS[byte & 0x0f] ?? 0
  }
  return uuid.toString('latin1')
}
