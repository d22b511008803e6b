import type { CodeView } from '../port.ts'

/** A code waits for a shop until it expires (R6); once a shop used it, the payment's outcome is all that counts. */
export function stageOf({ payment, now, rate, expiresAt }: CodeView) {
  if (payment)
    return { stage: payment.outcome, payment, now: payment.now, rate: payment.rate, expiresAt: payment.expiresAt }
  return { stage: now < expiresAt ? 'code' : 'code-expired', now, rate, expiresAt } as const
}

export type Stage = ReturnType<typeof stageOf>['stage']
