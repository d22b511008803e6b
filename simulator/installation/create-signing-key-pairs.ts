import { createHash, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { ALGORITHMS, type Algorithm } from '../../contracts/protocol/signature-algorithms.ts'

const generate = promisify(generateKeyPair)

/** A signing key pair and its algorithm; both keys are PEM. */
type SigningKeyPair = { algorithm: Algorithm; publicKey: string; privateKey: string }

/** Generates a key pair for one algorithm of 5.2. */
const createSigningKeyPair = async (algorithm: Algorithm): Promise<SigningKeyPair> => {
  const { publicKey, privateKey } = await generate('ec', { namedCurve: algorithm.nodeCurve })
  return {
    algorithm,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** Generates a key pair for each algorithm of 5.2. */
export const createSigningKeyPairs = (): Promise<SigningKeyPair[]> => Promise.all(ALGORITHMS.map(createSigningKeyPair))

/** Derives the id of a signing key from the public key: the same key always has the same id. */
export const deriveKeyId = (prefix: string, publicKey: string): string =>
  `${prefix}-${createHash('sha256').update(publicKey).digest('hex').slice(0, 16)}`
