import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { CompactSign, calculateJwkThumbprint, compactVerify, decodeProtectedHeader, exportJWK } from 'jose'
import type { Verdict } from './check.ts'
import type { Profile } from './profile.ts'
import { isShaped } from './saved-shape.ts'
import type { Suite } from './suite.ts'
import type { Summary } from './summary.ts'

/** What a signature vouches for: that these files are those of one run, and what they say. */
export type Certificate = {
  format: 1
  issuedAt: string
  suite: Suite
  profile: string
  target: Pick<Profile['target'], 'baseUrl' | 'environment'>
  tier: number
  only: readonly string[]
  summary: Summary
  /** Digest of each file of the report, by its name. */
  files: Readonly<Record<string, string>>
  /** Checks whose verdict cannot be found again from the transcript, each with what the run itself found. */
  notRejudged: readonly { id: string; verdict: Verdict }[]
}

const TYPE = 'assay-certificate+jws'

/** A fault of a key or certificate that a person can mend; one sentence with its cure. */
export class CertificateError extends Error {}

/** Signs a certificate as a compact JWS (RFC 7515); the public key travels in its header. */
export const signCertificate = async (certificate: Certificate, key: KeyObject): Promise<string> => {
  const jwk = await exportJWK(createPublicKey(key))
  const header = { alg: algorithmOf(key), typ: TYPE, jwk, kid: await calculateJwkThumbprint(jwk) }
  return new CompactSign(Buffer.from(JSON.stringify(certificate))).setProtectedHeader(header).sign(key)
}

/** The private key of a PEM or JWK text, or one made on the spot that nobody will ever have again. */
export const signingKeyOf = (text: string | undefined): KeyObject => {
  if (text === undefined) return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  try {
    const key = text.trimStart().startsWith('{')
      ? createPrivateKey({ key: JSON.parse(text), format: 'jwk' })
      : createPrivateKey(text)
    algorithmOf(key)
    return key
  } catch (error) {
    if (error instanceof CertificateError) throw error
    throw new CertificateError('The signing key is no private key: give a PEM or JWK file of an EC or Ed25519 key.')
  }
}

// biome-ignore format: a table reads by its columns
const ALGORITHMS: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1:  'ES384',
  secp521r1:  'ES512',
}

const algorithmOf = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string => {
  const algorithm = asymmetricKeyType === 'ed25519' ? 'EdDSA' : ALGORITHMS[asymmetricKeyDetails?.namedCurve ?? 'none']
  if (algorithm) return algorithm
  throw new CertificateError(
    'The signing key is of no kind that signs here: give an EC key on P-256, P-384 or P-521, or an Ed25519 key.',
  )
}

export type Signed = { certificate: Certificate; keyId: string; ownKey: boolean }

/** Opens a certificate whose signature is good: by the key given, else by the one that it brought along. */
export const openCertificate = async (jws: string, publicKey?: string): Promise<Signed> => {
  try {
    const key = publicKeyOf(publicKey ?? broughtKey(jws))
    const { payload, protectedHeader } = await compactVerify(jws.trim(), key, { algorithms: [algorithmOf(key)] })
    if (protectedHeader.typ !== TYPE) throw new CertificateError('This is a signed text, and no certificate of a run.')
    const certificate = JSON.parse(Buffer.from(payload).toString()) as Certificate
    if (!isShaped('certificate', certificate))
      throw new CertificateError('This is signed, and is not what a certificate of a run says: sign one by a run.')
    const keyId = await calculateJwkThumbprint(await exportJWK(key)) // what the header calls it is only a claim
    return { certificate, keyId, ownKey: publicKey === undefined }
  } catch (error) {
    if (error instanceof CertificateError) throw error
    throw new CertificateError(`The signature of the certificate is not good: ${(error as Error).message}.`)
  }
}

/** The key that stands in the header, as a JWK text. */
const broughtKey = (jws: string): string => {
  const { jwk } = decodeProtectedHeader(jws.trim())
  if (!jwk || 'd' in jwk) throw new CertificateError('The certificate brings no public key along: name one with --key.')
  return JSON.stringify(jwk)
}

const publicKeyOf = (text: string): KeyObject => {
  try {
    return text.trimStart().startsWith('{')
      ? createPublicKey({ key: JSON.parse(text), format: 'jwk' })
      : createPublicKey(text)
  } catch {
    throw new CertificateError('The key is no public key: give a PEM or JWK file.')
  }
}
