import type { AccountOverrides, CapabilityOverrides } from '../payments/capability-check.ts'
import type { ClockSetting } from '../support/clock.ts'
import type { CertificateRecord, SigningKeyRecord } from './certificate-and-key-store.ts'

export type Organization = {
  organizationId: string
  accountIds: readonly string[]
  clock: ClockSetting
  kit: string
  /** Capabilities of payment methods that differ from the default, by account. */
  capabilities: CapabilityOverrides
  /** Text of the profile whose dialect it speaks; without one the sandbox's own. */
  dialect?: string
  /** Text of the record of its access tokens; without one none was revoked. */
  tokens?: string
  /** Text of the list of its control tokens; without one it has none. */
  controlTokens?: string
}
export type NewOrganization = Omit<Organization, 'capabilities' | 'dialect' | 'controlTokens'> & {
  certificates: readonly CertificateRecord[]
  signingKeys: readonly SigningKeyRecord[]
}

/**
 * Criteria of a query for organizations in the store whose id contains `text`, in order of creation: at most `limit`,
 * from offset `from`.
 */
export type OrganizationQuery = { text: string; from: number; limit: number }
/**
 * A page of organizations from the store; `fitting` counts those that match the query on all pages, `all` every
 * organization.
 */
export type OrganizationPage = { found: readonly Organization[]; fitting: number; all: number }

/** Store operations for organizations, their clocks, kits, capabilities, dialects and token records. */
export type OrganizationStore = {
  addOrganization(organization: NewOrganization): Promise<void>
  organizations(): Promise<readonly Organization[]>
  findOrganizations(wanted: OrganizationQuery): Promise<OrganizationPage>
  organization(organizationId: string): Promise<Organization | undefined>
  /**
   * Saves a clock's setting. With `change`, what alone was changed of it, another replica's move or rate of the same time
   * stays, and the clock does not go back.
   */
  setClock(organizationId: string, clock: ClockSetting, change?: { at?: number; rate?: number }): Promise<void>
  setKit(organizationId: string, kit: string): Promise<void>
  /** Replaces the overrides of one account. */
  setCapabilities(organizationId: string, accountId: string, overrides: AccountOverrides): Promise<void>
  /** Sets the text of the organization's dialect; undefined takes it away. */
  setDialect(organizationId: string, dialect: string | undefined): Promise<void>
  /** Changes the text of the record of the organization's access tokens atomically; `change` may throw. */
  changeTokens(organizationId: string, change: (tokens: string | undefined) => string): Promise<void>
  /** Changes the text of the list of the organization's control tokens in the same way. */
  changeControlTokens(organizationId: string, change: (tokens: string | undefined) => string): Promise<void>
}
