import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { basename } from 'node:path'
import { readKit } from '../client/credentials.ts'
import { algorithmOfKey } from '../protocol/algorithms.ts'
import type { Candidate } from '../protocol/lab/search.ts'
import type { SigningKey } from '../protocol/sign.ts'
import { LabError } from './lab-error.ts'
import { readInput } from './read-input.ts'

/** Keys that may have signed, and private ones among them, by which it is shown how it is done. */
export type Keys = { candidates: readonly Candidate[]; signers: readonly SigningKey[]; names: readonly string[] }

export const readKeys = (kit: string | undefined, files: readonly string[]): Keys => {
  const ofKit = kit === undefined ? NONE : keysOfKit(kit)
  const own = files.map(keyOfFile)
  return {
    candidates: [...own.map(({ candidate }) => candidate), ...ofKit.candidates],
    signers: [...own.flatMap(({ signer }) => (signer ? [signer] : [])), ...ofKit.signers],
    names: ofKit.names,
  }
}

const NONE: Keys = { candidates: [], signers: [], names: [] }

const keysOfKit = (path: string): Keys => {
  const { signingKeys, identity, organizationId, clientId } = readKit(path)
  const signing = signingKeys.map(({ keyId, algorithm, privateKey }) => {
    return { name: keyId, use: 'signing' as const, algorithm, publicKey: createPublicKey(privateKey) }
  })
  const certified = new X509Certificate(identity.certificate).publicKey
  const algorithm = algorithmOfKey(certified)
  const certificate: Candidate[] = algorithm
    ? [{ name: 'client certificate', use: 'certificate', algorithm, publicKey: certified }]
    : []
  return { candidates: [...signing, ...certificate], signers: signingKeys, names: [organizationId, clientId] }
}

/** `ID=FILE`, or a file alone, whose key then stands for whatever keyid says. */
const keyOfFile = (given: string): { candidate: Candidate; signer?: SigningKey } => {
  const [, keyId, path = given] = /^([^=/\\]+)=(.+)$/.exec(given) ?? []
  const text = readInput(path).toString('utf8').trim()
  const { publicKey, privateKey, isCertificate } = parsed(text, path)
  const algorithm = algorithmOfKey(publicKey)
  if (!algorithm) throw new LabError(`${path} is no EC key on P-256, P-384 or P-521: give the key that signs (5.2).`)
  const name = isCertificate && keyId === undefined ? basename(path) : keyId
  const candidate: Candidate = {
    ...(name === undefined ? {} : { name }),
    use: isCertificate && keyId === undefined ? 'certificate' : 'signing',
    algorithm,
    publicKey,
  }
  return privateKey ? { candidate, signer: { keyId: keyId ?? basename(path), algorithm, privateKey } } : { candidate }
}

type Parsed = { publicKey: KeyObject; privateKey?: KeyObject; isCertificate?: true }

const parsed = (text: string, path: string): Parsed => {
  try {
    if (text.includes('BEGIN CERTIFICATE'))
      return { publicKey: new X509Certificate(text).publicKey, isCertificate: true }
    const input = text.startsWith('{') ? { key: JSON.parse(text), format: 'jwk' as const } : text
    if (!/PRIVATE KEY|"d"\s*:/.test(text)) return { publicKey: createPublicKey(input) }
    const privateKey = createPrivateKey(input)
    return { publicKey: createPublicKey(privateKey), privateKey }
  } catch {
    throw new LabError(`${path} is no key that can be read: give PEM, a JWK, or a certificate.`)
  }
}
