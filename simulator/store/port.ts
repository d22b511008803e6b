import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { ClockSetting } from '../clock.ts'
import type { AccountOverrides, CapabilityOverrides } from '../payments/capabilities.ts'
import type { Mandate } from '../payments/mandate.ts'
import type { BookedPosting, Change, Deadline, Payment, PaymentEvent } from '../payments/payment.ts'
import type { Phone } from '../providers/blik-banks.ts'
import type { Fault, ProviderCall } from '../providers/faults.ts'
import type { Mock } from '../providers/mock.ts'
import type { BlikCode } from '../providers/provider.ts'
import type { Listeners, Told } from '../webhooks/notification.ts'
import type { Deed, DeedStore } from './deeds-port.ts'
import type { CertificateRecord, IdentityStore, SigningKeyRecord } from './identities-port.ts'
import type { LifeStore } from './lives-port.ts'
import type { ReplicaStore } from './replicas-port.ts'
import type { RetentionStore } from './retention-port.ts'
import type { WebhookStore } from './webhooks-port.ts'

export type { Coming, Deed } from './deeds-port.ts'
export type { CertificateRecord, Registered, SigningKeyRecord } from './identities-port.ts'
export type { Cell, Life, SnapshotRecord, TableRows } from './lives-port.ts'
export type { News, ReplicaStore } from './replicas-port.ts'

/** An answer as it was given: kept byte for byte, so that a replay is the original (I3). */
export type Reply = { http: number; body: string /** JSON where absent. */; contentType?: string | undefined }

export type Remembered = { fingerprint: string; reply: Reply }

/** What a unit of work wants to see before it decides; every look-up stays inside the organization. */
export type Needs = {
  transactionId?: string | undefined
  blikCode?: string | undefined
  key?: string | undefined
  events?: boolean
  mandate?: NamedMandate | undefined
  payments?: PaymentQuery | undefined
  postings?: PostingsWanted | undefined
  /** The call for which faults may wait, and which a late answer under this key or on this payment locks out. */
  providerCall?: string | undefined
  /** By whom mocks may be meant for the call, beside the payment's own payer and reference (2.7). */
  named?: { payerId?: string | undefined; clientTransactionId?: string | undefined } | undefined
  /** Who is to be told of what changes, and how. */
  listeners?: boolean
}

/** What payments are searched by: every member narrows; bounds are included, times in epoch milliseconds. */
export type PaymentQuery = {
  accountId?: string | undefined
  clientTransactionId?: string | undefined
  payerId?: string | undefined
  providerId?: string | undefined
  status?: string | undefined
  amountFrom?: number | undefined
  amountTo?: number | undefined
  createdFrom?: number | undefined
  createdTo?: number | undefined
  limit: number
  /** The transactionId at which the page before ended. */
  after?: string | undefined
}

/** How many payments one page may look through for criteria that no index serves: what keeps its time flat. */
export const LOOKED_THROUGH = 5_000

/** A page, newest first; with `next` there may be more behind it, even where this one is not full. */
export type PaymentsFound = { payments: readonly Payment[]; next: string | undefined }

/** Postings of these accounts from an instant up to, not including, another. */
export type PostingsWanted = { accountIds: readonly string[]; from: number; to: number }

/** A mandate of one account and provider by its token; without one, the newest of a payer's that is valid now (D-63). */
export type NamedMandate = {
  processingAccountId: string
  providerId: ProviderId | undefined
  payerId: string | undefined
  paymentToken: string | undefined
}

export type Loaded = {
  payment: Payment | undefined
  /** Only where asked for. */
  events: readonly PaymentEvent[]
  blikCode: BlikCode | undefined
  remembered: Remembered | undefined
  mandate: Mandate | undefined
  /** Undefined where not asked for, and where `after` names no payment of the organization. */
  found: PaymentsFound | undefined
  /** Account by account, each in order of time; empty where not asked for. */
  postings: readonly BookedPosting[]
  /** Armed for the call, oldest first; empty where not asked for. */
  faults: readonly Fault[]
  /** How many calls under this key have met a fault of their step. */
  faultsMet: number
  /** Those that may be meant for the call, and a few of the others, newest first; empty where not asked for. */
  mocks: readonly Mock[]
  /** What the provider has yet to do, under this key or on this payment. */
  late: LateCall | undefined
  /** Only where asked for. */
  listeners: Listeners | undefined
}

/** A call that the provider will carry out at `dueAt`, and its answer to be kept under the key (7.4). */
export type LateCall = {
  key: string
  fingerprint: string
  transactionId: string | undefined
  dueAt: number
  /** The call as JSON: the operations' own. */
  call: string
}

