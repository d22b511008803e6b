import { hash } from 'node:crypto'
import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { canonicalJson } from '../../contracts/protocol/canonical-json.ts'
import type { Loaded, Reply, WriteSet } from '../store/unit-of-work.ts'
import { LIFETIMES } from '../support/lifetimes.ts'
import { Refusal } from '../support/refusal.ts'
import type { OperationCall } from './operation-types.ts'

/**
 * Finds the reply saved under a call's idempotency key, which a call that is carried out anew has not; refuses the key
 * with another payload or operation (I3, I4).
 */
export const findIdempotentReply = (call: OperationCall, { idempotentReply, lateCall }: Loaded): Reply | undefined => {
  const known = idempotentReply ?? (lateCall?.key === call.key ? lateCall : undefined)
  if (known && known.fingerprint !== fingerprintRequest(call))
    throw new Refusal(
      'KEY_REUSED',
      'operation',
      'This Idempotency-Key was used with another payload or operation: use a fresh key for every operation.',
    )
  return idempotentReply?.reply
}

/** Whether the response to a refused call is stored under its key (I3, D-22). */
export const isRemembered = ({ row }: Refusal, choices: DecisionChoices): boolean => {
  const remembered = { decided: row.remembered, successes: false, every: row.remembered || FOR_GOOD.includes(row.http) }
  return remembered[choices['D-22']]
}

/** Whether a refused call is to be repeated under its key, which takes no other payload then (7.4, I4, D-83). */
export const isToBeRepeated = ({ row }: Refusal): boolean => row.http >= 500 && !row.remembered

/** Statuses of an operation after which the same call need not be repeated (7.1). */
const FOR_GOOD: readonly number[] = [400, 403, 404]

/** Returns the key under which a call is stored: one for the whole organization unless chosen otherwise (D-19). */
export const scopedKey = ({ key, operation, request }: OperationCall, choices: DecisionChoices): string | undefined => {
  const scopes = { organization: '', operation: `${operation}:`, account: `${request.processingAccountId}:` }
  return key && `${scopes[choices['D-19']]}${key}`
}

/** Digests operation and request, to recognize replays; whitespace and member order are ignored (D-20). */
export const fingerprintRequest = ({ operation, request }: OperationCall): string =>
  hash('sha256', `${operation}\n${canonicalJson(request)}`, 'base64url')

/** Saves the reply, or the request alone, under the idempotency key of a call for 24 hours (I3, I4). */
export const savedReply = (
  call: OperationCall,
  reply: Reply | undefined,
  now: number,
): Pick<WriteSet, 'idempotentReply'> => {
  if (call.key === undefined) return {}
  const [fingerprint, expiresAt] = [fingerprintRequest(call), now + LIFETIMES.idempotencyKey]
  const kept = reply && { http: reply.http, body: reply.body }
  return { idempotentReply: { key: call.key, fingerprint, reply: kept, expiresAt } }
}

/** Marks a saved reply that takes the place of a request without a response under its key. */
export const replacingKey = ({ idempotentReply }: WriteSet, loaded: Loaded): Pick<WriteSet, 'idempotentReply'> =>
  idempotentReply && loaded.idempotentReply ? { idempotentReply: { ...idempotentReply, replaces: true } } : {}
