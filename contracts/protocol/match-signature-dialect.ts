import type { KeyObject } from 'node:crypto'
import type { DigestName } from './content-digest.ts'
import { verifyEcdsa } from './ecdsa.ts'
import { derFromRaw, possibleEncodings, type SignatureEncoding } from './ecdsa-encoding.ts'
import type { Algorithm } from './signature-algorithms.ts'
import { type AuthorityPort, type BaseReading, signatureBase } from './signature-base.ts'
import { type ParameterOrder, SIGNATURE_LABEL, type SignatureInput } from './signature-input.ts'
import { bytesOf, isCanonicalByteSequence, readDictionary, UnreadableField } from './structured-field.ts'

/** A public key that verifies signatures, with its id and algorithm. */
export type VerifyingKey = {
  keyId: string
  algorithm: Algorithm
  publicKey: KeyObject
  /** The reading that the client last used; it is tried first. */
  usualReading?: BaseReading
}

/**
 * Signature dialects that a verifier accepts: its readings and its encodings, each in the order in which it tries them
 * (C7).
 */
export type AcceptedDialect = {
  readings: readonly BaseReading[]
  encodings: readonly SignatureEncoding[]
  /** Whether `@authority` has its port; dropped where it is not named, as the document says (5.2). */
  port?: AuthorityPort
  /** The order of the parameters keyid and created; any where it is not named. */
  order?: ParameterOrder
}

/**
 * Dialect in which a deployment signs its responses (5.4): label, reading, encoding, and the digest that each body has.
 */
export type ResponseDialect = {
  label?: string
  reading?: BaseReading
  encoding?: SignatureEncoding
  digest?: DigestName
}

/** Signature dialects that a verifier of responses accepts; the label is that of requests unless it is named. */
export type AcceptedResponseDialect = AcceptedDialect & Pick<ResponseDialect, 'label' | 'digest'>

/**
 * Returns the dialects of response signatures to accept from a deployment: both readings and encodings unless it names
 * one, as both are in use (C7).
 */
export const acceptedResponseDialect = ({
  reading,
  encoding,
  ...rest
}: ResponseDialect = {}): AcceptedResponseDialect => ({
  readings: reading === undefined ? ['rfc', 'literal'] : [reading],
  encodings: encoding === undefined ? ['der', 'raw'] : [encoding],
  ...rest,
})

/** The reading and encoding with which a signature verified. */
export type SignatureMatch = { reading: BaseReading; encoding: SignatureEncoding }

/** The usual form of a Signature header, read without a parser. */
const USUAL_SIGNATURE = new RegExp(`^${SIGNATURE_LABEL}=:([A-Za-z0-9+/]+={0,2}):$`)

/** Reads the signature bytes under a label, service_sig by default, from a Signature header; throws UnreadableField. */
export const readSignature = (header: string, label: string = SIGNATURE_LABEL): Buffer => {
  const usual = label === SIGNATURE_LABEL ? USUAL_SIGNATURE.exec(header)?.[1] : undefined
  const read = usual === undefined ? undefined : Buffer.from(usual, 'base64')
  if (read && read.toString('base64') === usual) return read
  const bytes = bytesOf(readDictionary('Signature', header).get(label)?.[0])
  if (!bytes) throw new UnreadableField(`Signature has no byte sequence ${label}=:BASE64:`)
  if (!isCanonicalByteSequence(header, label, bytes)) throw new UnreadableField('Signature is not proper Base64')
  return bytes
}

/** Verifies a signature with each accepted reading and encoding; returns the one that verified, or undefined. */
export const matchSignature = async (
  input: SignatureInput,
  signature: Buffer,
  componentOf: (component: string) => string | undefined,
  key: VerifyingKey,
  dialect: AcceptedDialect,
): Promise<SignatureMatch | undefined> => {
  const possible = possibleEncodings(signature, key.algorithm.coordinateBytes).filter(name =>
    dialect.encodings.includes(name),
  )
  for (const reading of usualFirst(dialect.readings, key.usualReading)) {
    const base = Buffer.from(signatureBase(input.components, componentOf, input.parameters, reading, input.label))
    for (const encoding of possible) {
      const der = encoding === 'raw' ? derFromRaw(signature) : signature
      if (await verifyEcdsa(key.algorithm, base, key.publicKey, der)) return { reading, encoding }
    }
  }
}

const usualFirst = (readings: readonly BaseReading[], usual: BaseReading | undefined): readonly BaseReading[] =>
  usual === undefined || !readings.includes(usual)
    ? readings
    : [usual, ...readings.filter(reading => reading !== usual)]
