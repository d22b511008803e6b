import type { ReportForm } from '../../contracts/dialect/csv-report-form.ts'
import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import type { OperationName } from '../../contracts/operations.ts'
import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { CapabilityCheck, CapabilityOverrides } from '../payments/capability-check.ts'
import type { DeliveryRule } from '../payments/delivery-plan-rule.ts'
import type { Mandate } from '../payments/mandate.ts'
import type { Payment, PaymentChange, PaymentEvent, ScriptedOutcome, StoredLedgerEntry } from '../payments/payment.ts'
import type { ProviderCall } from '../providers/call-provider-with-faults.ts'
import type { BlikCode } from '../providers/issued-blik-code.ts'
import type { Mock } from '../providers/provider-mock.ts'
import type { ScenarioCatalogue } from '../scenarios/scenario-catalogue.ts'
import type { PaymentPage, ReadSet } from '../store/unit-of-work.ts'
import type { Ids } from '../support/ids.ts'

/** Configuration of the payment operations: settlement time, IRIS validity, lifecycle fields, scenarios. */
export type OperationRules = {
  /** Milliseconds from a capture to its settlement (R4). */
  settleAfter: number
  /** Validity of an IRIS request in milliseconds: 5 to 30 minutes (R7). */
  irisValidity: number
  /** Milliseconds from an authorization to its expiry (R3, D-33). */
  holdFor: number
  /** Milliseconds from a consent to the expiry of a payment that nobody finalizes; 0 for no limit (D-118). */
  consentFor: number
  /** Whether status and events carry the fine-grained lifecycle (D-04). */
  showLifecycle: boolean
  /** Scenarios that mocks and magic values select; empty in production (1, 2.7). */
  scenarios: ScenarioCatalogue
  /** Whether ids of payments, captures and refunds fit into 52 bits, as they are numbers on the wire. */
  numericIds?: boolean
  /** Whether every response about a payment tells its state, as the deployment has one word for status and state. */
  stateInResponses?: boolean
  /** Whether status tells the sums captured and refunded, which the document leaves to events (D-51). */
  sumsInStatus?: boolean
  /** How the files of reports are written. */
  reportForm: ReportForm
  /** What the deployment does where the document is silent, by decision. */
  choices: DecisionChoices
}

/** Rules on which the effect of a passed deadline depends, beside the payment. */
export type DeadlineRules = OperationRules & { ids: Pick<Ids, 'uuid'> }

/** A function that returns the rules of an organization's operations, which follow its dialect. */
export type RulesOf = (organizationId: string) => OperationRules

/** Context of an operation's decision: loaded records, configuration, time and the provider. */
export type OperationContext = {
  organizationId: string
  /** Epoch milliseconds on the organization's clock. */
  now: number
  ids: Ids
  rules: OperationRules
  /** Base URL of the shopper pages, without a trailing slash. */
  pagesUrl: string
  /** The caller's trace, which a new payment stores. */
  traceparent: string | undefined
  accountIds: readonly string[]
  /** Whether a payment method has a capability on an account (1, D-37). */
  supports: CapabilityCheck
  blikCode: BlikCode | undefined
  /** The mandate that a charge names. */
  mandate: Mandate | undefined
  /** Calls the provider; an operation does so after all its own checks, as only this can trigger a fault (7.4). */
  callProvider: ProviderCall
  /** Whether a MOCK replaces the provider, so that no shopper is asked or redirected (E3). */
  mocked: boolean
  /** Whether a mock or scenario scripts the provider's response to this call. */
  scripted: boolean
  /** Scripted outcome that a new payment stores. */
  arranged: ScriptedOutcome | undefined
  plan: readonly DeliveryRule[] | undefined
}

export type PaymentOperationContext = OperationContext & { payment: Payment; events: readonly PaymentEvent[] }

export type Decision = {
  /** Response body: an object becomes JSON, a text is sent as it is. */
  answer: object | string
  /** Content type of a text. */
  contentType?: string
  /** Name under which a text is saved. */
  fileName?: string
  change?: PaymentChange
  /** The BLIK code that this payment used (R6). */
  usedCodeId?: string
  /** The mandate that this payment created (D-62). */
  mandate?: Mandate | undefined
  /** A mock that was set (2.7). */
  mock?: Mock
}

/**
 * Function that decides a call of an operation that is about no existing payment, such as mock/set: pure, synchronous, no
 * I/O; throws a Refusal if not allowed.
 */
export type Operation<Request> = (request: Request, context: OperationContext) => Decision

/** An operation that reads across payments, such as search and reports: its read set and its decision. */
export type QueryOperation<Request> = {
  needs(request: Request, context: QueryNeeds): ReadSet
  decide(request: Request, context: QueryContext): Decision
}

/** What an operation knows when it selects what it reads. */
type QueryNeeds = Pick<OperationContext, 'organizationId' | 'accountIds' | 'now'> & {
  rules: Pick<OperationRules, 'choices'>
}

export type QueryContext = OperationContext & {
  found: PaymentPage | undefined
  ledgerEntries: readonly StoredLedgerEntry[]
}

/** An operation on an existing payment of the caller's organization. */
export type PaymentOperation<Request> = (request: Request, context: PaymentOperationContext) => Decision

/** One API call to an operation, after it has passed every layer. */
export type OperationCall = {
  organizationId: string
  accountIds: readonly string[]
  capabilities: CapabilityOverrides
  operation: OperationName
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
  /** The caller's trace, a valid `traceparent` header. */
  traceparent?: string | undefined
  pagesUrl: string
}

type NamedPayer = { oneTimeCode?: string; payerId?: string; paymentToken?: string }

/** An operation and what it works on: no payment, one payment that must exist, or the payments that a query finds. */
export type OperationDefinition =
  | { on: 'nothing'; decide: Operation<never>; mandate?: boolean }
  | { on: 'payment'; decide: PaymentOperation<never>; events?: boolean }
  | ({ on: 'payments' } & QueryOperation<never>)
