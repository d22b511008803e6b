import sql from 'sql-template-tag'
import type { ReplicaCoordinationStore, SharedCall } from '../replica-coordination-store.ts'
import type { ListenNotifyConnection } from './listen-notify-connection.ts'
import type { Db, Pool } from './pool.ts'

type Row = { position: number; journal_entry: string; request_body: Buffer | null }
type Names = { self: string; channel: string }

/** Time within which the arriving calls are written in one batch. */
const BATCH_WINDOW_MS = 20
/** Number of the newest shared calls that are kept for replicas that start. */
const KEPT_CALLS = 5_000
const MAX_BATCH = 500

/** Creates the sharing of journal entries: a replica writes them in batches, the others read them once notified. */
export const createCallSharing =
  (pool: Pool, listener: ListenNotifyConnection, { self, channel }: Names): ReplicaCoordinationStore['shareCalls'] =>
  async (known, listen) => {
    let queue: SharedCall[] = []
    let isScheduled = false
    const writeIn = (milliseconds: number): void => {
      isScheduled = true
      setTimeout(write, milliseconds).unref()
    }

    const write = async (): Promise<void> => {
      isScheduled = false
      const batch = queue.slice(0, MAX_BATCH)
      queue = queue.slice(MAX_BATCH)
      if (queue.length > 0) writeIn(0)
      const [entries, bodies] = [
        batch.map(({ journalEntry }) => journalEntry),
        batch.map(({ requestBody }) => requestBody ?? null),
      ]
      await pool
        .begin(async db => {
          const positions = await db.rows<{ position: number }>(sql`
            INSERT INTO shared_calls (replica, journal_entry, request_body)
            SELECT ${self}, entry, sent FROM unnest(${entries}::text[], ${bodies}::bytea[])
              WITH ORDINALITY AS call (entry, sent, nth) ORDER BY nth
            RETURNING position`)
          const [first, last] = [positions[0]?.position ?? 0, positions.at(-1)?.position ?? 0]
          await db.run(sql`DELETE FROM shared_calls WHERE position <= ${last - KEPT_CALLS}`)
          await db.run(sql`SELECT pg_notify(${channel}, ${JSON.stringify({ self, first, last })})`)
        })
        .catch(() => undefined) // the journal is for people: no call waits for it or fails with it
    }

    const receive = async (text: string): Promise<void> => {
      const { self: from, first, last } = JSON.parse(text) as { self: string; first: number; last: number }
      if (from === self) return
      const rows = await pool.rows<Row>(sql`
        SELECT position, journal_entry, request_body FROM shared_calls
        WHERE position BETWEEN ${first} AND ${last} AND replica = ${from} ORDER BY position`)
      for (const row of rows) listen(callOf(row))
    }

    await listener.listen(channel, text => void receive(text).catch(() => undefined))
    const newest = await pool.rows<Row>(
      sql`SELECT position, journal_entry, request_body FROM shared_calls ORDER BY position DESC LIMIT ${known}`,
    )
    for (const row of newest.toReversed()) listen(callOf(row))
    return call => {
      queue.push(call)
      if (!isScheduled) writeIn(BATCH_WINDOW_MS)
    }
  }

/** Deletes the journal entries shared between replicas of an organization that is reset or removed. */
export const deleteSharedCalls = (db: Db, organizationId: string): Promise<number> =>
  db.run(sql`DELETE FROM shared_calls WHERE journal_entry::json ->> 'organizationId' = ${organizationId}`)

const callOf = ({ journal_entry, request_body }: Row): SharedCall => ({
  journalEntry: journal_entry,
  ...(request_body ? { requestBody: request_body } : {}),
})
