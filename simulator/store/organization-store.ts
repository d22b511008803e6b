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
}
export type NewOrganization = Omit<Organization, 'capabilities'> & {
  certificates: readonly CertificateRecord[]
  signingKeys: readonly SigningKeyRecord[]
}

/** Query for organizations whose id contains `text`, in order of creation: at most `limit`, from offset `from`. */
export type OrganizationQuery = { text: string; from: number; limit: number }
/** A page of organizations; `fitting` counts those that match the query on all pages, `all` every organization. */
export type OrganizationPage = { found: readonly Organization[]; fitting: number; all: number }

/** Store operations for organizations, their clocks, kits and capabilities. */
export type OrganizationStore = {
  addOrganization(organization: NewOrganization): Promise<void>
  organizations(): Promise<readonly Organization[]>
  findOrganizations(wanted: OrganizationQuery): Promise<OrganizationPage>
  organization(organizationId: string): Promise<Organization | undefined>
  setClock(organizationId: string, clock: ClockSetting): Promise<void>
  setKit(organizationId: string, kit: string): Promise<void>
  /** Replaces the overrides of one account. */
  setCapabilities(organizationId: string, accountId: string, overrides: AccountOverrides): Promise<void>
}
