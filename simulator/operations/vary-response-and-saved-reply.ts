import type { Reply } from '../store/unit-of-work.ts'
import type { DecidedCall } from './decide-call.ts'

/** Conformant variation of one call (9). `shape` is deterministic: the same body always gets the same variation. */
export type ResponseVariation = {
  /** May refuse the call before it is decided (7.1: 423, 429). */
  hold(key: string | undefined): void
  /** Varies the JSON of a response body. */
  shape(body: string): string
}

/** Varies the response and the reply saved under the key alike, so that a replay repeats the original's bytes (I3). */
export const varyResponseAndSavedReply = (
  { executed, save }: DecidedCall,
  { shape }: ResponseVariation,
): DecidedCall => {
  const { idempotentReply } = save
  const inShape = <Kind extends Reply>(reply: Kind): Kind =>
    reply.contentType === undefined ? { ...reply, body: shape(reply.body), document: undefined } : reply
  return {
    executed: inShape(executed),
    save: idempotentReply?.reply
      ? { ...save, idempotentReply: { ...idempotentReply, reply: inShape(idempotentReply.reply) } }
      : save,
  }
}
