import type { DialectLines } from '../../dialect/dialect-lines.ts'
import type { DeclaredCapabilities } from './capabilities-that-checks-need.ts'

/** Profile of a deployment, as its operator writes it. `fields` say where to look, never what must hold. */
export type Profile = DialectLines & {
  /** Where the profile was read from, for messages and for paths in it. */
  file: string
  /** The options of the command that override lines of the file, for messages. */
  overridden?: readonly ('base-url' | 'kit')[]
  name: string
  target: { baseUrl: string; environment: 'sandbox' | 'production'; knownTransactionId?: string; returnUrl?: string }
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
  settlement?: { withinSeconds?: number }
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
