import { createPublicKey, type KeyObject } from 'node:crypto'
import { p256, p384, p521 } from '@noble/curves/nist.js'
import { rawFromDer } from '../ecdsa-encoding.ts'
import type { Algorithm, Curve } from '../signature-algorithms.ts'

const CURVES = { 'P-256': p256, 'P-384': p384, 'P-521': p521 } as const satisfies Record<Curve, unknown>

/** A function that recovers candidate public keys from a message hash, as uncompressed points in hexadecimal. */
export type RecoverPublicKeys = (hashed: Buffer) => readonly string[]

/**
 * Prepares ECDSA public-key recovery for a DER signature: r is the x of a point R, and the key is s/r·R − e/r·G. Only e
 * depends on the message, so each costs one multiplication; R and −R give two candidates. Undefined if malformed.
 */
export const createPublicKeyRecovery = (
  der: Buffer,
  { curve, coordinateBytes }: Algorithm,
): RecoverPublicKeys | undefined => {
  const raw = rawFromDer(der, coordinateBytes)
  if (!raw) return undefined
  const { Point } = CURVES[curve]
  const { Fn } = Point
  try {
    const [r, s] = [numberOf(raw.subarray(0, coordinateBytes)), numberOf(raw.subarray(coordinateBytes))]
    const inverse = Fn.inv(r)
    const fromSignature = Point.fromHex(`02${raw.toString('hex', 0, coordinateBytes)}`).multiply(Fn.mul(s, inverse))
    return hashed => {
      const share = Fn.mul(Fn.create(leftmost(hashed, Fn.BITS)), inverse)
      if (share === 0n) return []
      const fromMessage = Point.BASE.multiply(share)
      return [fromSignature, fromSignature.negate()].map(point => point.subtract(fromMessage).toHex(false))
    }
  } catch {
    return undefined // no point of the curve has this r: no key made this signature
  }
}

/** Imports an uncompressed point in hexadecimal as a public key. */
export const toPublicKey = (point: string, { curve, coordinateBytes }: Algorithm): KeyObject => {
  const bytes = Buffer.from(point, 'hex')
  const [x, y] = [bytes.subarray(1, 1 + coordinateBytes), bytes.subarray(1 + coordinateBytes)]
  return createPublicKey({
    key: { kty: 'EC', crv: curve, x: x.toString('base64url'), y: y.toString('base64url') },
    format: 'jwk',
  })
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

/** Returns the leftmost bits of a hash, as many as the curve order has. */
const leftmost = (hashed: Buffer, bits: number): bigint => {
  const surplus = hashed.length * 8 - bits
  return surplus > 0 ? numberOf(hashed) >> BigInt(surplus) : numberOf(hashed)
}
