import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { expect } from 'vitest'
import { algorithmOfKey } from '../../contracts/protocol/algorithms.ts'
import type { VerifyingKey } from '../../contracts/protocol/verify.ts'
import { verifyAnswer } from '../../contracts/protocol/verify-answer.ts'
import type { Answer } from './talk.ts'

export type KeySet = ReadonlyMap<string, VerifyingKey>

const BOTH = { readings: ['rfc', 'literal'], encodings: ['der', 'raw'] } as const

/** The keys of a key set by their id. */
export const keySetFrom = (answer: Answer): KeySet => {
  const { keys } = answer.json() as { keys: (JsonWebKey & { kid: string })[] }
  return new Map(
    keys.map(key => {
      const publicKey = createPublicKey({ key, format: 'jwk' })
      const algorithm = algorithmOfKey(publicKey)
      if (!algorithm) throw new Error(`The key ${key.kid} is of no algorithm of 5.2.`)
      return [key.kid, { keyId: key.kid, algorithm, publicKey }]
    }),
  )
}

/** What is wrong with the signature of an answer (5.4), or undefined. */
export const signatureFaultOf = async (answer: Answer, keySet: KeySet): Promise<string | undefined> => {
  const verdict = await verifyAnswer(answer, keyId => keySet.get(keyId), BOTH)
  return verdict.ok ? undefined : verdict.message
}

/** The body of a refusal. */
export type Envelope = {
  status: string
  statusInfo: { reasonCode: string; message: string }
  callId: string
  fields?: Record<string, string>
}

/** What is wrong with an answer as a refusal of the contract (D-08), or undefined. */
export const envelopeFaultOf = (answer: Answer): string | undefined => {
  if (answer.header('content-type') !== 'application/json') return `the type is ${answer.header('content-type')}`
  const { status, statusInfo, callId, fields, ...rest } = answer.json() as Partial<Envelope>
  if (status !== 'DECLINED') return `status is ${status}`
  if (!/^[1-9]\d{3}$/.test(statusInfo?.reasonCode ?? '')) return `reasonCode is ${statusInfo?.reasonCode}`
  if (!statusInfo?.message) return 'there is no message'
  if (!callId) return 'there is no callId'
  if (fields && !Object.values(fields).every(text => typeof text === 'string')) return 'fields holds more than texts'
  if (Object.keys(rest).length > 0) return `there is more: ${Object.keys(rest)}`
}

/** Status and reason code of an answer, such as `400/4000`. */
export const codeOf = (answer: Answer): string =>
  `${answer.status}/${(answer.json() as Partial<Envelope>).statusInfo?.reasonCode}`

/** Expects `400/4000` and the like: the envelope with this status and code, properly signed; gives it back. */
export const expectRefusal = async (answer: Answer, keySet: KeySet, wanted: string): Promise<Envelope> => {
  expect(envelopeFaultOf(answer)).toBeUndefined()
  const envelope = answer.json() as Envelope
  expect(codeOf(answer), envelope.statusInfo.message).toBe(wanted)
  expect(await signatureFaultOf(answer, keySet)).toBeUndefined()
  return envelope
}

/** Expects a served and signed call; gives its body back. */
export const expectServed = async (answer: Answer, keySet: KeySet): Promise<Record<string, unknown>> => {
  expect(answer.status, answer.body.toString()).toBe(200)
  expect(await signatureFaultOf(answer, keySet)).toBeUndefined()
  return answer.json() as Record<string, unknown>
}
