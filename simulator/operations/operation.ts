import type { Ids } from '../ids.ts'
import type { Change, Payment, PaymentEvent } from '../payments/payment.ts'
import type { BlikCode } from '../providers/provider.ts'

/** Settings that operations obey. */
export type Rules = {
  /** Milliseconds from a capture to its settlement (R4). */
  settleAfter: number
  /** Whether status and events carry the fine-grained lifecycle (D-04). */
  showLifecycle: boolean
}

/** What the store loaded for a call, and the world around it at that instant. */
export type Context = {
  organizationId: string
  /** Epoch milliseconds on the organization's clock. */
  now: number
  ids: Ids
  rules: Rules
  /** Where shoppers find the pages: no slash at the end. */
  pagesUrl: string
  accountIds: readonly string[]
  blikCode: BlikCode | undefined
}

export type PaymentContext = Context & { payment: Payment; events: readonly PaymentEvent[] }

export type Decision = {
  answer: object
  change?: Change
  /** The code that this payment used up (R6). */
  usedCodeId?: string
}

/** Decides on a call: pure, synchronous, no I/O; throws a Refusal where a rule forbids it. */
export type Operation<Request> = (request: Request, context: Context) => Decision

/** Decides on a call about a payment that the store found for this organization. */
export type PaymentOperation<Request> = (request: Request, context: PaymentContext) => Decision
