import { createHash, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { ALGORITHMS, type Algorithm } from '../../contracts/protocol/algorithms.ts'

const generate = promisify(generateKeyPair)

export type SigningKeyPair = { algorithm: Algorithm; publicKey: string; privateKey: string }

/** A fresh pair for one algorithm of 5.2, both halves as PEM. */
export const createSigningKeyPair = async (algorithm: Algorithm): Promise<SigningKeyPair> => {
  const { publicKey, privateKey } = await generate('ec', { namedCurve: algorithm.nodeCurve })
  return {
    algorithm,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** One pair for each algorithm of 5.2. */
export const createSigningKeyPairs = (): Promise<SigningKeyPair[]> => Promise.all(ALGORITHMS.map(createSigningKeyPair))

/** An id that names a public key and nothing else: the same key always has the same id. */
export const keyIdOf = (prefix: string, publicKey: string): string =>
  `${prefix}-${createHash('sha256').update(publicKey).digest('hex').slice(0, 16)}`
