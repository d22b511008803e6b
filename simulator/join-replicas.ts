import type { Bell } from './bell.ts'
import type { Clock } from './clock.ts'
import type { Trust } from './http/trust.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { JournalEntry } from './journal/entry.ts'
import type { Journal } from './journal/journal.ts'
import type { News, Store } from './store/port.ts'

type Parts = { store: Store; clock: Clock; jobs: Jobs; trust: Trust; bell: Bell; journal: Journal; journalSize: number }
type Heard = { [Kind in News['kind']]: (news: Extract<News, { kind: Kind }>) => Promise<void> | void }

/**
 * Keeps what this replica has in memory as the others have it, from now on: clocks, what is trusted, what is due, who
 * waits for news, and the calls that people look at. Gives the journal that is everybody's.
 */
export const joinReplicas = async (parts: Parts): Promise<Journal> => {
  const { store, journal, journalSize } = parts
  if (!store.replicas) return journal
  const heard = hearing(parts)
  await store.replicas.hear(async news => heard[news.kind](news as never))
  const share = await store.replicas.shareCalls(journalSize, ({ entry, sent }) =>
    journal.add(JSON.parse(entry) as JournalEntry, sent),
  )
  return {
    ...journal,
    add: (entry, sent) => {
      journal.add(entry, sent)
      share({ entry: JSON.stringify(entry), sent })
    },
  }
}

const hearing = ({ store, clock, jobs, trust, bell, journal }: Parts): Heard => {
  const takeTurn = turns()
  return {
    clock: async ({ organizationId }) => {
      const isLast = takeTurn()
      const organization = await store.organization(organizationId)
      if (organization && isLast(organizationId)) clock.set(organizationId, organization.clock)
      await jobs.refresh(organizationId)
    },
    missed: async () => {
      trust.forget()
      const isLast = takeTurn()
      for (const { organizationId, clock: setting, nextDue } of await store.clocks()) {
        if (isLast(organizationId)) clock.set(organizationId, setting)
        jobs.scheduled(organizationId, nextDue)
        bell.ring(organizationId)
      }
    },
    emptied: ({ organizationId }) => journal.forget(organizationId),
    trust: ({ organizationId }) => trust.forget(organizationId),
    due: ({ organizationId, dueAt }) => jobs.scheduled(organizationId, dueAt),
    told: ({ organizationId }) => bell.ring(organizationId),
  }
}

/** Answers may come in another order than they were asked for: of each organization the one asked for last counts. */
const turns = () => {
  const newest = new Map<string, number>()
  let taken = 0
  return () => {
    taken += 1
    const turn = taken
    return (organizationId: string): boolean => {
      if (turn < (newest.get(organizationId) ?? 0)) return false
      newest.set(organizationId, turn)
      return true
    }
  }
}
