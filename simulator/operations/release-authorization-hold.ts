import { applyTransition, noProblem } from '../payments/apply-transition.ts'
import type { Outcome } from '../payments/lifecycle.ts'
import type { Payment, PaymentChange } from '../payments/payment.ts'
import { disputeDeadline } from './disputes.ts'

/** Ends an authorization hold; of a partially captured payment only the remainder (R3, D-33). */
export const releaseHold = (change: PaymentChange, at: number): PaymentChange => {
  const outcome = outcomeOf(change.payment)
  const statusInfo =
    outcome === 'lapsed'
      ? { reasonCode: '2000', message: 'The authorization expired' }
      : noProblem('The rest of the authorization was released')
  const deadlines = outcome === 'settled' ? disputeDeadline(change.payment, at) : []
  return applyTransition(change, { cause: 'hold', outcome, at, statusInfo, deadlines })
}

const outcomeOf = ({ captured, settled, refunded }: Payment): Outcome => {
  if (captured === 0) return 'lapsed'
  if (settled < captured) return 'unsettled'
  if (refunded === 0) return 'settled'
  return refunded < settled ? 'partial' : 'full'
}
