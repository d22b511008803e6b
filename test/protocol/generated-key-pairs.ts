import { generateKeyPairSync } from 'node:crypto'
import type { VerifyingKey } from '../../contracts/protocol/match-signature-dialect.ts'
import type { SigningKey } from '../../contracts/protocol/sign-messages.ts'
import { ALGORITHMS, type Algorithm } from '../../contracts/protocol/signature-algorithms.ts'

/** Generates a key pair for an algorithm in a protocol test, usable for signing and verifying. */
export const keyPair = (algorithm: Algorithm, keyId = `key-${algorithm.curve}`): SigningKey & VerifyingKey => ({
  keyId,
  algorithm,
  ...generateKeyPairSync('ec', { namedCurve: algorithm.nodeCurve }),
})

/** One generated key pair per algorithm of 5.2, for protocol tests. */
export const KEY_PAIRS = ALGORITHMS.map(algorithm => keyPair(algorithm))
