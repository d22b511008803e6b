import { type KeyObject, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import type { Algorithm } from './signature-algorithms.ts'

// P-256 runs on the event loop: handing it to the thread pool costs nearly as much as signing, and a good part of
// verifying. The other curves always run on the thread pool.

const signOnThread = promisify(sign)
const verifyOnThread = promisify(verify)
let isLoopBusy = false

/** Makes an ECDSA signature in DER; synchronous for P-256. */
export const signEcdsa = (algorithm: Algorithm, data: Buffer, key: KeyObject): Promise<Buffer> | Buffer =>
  isQuick(algorithm) ? sign(algorithm.hash, data, key) : signOnThread(algorithm.hash, data, key)

/** Verifies an ECDSA signature in DER; the first P-256 one of each event-loop turn runs synchronously. */
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
