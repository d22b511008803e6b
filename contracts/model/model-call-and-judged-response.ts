import type { OperationName } from '../operations.ts'
import type { ProviderId } from '../protocol/provider-codes.ts'
import type { TransactionType } from '../protocol/providers-and-capabilities.ts'

/** The organization that makes a call, or owns a payment. */
export type Party = 'first' | 'second'

/**
 * Values that a mock sets for the response of initiate (2.7), or that such a response shows: empty where it lacks a
 * member.
 */
export type Details = {
  providerTransactionId?: string
  redirectUrl?: string
  registeredAt?: string
  expiresAt?: string
  status?: string
}

/** A mock as mock/set takes it (2.7): which payments it is for, and what it does to their initiate. */
export type MockRequest = {
  account: string
  key: { type: 'PAYER_ID' | 'CLIENT_TRANSACTION_ID'; value: string }
  type: 'MOCK' | 'PASSTHROUGH'
  oneTime?: boolean
  /** The step that it has settings for; undefined: all of them by its scenario. */
  step?: 'initiate' | 'finalize'
  details: Details
}

/**
 * Name of the fault that the provider is to cause in a call of the model: a decline, a decline for a cause that may
 * pass, or a result that stays open (7.4): then the call is done, or not, or nobody can say.
 */
export type ProviderFault = 'decline' | 'passing' | 'locked' | 'done' | 'undone' | 'unclear'

/** A rule that a call breaks on purpose: how it must be refused, and by which clause. */
export type BrokenRule = {
  clause: string
  status: readonly number[]
  /** First digit of the reasonCode, as far as stated. */
  family?: string
  /** Whether a decline will do (7.5). */
  orDeclined?: boolean
  /** The decision without which the rule may as well be ignored. */
  openBy?: string
}

/** A call as the model sees it, with the interval in which it took place, in epoch milliseconds of the organization's clock. */
export type Call = {
  operation: OperationName
  by: Party
  sentAt: number
  receivedAt: number
  /** The Idempotency-Key; undefined where it is missing. */
  key?: string
  /** The body as canonical JSON, by which I3 and I4 tell payloads apart. */
  payload: string
  account: string
  /** Name of the payment that the call begins or is about. */
  payment?: string
  reference?: string
  method?: ProviderId
  type?: TransactionType
  autoCapture?: boolean
  amount?: number
  payer?: string
  /** The payment whose payment token a charge names. */
  tokenOf?: string
  /** Name of the one-time code of an initiate, '' for one that never was; undefined where nothing is known of it. */
  code?: string
  /** The earliest that a code which the call brings along was made, in milliseconds. */
  codeMadeAt?: number
  mock?: MockRequest
  fault?: ProviderFault
  broken?: BrokenRule
}

/** A response as far as the model judges it. A member that the deployment does not show is undefined and not judged. */
export type JudgedResponse = {
  /** HTTP status; 0 where no response came. */
  http: number
  code?: string
  declined?: boolean
  transactionId?: string
  /** Lifecycle categories that the status of the payment may stand for. */
  stages?: readonly string[]
  captured?: number
  refunded?: number
  /** The events of the payment, each as text. */
  history?: readonly string[]
  /** Ids that a search found. */
  found?: readonly string[]
  details?: Details
  json?: unknown
}
