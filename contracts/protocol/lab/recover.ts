import { createPublicKey, type KeyObject } from 'node:crypto'
import { p256, p384, p521 } from '@noble/curves/nist.js'
import type { Algorithm, Curve } from '../algorithms.ts'
import { rawFromDer } from '../ecdsa-encoding.ts'

const CURVES = { 'P-256': p256, 'P-384': p384, 'P-521': p521 } as const satisfies Record<Curve, unknown>

/** Tells of the hash of a message the public keys that may have signed it, as uncompressed points in hexadecimal. */
export type Recover = (hashed: Buffer) => readonly string[]

/**
 * ECDSA backwards: r is the x of a point R, and the key is s/r·R − e/r·G. All but e belongs to the signature, so each
 * message costs one multiplication of the base point; R and −R make two keys, one of which is the signer's.
 */
export const recoverOf = (der: Buffer, { curve, coordinateBytes }: Algorithm): Recover | undefined => {
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

/** A point as a public key. */
export const keyOfPoint = (point: string, { curve, coordinateBytes }: Algorithm): KeyObject => {
  const bytes = Buffer.from(point, 'hex')
  const [x, y] = [bytes.subarray(1, 1 + coordinateBytes), bytes.subarray(1 + coordinateBytes)]
  return createPublicKey({
    key: { kty: 'EC', crv: curve, x: x.toString('base64url'), y: y.toString('base64url') },
    format: 'jwk',
  })
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

/** As much of a hash as the curve takes. */
const leftmost = (hashed: Buffer, bits: number): bigint => {
  const surplus = hashed.length * 8 - bits
  return surplus > 0 ? numberOf(hashed) >> BigInt(surplus) : numberOf(hashed)
}
