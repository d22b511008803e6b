import { hash } from 'node:crypto'
import { canonicalJson } from '../../contracts/protocol/canonical-json.ts'
import type { Loaded, Reply } from '../store/unit-of-work.ts'
import { Refusal } from '../support/refusal.ts'
import type { OperationCall } from './operation-types.ts'

/** Finds the reply saved under a call's idempotency key; refuses the key with another payload or operation (I3, I4). */
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

/** Digests operation and request, to recognize replays; whitespace and member order are ignored (D-20). */
export const fingerprintRequest = ({ operation, request }: OperationCall): string =>
  hash('sha256', `${operation}\n${canonicalJson(request)}`, 'base64url')
