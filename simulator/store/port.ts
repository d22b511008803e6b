import type { AlgorithmName } from '../../contracts/protocol/algorithms.ts'
import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { ClockSetting } from '../clock.ts'
import type { AccountOverrides, CapabilityOverrides } from '../payments/capabilities.ts'
import type { Mandate } from '../payments/mandate.ts'
import type { BookedPosting, Change, Deadline, Payment, PaymentEvent } from '../payments/payment.ts'
import type { Fault, ProviderCall } from '../providers/faults.ts'
import type { Mock } from '../providers/mock.ts'
import type { BlikCode } from '../providers/provider.ts'
import type { Listeners, Told } from '../webhooks/notification.ts'
import type { WebhookStore } from './webhooks-port.ts'

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
export type SigningKeyRecord = {
  keyId: string
  organizationId: string
  algorithm: AlgorithmName
  /** PEM, one spelling for one key, so that equal keys are equal texts. */
  publicKey: string
  /** On the organization's clock, as are the other two. */
  registeredAt: number
  expiresAt: number
  deregisteredAt?: number
}
export type CertificateRecord = {
  fingerprint: string
  organizationId: string
  pem: string
  /** The key that it certifies, spelled as in a signing key. */
  publicKey: string
  /** In real time, as certificates are. */
  registeredAt: number
  revokedAt?: number
}
/** What became of a key or certificate: saved, there before, or at odds with 5.1, because its key has the other purpose. */
export type Registered = 'saved' | 'known' | 'other-purpose'
export type Cell = string | number | null
export type TableRows = { columns: readonly string[]; rows: readonly (readonly Cell[])[] }
/** All that happened to an organization, as the adapter keeps it: rows by table, without keys of the adapter's own. */
export type Life = { tables: Readonly<Record<string, TableRows>>; capabilities: CapabilityOverrides }
/** A life that was put by; `takenAt` is on the organization's clock, `document` the operator's own JSON. */
export type SnapshotRecord = { name: string; takenAt: number; document: string }
export type NewOrganization = Omit<Organization, 'capabilities'> & {
  certificates: readonly CertificateRecord[]
  signingKeys: readonly SigningKeyRecord[]
}

/**
 * The narrow port behind which every adapter keeps the same promises: a unit of work is atomic, units of one payment
 * and of one idempotency key never overlap, and what was acknowledged is there after a crash.
 */
export type Store = WebhookStore & {
  perform<Result>(unit: Unit<Result>): Promise<Result>

  /** The earliest due time among an organization's jobs. */
  nextDue(organizationId: string): Promise<number | undefined>
  /** The first job due at or before this instant: by due time, then in the order of saving. */
  dueJob(organizationId: string, now: number): Promise<Job | undefined>

  addOrganization(organization: NewOrganization): Promise<void>
  organizations(): Promise<readonly Organization[]>
  organization(organizationId: string): Promise<Organization | undefined>
  setClock(organizationId: string, clock: ClockSetting): Promise<void>
  /** Replaces what stood for the account. */
  setCapabilities(organizationId: string, accountId: string, overrides: AccountOverrides): Promise<void>

  /** Undoes all that happened to an organization, its clock too; who it is stays, and what it has put by. */
  resetOrganization(organizationId: string): Promise<void>
  /** False where there is none. */
  removeOrganization(organizationId: string): Promise<boolean>
  life(organizationId: string): Promise<Life>
  /** Why a life that came from elsewhere cannot be this organization's, if it cannot. */
  unfitLife(organizationId: string, life: Life): Promise<string | undefined>
  /** Puts another life and clock in the place of the present ones; false, and nothing changes, where another organization has some of it. */
  replaceLife(organizationId: string, life: Life, clock: ClockSetting): Promise<boolean>
  /** Takes the place of one of the same name; true where there was one. */
  saveSnapshot(organizationId: string, snapshot: SnapshotRecord): Promise<boolean>
  /** Newest first, without their documents. */
  snapshots(organizationId: string): Promise<readonly (Omit<SnapshotRecord, 'document'> & { bytes: number })[]>
  snapshot(organizationId: string, name: string): Promise<SnapshotRecord | undefined>
  /** False where there is none. */
  dropSnapshot(organizationId: string, name: string): Promise<boolean>

  /** Whoever's it is, and revoked ones too. */
  certificate(fingerprint: string): Promise<CertificateRecord | undefined>
  /** In the order of registration, revoked ones among them; the same holds for keys. */
  certificates(organizationId: string): Promise<readonly CertificateRecord[]>
  /** Atomic, so that no key pair of an organization ever both signs and certifies (5.1). */
  addCertificate(certificate: CertificateRecord): Promise<Registered>
  revokeCertificate(organizationId: string, fingerprint: string, now: number): Promise<CertificateRecord | undefined>
  signingKey(organizationId: string, keyId: string): Promise<SigningKeyRecord | undefined>
  signingKeys(organizationId: string): Promise<readonly SigningKeyRecord[]>
  /** Atomic as addCertificate is; a key that was deregistered is taken up anew. */
  addSigningKey(key: SigningKeyRecord): Promise<Registered>
  deregisterSigningKey(organizationId: string, keyId: string, now: number): Promise<SigningKeyRecord | undefined>

  addBlikCode(organizationId: string, code: BlikCode): Promise<void>
  /** A code that is still shown to somebody: used or not, until it expires. */
  liveBlikCode(organizationId: string, code: string, now: number): Promise<BlikCode | undefined>
  blikCodeById(organizationId: string, codeId: string): Promise<BlikCode | undefined>
  /** Newest first, at most so many. */
  mandates(organizationId: string, limit: number): Promise<readonly Mandate[]>
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
