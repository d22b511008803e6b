import type { KeyObject } from 'node:crypto'
import type { Algorithm } from './algorithms.ts'
import { verifyEcdsa } from './ecdsa.ts'
import { derFromRaw, type Encoding, encodingsOf } from './ecdsa-encoding.ts'
import { type Reading, signatureBase } from './signature-base.ts'
import { SIGNATURE_LABEL, type SignatureInput } from './signature-input.ts'
import { bytesOf, isCanonicalByteSequence, readDictionary, UnreadableField } from './structured-field.ts'

export type VerifyingKey = {
  keyId: string
  algorithm: Algorithm
  publicKey: KeyObject
  /** The reading that this key's owner last used: tried first, because clients do not change it. */
  usualReading?: Reading
}

/** What a verifier accepts, in the order in which it tries (C7: both readings are in use). */
export type Dialect = { readings: readonly Reading[]; encodings: readonly Encoding[] }

export type Match = { reading: Reading; encoding: Encoding }

/** What nearly all send, and what needs no parser. */
const USUAL = new RegExp(`^${SIGNATURE_LABEL}=:([A-Za-z0-9+/]+={0,2}):$`)

/** The bytes of the `Signature` header under our label; throws UnreadableField. */
export const readSignature = (header: string): Buffer => {
  const usual = USUAL.exec(header)?.[1]
  const read = usual === undefined ? undefined : Buffer.from(usual, 'base64')
  if (read && read.toString('base64') === usual) return read
  const bytes = bytesOf(readDictionary('Signature', header).get(SIGNATURE_LABEL)?.[0])
  if (!bytes) throw new UnreadableField(`Signature has no byte sequence ${SIGNATURE_LABEL}=:BASE64:`)
  if (!isCanonicalByteSequence(header, SIGNATURE_LABEL, bytes))
    throw new UnreadableField('Signature is not proper Base64')
  return bytes
}

/** Tries each accepted reading and encoding and tells which one verified, or undefined. */
export const matchSignature = async (
  input: SignatureInput,
  signature: Buffer,
  componentOf: (component: string) => string | undefined,
  key: VerifyingKey,
  dialect: Dialect,
): Promise<Match | undefined> => {
  const possible = encodingsOf(signature, key.algorithm.coordinateBytes).filter(name =>
    dialect.encodings.includes(name),
  )
  for (const reading of usualFirst(dialect.readings, key.usualReading)) {
    const base = Buffer.from(signatureBase(input.components, componentOf, input.parameters, reading))
    for (const encoding of possible) {
      const der = encoding === 'raw' ? derFromRaw(signature) : signature
      if (await verifyEcdsa(key.algorithm, base, key.publicKey, der)) return { reading, encoding }
    }
  }
}

const usualFirst = (readings: readonly Reading[], usual: Reading | undefined): readonly Reading[] =>
  usual === undefined || !readings.includes(usual)
    ? readings
    : [usual, ...readings.filter(reading => reading !== usual)]
