import type { CertificateAndKeyCache } from '../http/certificate-and-key-cache.ts'
import type { JobScheduler } from '../jobs/job-scheduler.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import type { ReplicaCoordinationStore, ReplicaEvent } from '../store/replica-coordination-store.ts'
import type { Store } from '../store/store.ts'
import { type ChangeFeed, TOPICS } from '../support/change-feed.ts'
import { type Clock, pause, stopwatch } from '../support/clock.ts'
import type { Signal } from '../support/wake-up-signal.ts'

type Parts = {
  store: Store
  clock: Clock
  jobs: JobScheduler
  identityCache: CertificateAndKeyCache
  /** Reads the dialect of an organization anew, or those of all. */
  refreshDialects(organizationId?: string): Promise<unknown>
  newsSignal: Signal
  changes: Pick<ChangeFeed, 'receive' | 'shareBy'>
  journal: Journal
  journalSize: number
  closing: AbortSignal
  onError: (error: unknown) => void
}
type Handlers = {
  [Kind in ReplicaEvent['kind']]: (event: Extract<ReplicaEvent, { kind: Kind }>) => Promise<void> | void
}

/**
 * Keeps this replica's memory in step with the other replicas: clocks, trusted keys and certificates, due jobs, waiting
 * readers, open pages and the journal. Returns the journal that all replicas share.
 */
export const synchronizeWithReplicas = async (parts: Parts): Promise<Journal> => {
  const { store, journal, journalSize, changes } = parts
  if (!store.replicas) return journal
  const handlers = createHandlers(parts)
  keepLooking(parts, store.replicas)
  await store.replicas.subscribe(async event => handlers[event.kind](event as never))
  changes.shareBy(await store.replicas.shareChanges(changes.receive))
  const share = await store.replicas.shareCalls(journalSize, ({ journalEntry: entry, requestBody: sent }) =>
    journal.add(JSON.parse(entry) as JournalEntry, sent),
  )
  return {
    ...journal,
    add: (entry, sent) => {
      const journalEntry = journal.add(entry, sent)
      share({ organizationId: entry.organizationId, journalEntry, requestBody: sent })
      return journalEntry
    },
  }
}

/** Interval of the look at what is due, in milliseconds, and the most of a replica's time that it may take. */
const LOOK_INTERVAL = 10_000
const LOOK_SHARE = 0.01

/**
 * Looks now and then at what is due, and which replicas there are: a replica that died between a commit and its announcement told
 * nobody, and no due work depends on a notification.
 */
const keepLooking = (
  { store, jobs, newsSignal, closing, onError }: Parts,
  replicas: ReplicaCoordinationStore,
): void => {
  const look = async (): Promise<void> => {
    await replicas.lookAround()
    for (const { organizationId, nextDue } of await store.organizationClocks()) {
      jobs.scheduled(organizationId, nextDue)
      newsSignal.notify(organizationId)
    }
  }
  const lookAgain = async (): Promise<void> => {
    while (!closing.aborted) {
      const elapsed = stopwatch()
      await look().catch(error => closing.aborted || onError(error))
      await pause(Math.max(LOOK_INTERVAL, elapsed() / LOOK_SHARE), closing)
    }
  }
  void lookAgain()
}

/** One handler for each kind of event from other replicas. */
const createHandlers = ({
  store,
  clock,
  jobs,
  identityCache,
  refreshDialects,
  newsSignal,
  changes,
  journal,
}: Parts): Handlers => {
  const numberRead = numberReads()
  return {
    clock: async ({ organizationId }) => {
      const isLast = numberRead()
      const organization = await store.organization(organizationId)
      if (organization && isLast(organizationId)) clock.set(organizationId, organization.clock)
      await jobs.refresh(organizationId)
    },
    reconnected: async () => {
      identityCache.invalidate()
      await refreshDialects()
      const isLast = numberRead()
      for (const { organizationId, clock: setting, nextDue } of await store.organizationClocks()) {
        if (isLast(organizationId)) clock.set(organizationId, setting)
        jobs.scheduled(organizationId, nextDue)
        newsSignal.notify(organizationId)
        changes.receive(organizationId, TOPICS)
      }
    },
    reset: ({ organizationId }) => {
      void jobs.endRuns(organizationId)
      journal.clear(organizationId)
    },
    identity: async ({ organizationId }) => {
      identityCache.invalidate(organizationId)
      await refreshDialects(organizationId)
    },
    scheduled: ({ organizationId, dueAt }) => jobs.scheduled(organizationId, dueAt),
    messages: ({ organizationId }) => newsSignal.notify(organizationId),
  }
}

/** Numbers concurrent reads, as they may finish in another order: for each organization only the latest read counts. */
const numberReads = () => {
  const newest = new Map<string, number>()
  let taken = 0
  return () => {
    taken += 1
    const number = taken
    return (organizationId: string): boolean => {
      if (number < (newest.get(organizationId) ?? 0)) return false
      newest.set(organizationId, number)
      return true
    }
  }
}
