import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { Ids } from '../ids.ts'
import type { CapabilityOverrides, Supports } from '../payments/capabilities.ts'
import type { PlanRule } from '../payments/delivery-plan.ts'
import type { Mandate } from '../payments/mandate.ts'
import type { Arranged, BookedPosting, Change, Payment, PaymentEvent } from '../payments/payment.ts'
import type { Ask } from '../providers/asking.ts'
import type { Mock } from '../providers/mock.ts'
import type { BlikCode } from '../providers/provider.ts'
import type { Catalogue } from '../scenarios/catalogue.ts'
import type { Needs, PaymentsFound } from '../store/port.ts'

/** Settings that operations obey. */
export type Rules = {
  /** Milliseconds from a capture to its settlement (R4). */
  settleAfter: number
  /** Milliseconds that an IRIS request is valid: 5 to 30 minutes (R7). */
  irisValidity: number
  /** Whether status and events carry the fine-grained lifecycle (D-04). */
  showLifecycle: boolean
  /** The named outcomes that mocks and magic values ask for; production has none (1, 2.7). */
  scenarios: Catalogue
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
  /** What each method can do on each account (1, D-37). */
  supports: Supports
  blikCode: BlikCode | undefined
  /** The mandate that a charge names. */
  mandate: Mandate | undefined
  /** Asks the provider, last of all: only then can anything go wrong there (7.4). */
  ask: Ask
  /** Where a mock stands in for the provider, so that nobody is asked or sent anywhere (E3). */
  mocked: boolean
  /** Where a mock or scenario says what the provider answers to this very call. */
  scripted: boolean
  /** What a payment that begins takes along. */
  arranged: Arranged | undefined
  plan: readonly PlanRule[] | undefined
}

export type PaymentContext = Context & { payment: Payment; events: readonly PaymentEvent[] }

export type Decision = {
  /** JSON; a text goes out as it is. */
  answer: object | string
  /** Of what kind the text is. */
  contentType?: string
  change?: Change
  /** The code that this payment used up (R6). */
  usedCodeId?: string
  /** The mandate that this payment made (D-62). */
  mandate?: Mandate | undefined
  /** A mock that was set (2.7). */
  mock?: Mock
}

/** Decides on a call: pure, synchronous, no I/O; throws a Refusal where a rule forbids it. */
export type Operation<Request> = (request: Request, context: Context) => Decision

/** What a read across payments wants loaded, and what it makes of that. */
export type Reading<Request> = {
  needs(request: Request, context: Pick<Context, 'organizationId' | 'accountIds' | 'now'>): Needs
  decide(request: Request, context: ReadingContext): Decision
}

export type ReadingContext = Context & { found: PaymentsFound | undefined; postings: readonly BookedPosting[] }

/** Decides on a call about a payment that the store found for this organization. */
export type PaymentOperation<Request> = (request: Request, context: PaymentContext) => Decision

/** One call to an operation, after every layer has let it pass. */
export type OperationCall = {
  organizationId: string
  accountIds: readonly string[]
  capabilities: CapabilityOverrides
  operation: string
  request: {
    transactionId?: string
    processingAccountId?: string
    clientTransactionId?: string
    paymentDetails?: { amount?: number }
    payerDetails?: NamedPayer
    providerDetails?: { providerId?: ProviderId }
  }
  /** Idempotency-Key of a mutating call (I1). */
  key: string | undefined
  callId: string
  pagesUrl: string
}

type NamedPayer = { oneTimeCode?: string; payerId?: string; paymentToken?: string }

/** An operation and what it works on: nothing yet, a payment that must exist, or whatever a read finds. */
export type Registered =
  | { on: 'nothing'; decide: Operation<never>; mandate?: boolean }
  | { on: 'payment'; decide: PaymentOperation<never>; events?: boolean }
  | ({ on: 'payments' } & Reading<never>)
