import { type KeyObject, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import type { Algorithm } from './algorithms.ts'

// Where the arithmetic of a curve runs. To hand it to a thread of the pool costs the event loop nearly as much as making
// a P-256 signature there, and a good part of verifying one; with the other curves it always pays.

const signOnThread = promisify(sign)
const verifyOnThread = promisify(verify)
let isLoopBusy = false

/** A signature in DER. */
export const signEcdsa = (algorithm: Algorithm, data: Buffer, key: KeyObject): Promise<Buffer> | Buffer =>
  isQuick(algorithm) ? sign(algorithm.hash, data, key) : signOnThread(algorithm.hash, data, key)

/** Whether a signature in DER is one of this key; only the first of each turn of the event loop stays on it. */
export const verifyEcdsa = (
  algorithm: Algorithm,
  data: Buffer,
  key: KeyObject,
  signature: Buffer,
): Promise<boolean> | boolean => {
  if (isLoopBusy || !isQuick(algorithm)) return verifyOnThread(algorithm.hash, data, key, signature)
  isLoopBusy = true
  setImmediate(() => {
    isLoopBusy = false
  })
  return verify(algorithm.hash, data, key, signature)
}

const isQuick = ({ curve }: Algorithm): boolean => curve === 'P-256'
