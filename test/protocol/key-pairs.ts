import { generateKeyPairSync } from 'node:crypto'
import { ALGORITHMS, type Algorithm } from '../../contracts/protocol/algorithms.ts'
import type { SigningKey } from '../../contracts/protocol/sign.ts'
import type { VerifyingKey } from '../../contracts/protocol/verify.ts'

/** A fresh pair for an algorithm, as signer and verifier hold it. */
export const keyPair = (algorithm: Algorithm, keyId = `key-${algorithm.curve}`): SigningKey & VerifyingKey => ({
  keyId,
  algorithm,
  ...generateKeyPairSync('ec', { namedCurve: algorithm.nodeCurve }),
})

/** One pair for every curve of 5.2. */
export const KEY_PAIRS = ALGORITHMS.map(algorithm => keyPair(algorithm))
