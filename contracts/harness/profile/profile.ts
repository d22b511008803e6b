import type { SendOptions } from '../../client/send-signed-call.ts'
import type { OperationPaths } from '../../operations.ts'
import type { Capability } from './missing-capability-reason.ts'

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
  /** A processing account that is not this organization's. */
  foreignAccount?: string
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
  /** Request members, by operation: from the document's dotted names to JSON pointers of the deployment. */
  requests?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** JSON pointers to response members, by operation. */
  fields?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Enum values of the deployment, by member and by the document's value. */
  enums?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Whether a body holds a transaction id as text or as number; and an id of no payment, in the deployment's form. */
  ids?: { transactionId?: 'text' | 'number'; unknownTransactionId?: string }
  /** Statuses of a success, by operation; any 2xx where none is named. */
  success?: Readonly<Record<string, readonly number[]>>
  errors?: { reasonCode?: string; callId?: string; declined?: { at: string; words: readonly string[] } }
  states?: Readonly<Record<string, readonly string[]>>
  settlement?: { withinSeconds?: number }
  /** JSON pointers to the overrides of a step in the body of mock/set (2.7). */
  mocks?: { initiate?: string; finalize?: string }
  /**
   * Webhooks (6): `receiver` is the address of this command's receiver, port 0 picks a free one; `public` an address that
   * leads to it, such as a tunnel's; `command` prints what was delivered, as JSON lines; `secret` refers to the endpoint's.
   */
  webhooks?: { receiver?: string; public?: string; command?: string; secret?: string }
  /** The stable service version, which calls get that name no version (9). */
  serviceVersion?: string
  /** `holdSeconds`: life of an authorization without capture (R3); `pollSeconds`: least time between status calls. */
  limits?: { bodyBytes?: number; callsPerSecond?: number; holdSeconds?: number; pollSeconds?: number }
  /** Transcript file of an earlier run, whose response fields must still exist (9). */
  earlierRun?: string
  /** Capabilities by name: false for each that this deployment lacks. */
  capabilities?: Readonly<Partial<Record<Capability, boolean>>>
  notApplicable?: Readonly<Record<string, string>>
  /** Checks that are known to fail here, each with the reason or ticket. */
  knownFailures?: Readonly<Record<string, string>>
  /** Limits of a run: seconds in all, seconds per call, calls per second, payments, and the sum of amounts as sent. */
  budgets?: { seconds?: number; callSeconds?: number; callsPerSecond?: number; payments?: number; amount?: number }
  /** Lines that `scout` filled and nobody has confirmed, each with the checks that rest on the same evidence. */
  scouted?: Readonly<Record<string, readonly string[]>>
  confirmed?: 'all' | readonly string[]
}

/** What acts for shoppers: `codes` and `mock` by outcome; `browser` is a module, `command` a shell command. */
export type ShopperSource = {
  codes?: Partial<Record<'approve' | 'decline' | 'lapse', string>>
  browser?: string
  command?: string
  mock?: Partial<Record<'approve' | 'decline', string>>
  ask?: boolean
  /** Longest time that a shopper takes, in seconds. */
  withinSeconds?: number
}

export type SigningKeySource = { keyId: string; algorithm: string; privateKey: string }

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
