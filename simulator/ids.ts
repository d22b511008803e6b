import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** The only file that reads randomness. */
export type Ids = {
  uuid(): string
  /** A UUID that sorts by the time it is given, in milliseconds (RFC 9562, version 7): keys that grow keep writes in one place. */
  orderedUuid(milliseconds: number): string
  /** A secret that fits into a path: 128 bits in base64url. */
  secret(): string
  /** Six digits, as a bank app shows them (R6). */
  blikCode(): string
  /** A positive serial number of a certificate, hexadecimal (RFC 5280 4.1.2.2). */
  serial(): string
}

export const createIds = (): Ids => ({
  uuid: randomUUID,
  orderedUuid,
  secret: () => randomBytes(16).toString('base64url'),
  blikCode: () => String(randomInt(1_000_000)).padStart(6, '0'),
  serial: () => `4${randomBytes(16).toString('hex').slice(1)}`,
})

const orderedUuid = (milliseconds: number): string => {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(milliseconds, 0, 6)
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
