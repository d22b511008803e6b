import type { AlgorithmName } from '../../contracts/protocol/algorithms.ts'
import type { Change, Deadline, Payment, PaymentEvent } from '../payments/payment.ts'
import type { BlikCode } from '../providers/provider.ts'

/** An answer as it was given: kept byte for byte, so that a replay is the original (I3). */
export type Reply = { http: number; body: string }

export type Remembered = { fingerprint: string; reply: Reply }

/** What a unit of work wants to see before it decides; every look-up stays inside the organization. */
export type Needs = {
  transactionId?: string | undefined
  blikCode?: string | undefined
  key?: string | undefined
  events?: boolean
}

export type Loaded = {
  payment: Payment | undefined
  /** Only where asked for. */
  events: readonly PaymentEvent[]
  blikCode: BlikCode | undefined
  remembered: Remembered | undefined
}

/** What a unit of work leaves behind; all of it or nothing. */
export type Save = {
  change?: Change | undefined
  usedCodeId?: string | undefined
  remember?: (Remembered & { key: string; expiresAt: number }) | undefined
  finishedJobId?: number | undefined
}

export type Unit<Result> = {
  organizationId: string
  now: number
  needs: Needs
  /** Synchronous and free of I/O: it may run inside a database transaction. */
  decide(loaded: Loaded): { result: Result; save?: Save }
}

export type Job = Deadline & { jobId: number; transactionId: string }

export type Organization = { organizationId: string; accountIds: readonly string[]; clockOffset: number; kit: string }
export type SigningKeyRecord = {
  keyId: string
  organizationId: string
  algorithm: AlgorithmName
  publicKey: string
  expiresAt: number
}
export type CertificateRecord = { fingerprint: string; organizationId: string; pem: string }
export type NewOrganization = Organization & {
  certificates: readonly CertificateRecord[]
  signingKeys: readonly SigningKeyRecord[]
}

/**
 * The narrow port behind which every adapter keeps the same promises: a unit of work is atomic, units of one payment
 * and of one idempotency key never overlap, and what was acknowledged is there after a crash.
 */
export type Store = {
  perform<Result>(unit: Unit<Result>): Promise<Result>

  /** The earliest due time among an organization's jobs. */
  nextDue(organizationId: string): Promise<number | undefined>
  /** The first job due at or before this instant: by due time, then in the order of saving. */
  dueJob(organizationId: string, now: number): Promise<Job | undefined>

  addOrganization(organization: NewOrganization): Promise<void>
  organizations(): Promise<readonly Organization[]>
  organization(organizationId: string): Promise<Organization | undefined>
  setClockOffset(organizationId: string, milliseconds: number): Promise<void>
  certificateOwner(fingerprint: string): Promise<string | undefined>
  signingKey(organizationId: string, keyId: string): Promise<SigningKeyRecord | undefined>

  addBlikCode(organizationId: string, code: BlikCode): Promise<void>
  /** A code that is still shown to somebody: used or not, until it expires. */
  liveBlikCode(organizationId: string, code: string, now: number): Promise<BlikCode | undefined>
  blikCodeById(organizationId: string, codeId: string): Promise<BlikCode | undefined>
  paymentByRedirect(redirectId: string): Promise<Payment | undefined>

  /** Small texts of the service itself: its authority, its keys. Undefined until written. */
  setting(name: string): Promise<string | undefined>
  saveSetting(name: string, value: string): Promise<void>

  close(): Promise<void>
}
