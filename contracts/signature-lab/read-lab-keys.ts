import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { readKit } from '../client/credentials.ts'
import type { SigningKey } from '../protocol/sign-messages.ts'
import { algorithmOfKey } from '../protocol/signature-algorithms.ts'
import type { CandidateKey } from '../protocol/signature-lab/search-signed-base.ts'

/** A usage error of `assay lab`; the message says how to correct it. */
export class LabUsageError extends Error {}

/** Reads a file, or stdin for `-`, for `assay lab`; throws LabUsageError. */
export const readFileOrStdin = (path: string): Buffer => {
  try {
    return readFileSync(path === '-' ? 0 : path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new LabUsageError(`${path} cannot be read (${code}): name a file that is there, or - for stdin.`)
  }
}

/** The keys for a diagnosis: public keys that may have signed, private keys to sign correctly with, and client ids. */
type LabKeys = { candidates: readonly CandidateKey[]; signers: readonly SigningKey[]; names: readonly string[] }

/** Reads the keys for `assay lab` from a kit (--kit) and from key files (--key); throws LabUsageError. */
export const readLabKeys = (kit: string | undefined, files: readonly string[]): LabKeys => {
  const ofKit = kit === undefined ? NONE : keysOfKit(kit)
  const own = files.map(keyOfFile)
  return {
    candidates: [...own.map(({ candidate }) => candidate), ...ofKit.candidates],
    signers: [...own.flatMap(({ signer }) => (signer ? [signer] : [])), ...ofKit.signers],
    names: ofKit.names,
  }
}

const NONE: LabKeys = { candidates: [], signers: [], names: [] }

const keysOfKit = (path: string): LabKeys => {
  const { signingKeys, identity, organizationId, clientId } = readKit(path)
  const signing = signingKeys.map(({ keyId, algorithm, privateKey }) => {
    return { name: keyId, use: 'signing' as const, algorithm, publicKey: createPublicKey(privateKey) }
  })
  const certified = new X509Certificate(identity.certificate).publicKey
  const algorithm = algorithmOfKey(certified)
  const certificate: CandidateKey[] = algorithm
    ? [{ name: 'client certificate', use: 'certificate', algorithm, publicKey: certified }]
    : []
  return { candidates: [...signing, ...certificate], signers: signingKeys, names: [organizationId, clientId] }
}

/** Reads a key given as `ID=FILE` or as a file alone, whose key then matches any keyid. */
const keyOfFile = (given: string): { candidate: CandidateKey; signer?: SigningKey } => {
  const [, keyId, path = given] = /^([^=/\\]+)=(.+)$/.exec(given) ?? []
  const text = readFileOrStdin(path).toString('utf8').trim()
  const { publicKey, privateKey, isCertificate } = parsed(text, path)
  const algorithm = algorithmOfKey(publicKey)
  if (!algorithm)
    throw new LabUsageError(`${path} is no EC key on P-256, P-384 or P-521: give the key that signs (5.2).`)
  const name = isCertificate && keyId === undefined ? basename(path) : keyId
  const candidate: CandidateKey = {
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
    throw new LabUsageError(`${path} is no key that can be read: give PEM, a JWK, or a certificate.`)
  }
}
