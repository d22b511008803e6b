import type { SendOptions } from '../../client/send-signed-call.ts'
import type { OperationName, OperationPaths } from '../../operations.ts'
import type { ResponseDialect } from '../../protocol/match-signature-dialect.ts'
import type { DeclaredCapabilities } from './declared-capabilities.ts'

/** Profile of a deployment, as its operator writes it. `fields` say where to look, never what must hold. */
export type Profile = {
  /** Where the profile was read from, for messages and for paths in it. */
  file: string
  name: string
  target: { baseUrl: string; environment: 'sandbox' | 'production'; knownTransactionId?: string }
  organization: OrganizationSource
  secondOrganization?: OrganizationSource | { create: string }
  /** References to a client certificate that was trusted until it expired, and to its private key (5.5). */
  expiredIdentity?: { certificate: string; privateKey: string }
  /** References to a client certificate that the service has revoked, and to its private key (5.1). */
  revokedIdentity?: { certificate: string; privateKey: string }
  /** Signing keys of the organization that were deregistered, and that have expired (5.2). */
  revokedKey?: SigningKeySource
  expiredKey?: SigningKeySource
  /** Drivers that act for shoppers: test codes of BLIK, a script or command for the page, mock scenarios, a person. */
  shopper?: ShopperSource
  /** Longest time that a run really waits for one step, as an ISO 8601 duration. */
  patience?: string
  /** `token` is a reference to the bearer token of a protected control address. */
  control?: { url: string; token?: string }
  dialect?: SendOptions['dialect']
  paths?: OperationPaths
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
  settlement?: { withinSeconds?: number }
  /**
   * JSON pointers in the body of mock/set: to the overrides of a step (2.7), to what the provider answers at initiate (7.5), and
   * to the word by which a capture meets a fault (7.1).
   */
  mocks?: { initiate?: string; finalize?: string; providerCode?: string; faults?: MockedFaults }
  /**
   * Webhooks (6): `receiver` is the address of this command's receiver, port 0 picks a free one; `public` an address that
   * leads to it, such as a tunnel's; `command` prints what was delivered, as JSON lines; `signature` says how they are
   * signed; `secret` refers to the endpoint's.
   */
  webhooks?: {
    receiver?: string
    public?: string
    command?: string
    signature?: 'rfc9421' | 'hmac' | 'both'
    secret?: string
  }
  /** The stable service version, which calls get that name no version (9). */
  serviceVersion?: string
  /** `holdSeconds`: life of an authorization without capture (R3); `pollSeconds`: least time between status calls. */
  limits?: { bodyBytes?: number; callsPerSecond?: number; holdSeconds?: number; pollSeconds?: number }
  /** Transcript file of an earlier run, whose response fields must still exist (9). */
  earlierRun?: string
  /** The methods that are offered, and capabilities by name: false for each that this deployment lacks. */
  capabilities?: DeclaredCapabilities
  notApplicable?: Readonly<Record<string, string>>
  /** Checks that are known to fail here, each with the reason or ticket. */
  knownFailures?: Readonly<Record<string, string>>
  /** Limits of a run: seconds in all, seconds per call, calls per second, payments, and the sum of amounts as sent. */
  budgets?: { seconds?: number; callSeconds?: number; callsPerSecond?: number; payments?: number; amount?: number }
  /** Lines that `scout` filled and nobody has confirmed, each with the checks that rest on the same evidence. */
  scouted?: Readonly<Record<string, readonly string[]>>
  confirmed?: 'all' | readonly string[]
}

/** Faults of a capture that mock/set can cause: the word for each, which is written at the JSON pointer `at`. */
export type MockedFaults = { at: string } & Partial<Record<FaultName, string>>
/** A fault by its status (7.1): 500, 502, 504 of a capture that was carried out, 423, 429. */
export type FaultName = 'internal' | 'error' | 'timeout' | 'locked' | 'limited'

/** What acts for shoppers: `codes` and `mock` by outcome; `browser` is a module, `command` a shell command. */
type ShopperSource = {
  codes?: Partial<Record<'approve' | 'decline' | 'lapse', string>>
  browser?: string
  command?: string
  mock?: Partial<Record<'approve' | 'decline', string>>
  ask?: boolean
  /** Longest time that a shopper takes, in seconds. */
  withinSeconds?: number
}

type SigningKeySource = { keyId: string; algorithm: string; privateKey: string }

/** Values by operation; `all` applies to every operation. */
type ByOperation<Value> = Readonly<Partial<Record<OperationName | 'all', Value>>>

/**
 * Name of an operation of whose request the document (2.9, 4) shows no member but those without which it says nothing.
 */
export type OpenOperation = 'finalize' | 'capture' | 'cancel' | 'refund' | 'providers' | 'reports'

export type ResponseHeader = 'signature' | 'signatureInput' | 'contentDigest'

export type OrganizationSource =
  | { kit: string }
  | {
      id: string
      clientId?: string
      processingAccountIds: readonly string[]
      ca?: string
      certificate: string
      privateKey: string
      signingKeys: readonly SigningKeySource[]
    }
