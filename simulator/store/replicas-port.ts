/** What replicas of one service tell each other. */
export type News =
  /** An organization's clock was set, or the organization made or removed. */
  | { kind: 'clock'; organizationId: string }
  /** All that happened to an organization was taken back: its calls are forgotten. */
  | { kind: 'emptied'; organizationId: string }
  /** An organization's certificates, keys or capabilities are no longer what they were. */
  | { kind: 'trust'; organizationId: string }
  /** Something was saved to be done then, on the organization's clock. */
  | { kind: 'due'; organizationId: string; dueAt: number }
  /** A notification was saved, or tried. */
  | { kind: 'told'; organizationId: string }
  /** The line was down: anything may have been told meanwhile. */
  | { kind: 'missed' }

/** What one call had that people look at, and the bytes of its body for the signature lab. */
export type KeptCall = { entry: string /** JSON: the journal's own. */; sent?: Buffer | undefined }

/**
 * The part of the port that only a store with many replicas in front of it has. Whoever changes something that others
 * keep in memory tells them inside the call that changes it, and the call ends when all of them have heard.
 */
export type ReplicaStore = {
  /** From now on; resolves when nothing can be missed any more. */
  hear(listen: (news: News) => Promise<void>): Promise<void>
  /** Does what no two replicas may do at once. */
  once<Result>(name: string, act: () => Promise<Result>): Promise<Result>
  /** Keeps calls for all replicas, in their order; those of others come to `listen`, and first the newest `known`. */
  shareCalls(known: number, listen: (call: KeptCall) => void): Promise<(call: KeptCall) => void>
  /**
   * Counts calls of an organization that makes good so many a second (8): how many it has yet to make good, these
   * among them. What is too much is not counted.
   */
  spend(organizationId: string, spent: { calls: number; now: number; perSecond: number }): Promise<number>
  /** Whether the store answers within a second, and this replica knows all that the others told. */
  isReady(): Promise<boolean>
}
