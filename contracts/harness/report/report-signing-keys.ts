import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { ConformanceCertificateError } from '../run/command-errors.ts'
import { readTextFile } from './read-and-write-text-files.ts'

/** Reads the private key from the file that `--sign-key` names; creates a one-time key where none is named. */
export const readReportSigningKey = (file: string | undefined): KeyObject =>
  toReportSigningKey(file === undefined ? undefined : readTextFile(file))

/** Reads a private key from a PEM or JWK text; without one, creates a P-256 key for one use, which is never stored. */
export const toReportSigningKey = (text: string | undefined): KeyObject => {
  if (text === undefined) return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  try {
    const key = text.trimStart().startsWith('{')
      ? createPrivateKey({ key: JSON.parse(text), format: 'jwk' })
      : createPrivateKey(text)
    jwsAlgorithm(key)
    return key
  } catch (error) {
    if (error instanceof ConformanceCertificateError) throw error
    throw new ConformanceCertificateError(
      'The signing key is no private key: give a PEM or JWK file of an EC or Ed25519 key.',
    )
  }
}

// biome-ignore format: a table reads by its columns
const ALGORITHMS: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1:  'ES384',
  secp521r1:  'ES512',
}

/** Returns the JWS algorithm of a key; throws ConformanceCertificateError for a kind that signs no certificate. */
export const jwsAlgorithm = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string => {
  const algorithm = asymmetricKeyType === 'ed25519' ? 'EdDSA' : ALGORITHMS[asymmetricKeyDetails?.namedCurve ?? 'none']
  if (algorithm) return algorithm
  throw new ConformanceCertificateError(
    'The signing key is of no kind that signs here: give an EC key on P-256, P-384 or P-521, or an Ed25519 key.',
  )
}

/** Reads a public key from a PEM or JWK text; throws ConformanceCertificateError. */
export const toReportPublicKey = (text: string): KeyObject => {
  try {
    return text.trimStart().startsWith('{')
      ? createPublicKey({ key: JSON.parse(text), format: 'jwk' })
      : createPublicKey(text)
  } catch {
    throw new ConformanceCertificateError('The key is no public key: give a PEM or JWK file.')
  }
}
