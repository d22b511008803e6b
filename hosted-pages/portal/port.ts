import type { Context } from 'hono'
import type { Found, OrganizationView, Wanted } from '../port.ts'
import type { ConductPort } from './conduct-port.ts'
import type { IdentitiesPort } from './identities-port.ts'
import type { LabPort } from './lab/lab-port.ts'
import type { ClockPort, JournalPort, PaymentsPort, ScenariosPort } from './live-port.ts'
import type { WebhooksPort } from './webhooks-port.ts'
import type { Wish } from './wish.ts'

export type { Wish } from './wish.ts'

/**
 * What the portal needs from the operator: one member for each of its parts, so that each part is built, faked and
 * tested alone. Every button's function is the one behind its REST twin.
 */
export type PortalPort = {
  access: AccessPort
  organizations: OrganizationsPort
  identities: IdentitiesPort
  webhooks: WebhooksPort
  reports: ReportsPort
  capabilities: CapabilitiesPort
  journal: JournalPort
  lab: LabPort
  payments: PaymentsPort
  scenarios: ScenariosPort
  clock: ClockPort
  conduct: ConductPort
}

/** Who may come in: everybody, unless the operator has set a control token. */
export type AccessPort = {
  /** Whether a token is wanted at all. */
  isWanted: boolean
  shownBy(c: Context): 'right' | 'wrong' | 'none'
  /** The cookie for whoever typed the token in; undefined where it is another. */
  signIn(typed: string): string | undefined
  /** The cookie that takes the other one back. */
  signOut: string
  /** Where browsers reach these pages, where the operator has said so. */
  pagesUrl?: string | undefined
}

export type OrganizationsPort = {
  list(wanted: Wanted): Promise<Found<OrganizationSummary>>
  find(organizationId: string): Promise<OrganizationSummary | undefined>
  /** Makes one, by a name of its own making where none is given; the answer is its id. */
  create(organizationId: string | undefined): Promise<Wish<string>>
}

export type OrganizationSummary = OrganizationView & { accountIds: readonly string[] }

export type ReportsPort = {
  types: readonly string[]
  /** Days are texts such as 2026-01-31. */
  list(organizationId: string, wish: ReportWish): Promise<Wish<Reports>>
  /** Moves the clock to where today is over, so that its reports are there. */
  finishDay(organizationId: string): Promise<Wish<number>>
}

export type ReportWish = Partial<Record<'from' | 'to' | 'processingAccountId' | 'type', string | undefined>>

export type Reports = {
  from: string
  to: string
  files: readonly ReportFile[]
  /** When today is over on the organization's clock. */
  nextAt: number
}

export type ReportFile = {
  reportId: string
  name: string
  reportType: string
  processingAccountId: string
  periodStart: string
  numberOfRecords: number
  fileSize: number
}

/** By capability, then by method. */
export type Matrix = readonly { capability: string; able: Readonly<Record<string, { now: boolean; usual: boolean }>> }[]

export type CapabilitiesPort = {
  methods: readonly string[]
  /** What each method can do on the account. */
  of(organizationId: string, accountId: string): Promise<Matrix>
  /** `able` lists what works, as METHOD.capability; undefined goes back to what is usual. */
  set(organizationId: string, accountId: string, able: readonly string[] | undefined): Promise<Wish<string>>
}
