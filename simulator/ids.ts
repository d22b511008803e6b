import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** The only file that reads randomness. */
export type Ids = {
  uuid(): string
  /** A secret that fits into a path: 128 bits in base64url. */
  secret(): string
  /** Six digits, as a bank app shows them (R6). */
  blikCode(): string
  /** A positive serial number of a certificate, hexadecimal (RFC 5280 4.1.2.2). */
  serial(): string
}

export const createIds = (): Ids => ({
  uuid: randomUUID,
  secret: () => randomBytes(16).toString('base64url'),
  blikCode: () => String(randomInt(1_000_000)).padStart(6, '0'),
  serial: () => `4${randomBytes(16).toString('hex').slice(1)}`,
})
