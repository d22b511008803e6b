import type { CodeView, ShopperView } from '../port.ts'

/** A code waits for a shop until it expires (R6); once a shop used it, all that counts is how the payment stands. */
export function stageOf({ payment, now, rate, expiresAt }: CodeView) {
  if (payment)
    return { stage: standOf(payment), payment, now: payment.now, rate: payment.rate, expiresAt: payment.expiresAt }
  return { stage: now < expiresAt ? 'code' : 'code-expired', now, rate, expiresAt } as const
}

/** A shopper who has said yes may have to wait for a slow bank. */
const standOf = ({ outcome, confirming }: ShopperView) =>
  outcome === 'waiting' && confirming ? ('confirming' as const) : outcome

export type Stage = ReturnType<typeof stageOf>['stage']
