import type { Mandate } from '../payments/mandate.ts'
import type { Payment } from '../payments/payment.ts'
import type { Phone } from '../providers/blik-banks.ts'
import type { Fault } from '../providers/fault-kinds.ts'
import type { BlikCode } from '../providers/issued-blik-code.ts'
import type { Mock } from '../providers/provider-mock.ts'
import type { CertificateAndKeyStore } from './certificate-and-key-store.ts'
import type { SnapshotStore } from './organization-snapshot-store.ts'
import type { OrganizationStateStore } from './organization-state-store.ts'
import type { OrganizationStore } from './organization-store.ts'
import type { PaymentCountAndIdSearchStore } from './payment-count-and-id-search-store.ts'
import type { ReplicaCoordinationStore } from './replica-coordination-store.ts'
import type { RetentionStore } from './retention-store.ts'
import type { ScheduleStore } from './schedule-store.ts'
import type { ActivityStore } from './shopper-click-and-clock-move-store.ts'
import type { Job, UnitOfWork } from './unit-of-work.ts'
import type { WebhookStore } from './webhook-store.ts'

/**
 * Persistent store of all organizations, implemented by SQLite and PostgreSQL. A unit of work is atomic; units of one
 * payment or of one idempotency key never overlap; what was acknowledged survives a crash.
 */
export type Store = WebhookStore &
  CertificateAndKeyStore &
  OrganizationStateStore &
  SnapshotStore &
  RetentionStore &
  ActivityStore &
  ScheduleStore &
  PaymentCountAndIdSearchStore &
  OrganizationStore & {
    /** Sentences about what was found when the database was opened. */
    notes?: readonly string[]
    /** Coordination with other processes on the same database; undefined if this process has it for itself. */
    replicas?: ReplicaCoordinationStore

    /** Copies the whole database into a file while it is used; undefined where the database has tools of its own. */
    backup?(file: string): Promise<void>

    /** Loads what a unit of work needs, lets it decide, and commits what it writes; returns its result. */
    transact<Result>(unit: UnitOfWork<Result>): Promise<Result>

    /** The first jobs that are due at `now`, by due time, then in order of insertion. */
    dueJobs(organizationId: string, now: number, limit: number): Promise<readonly Job[]>

    addPhone(organizationId: string, phone: Phone): Promise<void>
    phone(organizationId: string, phoneId: string): Promise<Phone | undefined>
    phoneCount(organizationId: string): Promise<number>
    addBlikCode(organizationId: string, code: BlikCode): Promise<void>
    /** BLIK code that has not expired, used or not. */
    liveBlikCode(organizationId: string, code: string, now: number): Promise<BlikCode | undefined>
    blikCodeById(organizationId: string, codeId: string): Promise<BlikCode | undefined>
    /** BLIK codes that one phone showed, newest first, at most `limit`; expired ones for as long as they are kept. */
    blikCodesOfPhone(organizationId: string, phoneId: string, limit: number): Promise<readonly BlikCode[]>
    /** Mandates, newest first, at most `limit`. */
    mandates(organizationId: string, limit: number): Promise<readonly Mandate[]>
    /** Mandates given on one phone, newest first, at most `limit`. */
    mandatesOfPhone(organizationId: string, phoneId: string, limit: number): Promise<readonly Mandate[]>
    /** Returns the revoked mandate; revoking it again keeps the first time. */
    revokeMandate(organizationId: string, paymentToken: string, at: number): Promise<Mandate | undefined>
    paymentByRedirect(redirectId: string): Promise<Payment | undefined>

    addFault(organizationId: string, fault: Omit<Fault, 'faultId'>): Promise<Fault>
    /** Armed faults, oldest first. */
    faults(organizationId: string): Promise<readonly Fault[]>
    /** Disarms all faults; returns how many there were. */
    clearFaults(organizationId: string): Promise<number>
    /** Mocks that have not expired at `now`, newest first, at most `limit`. */
    mocks(organizationId: string, now: number, limit: number): Promise<readonly Mock[]>

    /** Value of the installation itself, such as its certificate authority; undefined until saved. */
    setting(name: string): Promise<string | undefined>
    saveSetting(name: string, value: string): Promise<void>
    /** Saves a setting unless there is one of that name; returns the one that is. */
    addSetting(name: string, value: string): Promise<string>

    close(): Promise<void>
  }
