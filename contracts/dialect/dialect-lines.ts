import type { OperationName, OperationPaths } from '../operations.ts'
import type { ResponseDialect } from '../protocol/match-signature-dialect.ts'
import type { SigningOptions } from '../protocol/sign-messages.ts'
import type { DecisionChoices } from './decision-choices.ts'
import type { Naming } from './member-naming.ts'

/** Lines of a profile that say how a deployment spells its messages, and what it does where the document is silent. */
export type DialectLines = {
  name?: string
  dialect?: Omit<SigningOptions, 'created'>
  paths?: OperationPaths
  /** Path of `target.baseUrl`, in front of every other; missing where it has none. */
  basePath?: string
  /** Names of response headers that differ from those of RFC 9421 and RFC 9530 (5.4). */
  headers?: Partial<Record<ResponseHeader, string>>
  /** How responses and webhooks are signed; any of the known ways where a line is missing (5.4, C7). */
  responses?: ResponseDialect
  /** `protected`: the key set is served behind certificate, token and signature only (4). */
  keySet?: { protected?: boolean }
  /** Request members, by operation: from the document's dotted names to JSON pointers of the deployment. */
  requests?: ByOperation<Readonly<Record<string, string>>> & {
    /** Constants that a request has unless a check sets them, by operation and JSON pointer. */
    always?: ByOperation<Readonly<Record<string, unknown>>>
    /** Members of ours, by dotted name, that requests of an operation do not have here. */
    without?: Readonly<Partial<Record<OpenOperation, readonly string[]>>>
  }
  /** How members without a line of their own are named. */
  naming?: Naming
  /**
   * Response members, by operation, `webhook` and `refusal`: from the document's dotted names to JSON pointers below the place
   * of the empty name, which is the envelope of the response. Members of a list are named from its items.
   */
  members?: Readonly<Partial<Record<MessageName | 'all', Readonly<Record<string, string>>>>>
  /** Forms of values that differ from the document's: amounts, times and reason codes. */
  forms?: { amounts?: AmountForm; times?: TimeForm; reasonCodes?: 'text' | 'number' }
  /** JSON pointers to response members, by operation. */
  fields?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Enum values of the deployment, by member and by the document's value. */
  enums?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Whether a body holds a transaction id as text or as number; and an id of no payment, in the deployment's form. */
  ids?: { transactionId?: 'text' | 'number'; unknownTransactionId?: string }
  /** Statuses of a success, by operation; any 2xx where none is named. */
  success?: Readonly<Record<string, readonly number[]>>
  /** Places in refusals, and what marks a decline in a success; several places of the code where refusals have several forms (7). */
  errors?: {
    reasonCode?: string | readonly string[]
    callId?: string
    declined?: { at: string; words: readonly string[] }
  }
  /** The words of each stage. One word may stand for several stages: then sums tell them apart, if fields.status has any. */
  states?: Readonly<Record<string, readonly string[]>>
  /**
   * JSON pointers in the body of mock/set: to the overrides of a step (2.7), to what the provider answers at initiate (7.5), and
   * to the word by which a capture meets a fault (7.1).
   */
  mocks?: { initiate?: string; finalize?: string; providerCode?: string; faults?: MockedFaults }
  /** How webhooks are signed: by the service's key, by the endpoint's secret, or both (6, D-100). */
  webhooks?: { signature?: 'rfc9421' | 'hmac' | 'both' }
  /** `holdSeconds`: life of an authorization without capture (R3); `consentSeconds`: of a consent without finalize, 0 for no end; `pollSeconds`: least time between status calls. */
  limits?: {
    bodyBytes?: number
    callsPerSecond?: number
    holdSeconds?: number
    consentSeconds?: number
    pollSeconds?: number
  }
  /** What this deployment does where the document is silent, by decision; each counts as confirmed. */
  decisions?: Partial<DecisionChoices>
}

/** Names of the profile lines that make a deployment's dialect. */
export const DIALECT_LINES = [
  'name',
  'dialect',
  'paths',
  'headers',
  'responses',
  'keySet',
  'requests',
  'naming',
  'members',
  'forms',
  'fields',
  'enums',
  'ids',
  'success',
  'errors',
  'states',
  'mocks',
  'webhooks',
  'limits',
  'decisions',
] as const satisfies readonly (keyof DialectLines)[]

/** Name of a message that a service sends: the response of an operation, a webhook, a refusal. */
export type MessageName = OperationName | 'webhook' | 'refusal'

/** Form of amounts in a dialect: minor or major units, as number or as text. */
export type AmountForm = 'minor' | 'minor-text' | 'major' | 'major-text'
/** Form of times in a dialect: ISO 8601, or UNIX time in seconds or milliseconds. */
export type TimeForm = 'iso' | 'epoch' | 'epoch-ms'

/**
 * Profile lines on the faults of a capture that mock/set can cause: the word for each, which is written at the JSON
 * pointer `at`.
 */
export type MockedFaults = { at: string } & Partial<Record<FaultName, string>>
/** Name of a fault of a capture by its status (7.1): 500, 502, 504 of a capture that was carried out, 423, 429. */
export type FaultName = 'internal' | 'error' | 'timeout' | 'locked' | 'limited'

/** Values by operation; `all` applies to every operation. */
type ByOperation<Value> = Readonly<Partial<Record<OperationName | 'all', Value>>>

/**
 * Name of an operation whose request members the document (2.9, 4) does not show, but for those without which it says
 * nothing.
 */
export type OpenOperation = 'finalize' | 'capture' | 'cancel' | 'refund' | 'providers' | 'reports'

export type ResponseHeader = 'signature' | 'signatureInput' | 'contentDigest'