/** What a unit of work leaves behind; all of it or nothing. */
export type Save = {
  change?: Change | undefined
  usedCodeId?: string | undefined
  mandate?: Mandate | undefined
  remember?: (Remembered & { key: string; expiresAt: number }) | undefined
  finishedJobId?: number | undefined
  /** The fault that a call met: one call fewer is to meet it. */
  spentFaultId?: number | undefined
  late?: LateCall | undefined
  /** Takes the place of what was set for the same account and key. */
  mock?: Mock | undefined
  /** The step that has now used up a oneTime mock (2.7). */
  usedMock?: { mockId: number; step: ProviderCall } | undefined
  /** The fault of a step was met under this key, so many times by now. */
  faultMet?: { key: string; met: number; expiresAt: number } | undefined
  /** What merchants are told of the change. */
  told?: Told | undefined
  /** The press of a button by which somebody brought it about. */
  deed?: Deed | undefined
}

export type Unit<Result> = {
  organizationId: string
  now: number
  needs: Needs
  /** Synchronous and free of I/O: it may run inside a database transaction. */
  decide(loaded: Loaded): { result: Result; save?: Save }
}

export type Job = { jobId: number } & (
  | (Deadline & { transactionId: string })
  | { name: 'late-answer'; dueAt: number; late: LateCall }
)

export type Organization = {
  organizationId: string
  accountIds: readonly string[]
  clock: ClockSetting
  kit: string
  /** What methods can do otherwise on some of the accounts. */
  capabilities: CapabilityOverrides
}
export type NewOrganization = Omit<Organization, 'capabilities'> & {
  certificates: readonly CertificateRecord[]
  signingKeys: readonly SigningKeyRecord[]
}

/** Some of many: those whose id has the text in it, in the order in which they came, from a place on. */
export type OrganizationsWanted = { text: string; from: number; limit: number }
/** `fitting` have the text in their id, whether they are among those found or not. */
export type OrganizationsFound = { found: readonly Organization[]; fitting: number; all: number }

/**
 * The narrow port behind which every adapter keeps the same promises: a unit of work is atomic, units of one payment
 * and of one idempotency key never overlap, and what was acknowledged is there after a crash.
 */
export type Store = WebhookStore &
  IdentityStore &
  LifeStore &
  RetentionStore &
  DeedStore & {
    /** Where others work on the same records at the same time; absent where this process has them for itself. */
    replicas?: ReplicaStore

    perform<Result>(unit: Unit<Result>): Promise<Result>

    /** The earliest due time among an organization's jobs. */
    nextDue(organizationId: string): Promise<number | undefined>
    /** The first job due at or before this instant: by due time, then in the order of saving. */
    dueJob(organizationId: string, now: number): Promise<Job | undefined>

    addOrganization(organization: NewOrganization): Promise<void>
    organizations(): Promise<readonly Organization[]>
    findOrganizations(wanted: OrganizationsWanted): Promise<OrganizationsFound>
    organization(organizationId: string): Promise<Organization | undefined>
    setClock(organizationId: string, clock: ClockSetting): Promise<void>
    setKit(organizationId: string, kit: string): Promise<void>
    /** Replaces what stood for the account. */
    setCapabilities(organizationId: string, accountId: string, overrides: AccountOverrides): Promise<void>

    addPhone(organizationId: string, phone: Phone): Promise<void>
    phone(organizationId: string, phoneId: string): Promise<Phone | undefined>
    addBlikCode(organizationId: string, code: BlikCode): Promise<void>
    /** A code that is still shown to somebody: used or not, until it expires. */
    liveBlikCode(organizationId: string, code: string, now: number): Promise<BlikCode | undefined>
    blikCodeById(organizationId: string, codeId: string): Promise<BlikCode | undefined>
    /** Newest first, at most so many. */
    mandates(organizationId: string, limit: number): Promise<readonly Mandate[]>
    /** What one phone keeps, newest first. */
    mandatesOfPhone(organizationId: string, phoneId: string): Promise<readonly Mandate[]>
    /** The mandate as it is afterwards: revoking twice keeps the first time. */
    revokeMandate(organizationId: string, paymentToken: string, at: number): Promise<Mandate | undefined>
    paymentByRedirect(redirectId: string): Promise<Payment | undefined>

    addFault(organizationId: string, fault: Omit<Fault, 'faultId'>): Promise<Fault>
    /** Those still to be met, oldest first. */
    faults(organizationId: string): Promise<readonly Fault[]>
    /** Disarms all of them; how many there were. */
    clearFaults(organizationId: string): Promise<number>
    /** Those that still hold at this instant, newest first. */
    mocks(organizationId: string, now: number): Promise<readonly Mock[]>

    /** Small texts of the service itself: its authority, its keys. Undefined until written. */
    setting(name: string): Promise<string | undefined>
    saveSetting(name: string, value: string): Promise<void>

    close(): Promise<void>
  }
