/** A snapshot as stored; `takenAt` is on the organization's clock, `document` is a SnapshotDocument as JSON text. */
export type SnapshotRecord = { name: string; takenAt: number; document: string }

/** Store operations for saved snapshots of organizations. */
export type SnapshotStore = {
  /** Saves a snapshot in place of one of the same name; true if there was one. */
  saveSnapshot(organizationId: string, snapshot: SnapshotRecord): Promise<boolean>
  /** Snapshots, newest first, without their documents. */
  snapshots(organizationId: string): Promise<readonly (Omit<SnapshotRecord, 'document'> & { bytes: number })[]>
  snapshot(organizationId: string, name: string): Promise<SnapshotRecord | undefined>
  /** False if there is no such snapshot. */
  deleteSnapshot(organizationId: string, name: string): Promise<boolean>
}
