import type { ClockSetting } from '../clock.ts'
import type { CapabilityOverrides } from '../payments/capabilities.ts'

export type Cell = string | number | null
export type TableRows = { columns: readonly string[]; rows: readonly (readonly Cell[])[] }

/** All that happened to an organization, as the adapter keeps it: rows by table, without keys of the adapter's own. */
export type Life = { tables: Readonly<Record<string, TableRows>>; capabilities: CapabilityOverrides }

/** A life that was put by; `takenAt` is on the organization's clock, `document` the operator's own JSON. */
export type SnapshotRecord = { name: string; takenAt: number; document: string }

/** The part of the port that empties an organization, puts its state by and brings it back. */
export type LifeStore = {
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
}
