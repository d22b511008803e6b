import type { CapabilityOverrides } from '../payments/capability-check.ts'
import type { ClockSetting } from '../support/clock.ts'

export type Cell = string | number | null
export type TableRows = { columns: readonly string[]; rows: readonly (readonly Cell[])[] }

/**
 * State of an organization as the store hands it out: rows by table, without the adapter's integer keys, and capability
 * overrides.
 */
export type OrganizationState = { tables: Readonly<Record<string, TableRows>>; capabilities: CapabilityOverrides }

/** Store operations that reset, remove, read and replace an organization's state. */
export type OrganizationStateStore = {
  /** Deletes an organization's state and sets its clock to real time; its identity and snapshots stay. */
  resetOrganization(organizationId: string): Promise<void>
  /** False if there is no such organization. */
  removeOrganization(organizationId: string): Promise<boolean>
  /** Deletes what calls have saved since an organization was removed; false, and nothing changes, if there is one of this id. */
  clearRemovedOrganization(organizationId: string): Promise<boolean>
  /** Hands out the state; `onRows` is told each part as it is read, and ends the reading where it throws. */
  organizationState(organizationId: string, onRows?: (rows: TableRows['rows']) => void): Promise<OrganizationState>
  /** Why a state from outside cannot become this organization's state; undefined if it can. */
  validateState(organizationId: string, state: OrganizationState): Promise<string | undefined>
  /**
   * Replaces state and clock by those of a saved snapshot; false, and nothing changes, if another organization has one
   * of its unique values.
   */
  replaceOrganizationState(
    organizationId: string,
    snapshot: string,
    state: OrganizationState,
    clock: ClockSetting,
  ): Promise<boolean>
}
