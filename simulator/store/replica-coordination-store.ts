import type { Topic } from '../support/change-feed.ts'

/** Events that replicas of one deployment publish to each other. */
export type ReplicaEvent =
  /** An organization's clock was set, or the organization was created or removed. */
  | { kind: 'clock'; organizationId: string }
  /** An organization was reset or removed: its journal entries are dropped. */
  | { kind: 'reset'; organizationId: string }
  /** An organization's certificates, signing keys, capabilities or dialect changed. */
  | { kind: 'identity'; organizationId: string }
  /** A job or delivery was scheduled for `dueAt` on the organization's clock. */
  | { kind: 'scheduled'; organizationId: string; dueAt: number }
  /** A message was saved, or a delivery attempted. */
  | { kind: 'messages'; organizationId: string }
  /** The connection was down: events may have been missed. */
  | { kind: 'reconnected' }

/** A call as replicas share it: its journal entry as JSON, and its request body for the signature lab. */
export type SharedCall = {
  organizationId?: string | undefined
  /** A JournalEntry as JSON. */
  journalEntry: string
  requestBody?: Buffer | undefined
}

/** Function that is given the topics of an organization that changed: the listener to other replicas, or what tells them. */
export type ShareChanges = (organizationId: string, topics: readonly Topic[]) => void

/**
 * Load of one replica: its connections to the database, the callers that wait for one, and the milliseconds until it
 * hears a notification of its own, Infinity where it does not within a second.
 */
export type ReplicaLoad = {
  connections: { open: number; idle: number; waiting: number }
  notificationLag: number
}

/**
 * Store operations by which replicas of one deployment coordinate. A store call that changes something that replicas
 * cache ends only when all of them have acknowledged the change.
 */
export type ReplicaCoordinationStore = {
  /** Whether this replica is the one to run the due jobs of an organization at once, as far as it knows. */
  leads(organizationId: string): boolean
  /** Looks which replicas there are, between whom `leads` divides the organizations. */
  lookAround(): Promise<void>
  /** Subscribes to events of other replicas; resolves once none can be missed any more. */
  subscribe(listen: (event: ReplicaEvent) => Promise<void>): Promise<void>
  /**
   * Runs `act` under a lock of this name, so that no two replicas do so at once. The lock takes a connection beside those of
   * `act`: for the start, at which a replica has no other lock.
   */
  withLock<Result>(name: string, act: () => Promise<Result>): Promise<Result>
  /** Runs `act` while no other replica runs one of this name; this replica may run several of it at once. It takes no connection. */
  withTurn<Result>(name: string, act: () => Promise<Result>): Promise<Result>
  /**
   * Gives `listen` the newest calls that are kept, at most `known` of each organization, then those of other replicas; returns a
   * function that shares a call.
   */
  shareCalls(known: number, listen: (call: SharedCall) => void): Promise<(call: SharedCall) => void>
  /** Gives `listen` what other replicas change; returns a function that tells them what this one changes, soon after. */
  shareChanges(listen: ShareChanges): Promise<ShareChanges>
  /**
   * Adds calls to an organization's rate-limit bucket, which drains by `perSecond` (8), and returns its level with
   * these calls; calls that would raise it above `perSecond` are not added.
   */
  addToRateLimit(organizationId: string, spent: { calls: number; now: number; perSecond: number }): Promise<number>
  /** Measures the connections to the database and the notifications through it. */
  measureLoad(): Promise<ReplicaLoad>
  /** Whether the database responds within a second, and no event of other replicas is missing. */
  isReady(): Promise<boolean>
}
