import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { expect } from 'vitest'
import type { VerifyingKey } from '../../contracts/protocol/match-signature-dialect.ts'
import { algorithmOfKey } from '../../contracts/protocol/signature-algorithms.ts'
import { COVERED_COMPONENTS } from '../../contracts/protocol/signature-base.ts'
import { readSignatureInput } from '../../contracts/protocol/signature-input.ts'
import { verifyResponse } from '../../contracts/protocol/verify-response.ts'
import type { RawResponse } from './raw-http.ts'

export type VerifyingKeySet = ReadonlyMap<string, VerifyingKey>

const BOTH = { readings: ['rfc', 'literal'], encodings: ['der', 'raw'] } as const

/** Parses the response with the service's key set in a test into verifying keys by id. */
export const parseKeySet = (answer: RawResponse): VerifyingKeySet => {
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

/** Describes why the signature of a response in a test is not that of D-27, or does not verify (5.4); undefined if it does. */
export const signatureErrorOf = async (answer: RawResponse, keySet: VerifyingKeySet): Promise<string | undefined> => {
  const verdict = await verifyResponse(answer, keyId => keySet.get(keyId), BOTH)
  if (!verdict.ok) return verdict.message
  const { components } = readSignatureInput(answer.header('signature-input') ?? '')
  const { responseWithBody, responseWithoutBody } = COVERED_COMPONENTS
  const isWhole = components.join() === (answer.body.length > 0 ? responseWithBody : responseWithoutBody).join()
  return isWhole ? undefined : `the signature covers ${components}`
}

/** Body of an error response of the API in a test (D-08). */
export type ErrorBody = {
  status: string
  statusInfo: { reasonCode: string; message: string }
  callId: string
  fields?: Record<string, string>
}

/** Describes how an error response violates the error format of the contract (D-08); undefined if it conforms. */
export const errorBodyProblem = (answer: RawResponse): string | undefined => {
  if (answer.header('content-type') !== 'application/json') return `the type is ${answer.header('content-type')}`
  const { status, statusInfo, callId, fields, ...rest } = answer.json() as Partial<ErrorBody>
  if (status !== 'DECLINED') return `status is ${status}`
  if (!/^[1-9]\d{3}$/.test(statusInfo?.reasonCode ?? '')) return `reasonCode is ${statusInfo?.reasonCode}`
  if (!statusInfo?.message) return 'there is no message'
  if (!callId) return 'there is no callId'
  if (fields && !Object.values(fields).every(text => typeof text === 'string')) return 'fields holds more than texts'
  if (Object.keys(rest).length > 0) return `there is more: ${Object.keys(rest)}`
}

/** Returns the status and reason code of a response in a test, such as `400/4000`. */
export const statusAndCode = (answer: RawResponse): string =>
  `${answer.status}/${(answer.json() as Partial<ErrorBody>).statusInfo?.reasonCode}`

/**
 * Expects a test's API call to get a signed error with a status and reason code such as `400/4000`; returns its body.
 */
export const expectRefusal = async (
  answer: RawResponse,
  keySet: VerifyingKeySet,
  wanted: string,
): Promise<ErrorBody> => {
  expect(errorBodyProblem(answer)).toBeUndefined()
  const envelope = answer.json() as ErrorBody
  expect(statusAndCode(answer), envelope.statusInfo.message).toBe(wanted)
  expect(await signatureErrorOf(answer, keySet)).toBeUndefined()
  return envelope
}

/** Expects a test's API call to get a signed response with status 200; returns its body. */
export const expectServed = async (answer: RawResponse, keySet: VerifyingKeySet): Promise<Record<string, unknown>> => {
  expect(answer.status, answer.body.toString()).toBe(200)
  expect(await signatureErrorOf(answer, keySet)).toBeUndefined()
  return answer.json() as Record<string, unknown>
}
