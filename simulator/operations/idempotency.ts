import { hash } from 'node:crypto'
import { canonicalJson } from '../../contracts/protocol/canonical-json.ts'
import { Refusal } from '../refusal.ts'
import type { Loaded, Reply } from '../store/port.ts'
import type { OperationCall } from './operation.ts'

/** What the key of a call remembers; the same key with another payload or operation is a conflict (I3, I4). */
export const rememberedReply = (call: OperationCall, { remembered, late }: Loaded): Reply | undefined => {
  const known = remembered ?? (late?.key === call.key ? late : undefined)
  if (known && known.fingerprint !== fingerprintOf(call))
    throw new Refusal(
      'KEY_REUSED',
      'operation',
      'This Idempotency-Key was used with another payload or operation: use a fresh key for every operation.',
    )
  return remembered?.reply
}

/** Two payloads are the same when their JSON values are: spacing and member order do not matter (D-20). */
export const fingerprintOf = ({ operation, request }: OperationCall): string =>
  hash('sha256', `${operation}\n${canonicalJson(request)}`, 'base64url')
