import type { CapabilityOverrides } from '../payments/capability-check.ts'
import type { ClockSetting } from '../support/clock.ts'

export type Cell = string | number | null
export type TableRows = { columns: readonly string[]; rows: readonly (readonly Cell[])[] }

/** State of an organization: rows by table, without the adapter's integer keys, and capability overrides. */
export type OrganizationState = { tables: Readonly<Record<string, TableRows>>; capabilities: CapabilityOverrides }

/** A stored snapshot; `takenAt` is on the organization's clock, `document` is a SnapshotDocument as JSON text. */
export type SnapshotRecord = { name: string; takenAt: number; document: string }

/** Store operations that reset, remove, read and replace an organization's state, and keep snapshots of it. */
export type SnapshotStore = {
  /** Deletes an organization's state and sets its clock to real time; its identity and snapshots stay. */
  resetOrganization(organizationId: string): Promise<void>
  /** False if there is no such organization. */
  removeOrganization(organizationId: string): Promise<boolean>
  organizationState(organizationId: string): Promise<OrganizationState>
  /** Why a state from outside cannot become this organization's state; undefined if it can. */
  validateState(organizationId: string, life: OrganizationState): Promise<string | undefined>
  /** Replaces state and clock; false, and nothing changes, if another organization has one of its unique values. */
  replaceOrganizationState(organizationId: string, life: OrganizationState, clock: ClockSetting): Promise<boolean>
  /** Saves a snapshot in place of one of the same name; true if there was one. */
  saveSnapshot(organizationId: string, snapshot: SnapshotRecord): Promise<boolean>
  /** Snapshots, newest first, without their documents. */
  snapshots(organizationId: string): Promise<readonly (Omit<SnapshotRecord, 'document'> & { bytes: number })[]>
  snapshot(organizationId: string, name: string): Promise<SnapshotRecord | undefined>
  /** False if there is no such snapshot. */
  deleteSnapshot(organizationId: string, name: string): Promise<boolean>
}
