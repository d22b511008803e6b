import sql from 'sql-template-tag'
import type { Topic } from '../../support/change-feed.ts'
import type { ReplicaCoordinationStore } from '../replica-coordination-store.ts'
import type { ListenNotifyConnection } from './listen-notify-connection.ts'
import type { Pool } from './pool.ts'

type Names = { self: string; channel: string }
type Payload = { from: string; changes: readonly (readonly [organizationId: string, topics: readonly Topic[]])[] }

/** Time within which changes are told in one notification, as a busy replica makes hundreds in a second. */
const BATCH_WINDOW_MS = 100
/** Organizations of one notification, whose payload PostgreSQL limits to 8,000 bytes. */
const MAX_BATCH = 40

/**
 * Creates the function by which replicas on PostgreSQL tell each other what has changed for open pages: each notifies
 * the others in batches, and nothing is stored.
 */
export const createChangeSharing =
  (pool: Pool, listener: ListenNotifyConnection, { self, channel }: Names): ReplicaCoordinationStore['shareChanges'] =>
  async listen => {
    const pending = new Map<string, Set<Topic>>()
    let isScheduled = false

    const notify = async (): Promise<void> => {
      isScheduled = false
      const all = [...pending].map(([organizationId, topics]) => [organizationId, [...topics]] as const)
      pending.clear()
      for (let at = 0; at < all.length; at += MAX_BATCH) {
        const payload: Payload = { from: self, changes: all.slice(at, at + MAX_BATCH) }
        await pool.run(sql`SELECT pg_notify(${channel}, ${JSON.stringify(payload)})`)
      }
    }

    await listener.listen(channel, text => {
      const { from, changes } = JSON.parse(text) as Payload
      if (from !== self) for (const change of changes) listen(...change)
    })
    return (organizationId, topics) => {
      pending.set(organizationId, new Set([...(pending.get(organizationId) ?? []), ...topics]))
      if (isScheduled) return
      isScheduled = true
      setTimeout(() => void notify().catch(() => undefined), BATCH_WINDOW_MS).unref() // pages are for people: no call waits
    }
  }
