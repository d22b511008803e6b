import sql, { type Sql } from 'sql-template-tag'
import type { ReplicaCoordinationStore, SharedCall } from '../replica-coordination-store.ts'
import type { Db } from '../sql-statements.ts'
import { columnOf } from './insert-rows.ts'
import type { ListenNotifyConnection } from './listen-notify-connection.ts'
import type { Pool } from './pool.ts'

type Row = { position: number; organization_id: string | null; journal_entry: string; request_body: Buffer | null }
type Listen = (call: SharedCall) => void
type Names = { self: string; channel: string }

/** Time within which the arriving calls are written in one batch. */
const BATCH_WINDOW_MS = 100
/** Number of the newest shared calls that are kept for replicas that start. */
const KEPT_CALLS = 5_000
const MAX_BATCH = 500
/** Calls that wait to be written, where the database is slow or away: the newest, as the journal has no others. */
const MOST_WAITING = 2_000
/** Number of new calls after which old ones are deleted. */
const PURGE_INTERVAL = 1_000

/**
 * Creates the sharing of journal entries: a replica writes them in batches, the others read them once notified.
 * `forgetCalls` drops what is to be shared or read of an organization, and waits until what is being shared is there.
 */
export const createCallSharing = (
  pool: Pool,
  listener: ListenNotifyConnection,
  { self, channel }: Names,
): Pick<ReplicaCoordinationStore, 'shareCalls'> & { forgetCalls(organizationId: string): Promise<void> } => {
  let queue: SharedCall[] = []
  let isWriting = false
  let writing: Promise<unknown> = Promise.resolve()
  let purgedUpTo = 0
  /** For each read under way, the organizations whose calls are not wanted any more. */
  const reads = new Set<Set<string | null>>()

  /**
   * One batch after the other, so that the journal takes one connection of the pool, however many calls arrive. Between
   * two that are not full there is the window, as every other replica reads each batch.
   */
  const writeSoon = (): void => {
    isWriting = true
    setTimeout(() => void writeBatch(), queue.length < MAX_BATCH ? BATCH_WINDOW_MS : 0).unref()
  }
  const writeBatch = async (): Promise<void> => {
    const batch = queue.splice(0, MAX_BATCH)
    if (batch.length > 0) {
      writing = write(batch).catch(() => undefined) // the journal is for people: no call waits for it or fails with it
      await writing
    }
    if (queue.length > 0) writeSoon()
    else isWriting = false
  }
  const write = async (batch: readonly SharedCall[]): Promise<void> => {
    const [organizations, entries, bodies] = [
      columnOf(
        'text',
        batch.map(call => call.organizationId),
      ),
      columnOf(
        'text',
        batch.map(call => call.journalEntry),
      ),
      columnOf(
        'bytea',
        batch.map(call => call.requestBody),
      ),
    ]
    const [row] = await pool.rows<{ first: number; last: number }>(sql`
      WITH written AS (
        INSERT INTO shared_calls (replica, organization_id, journal_entry, request_body)
        SELECT ${self}, organization_id, entry, sent
        FROM unnest(${organizations}, ${entries}, ${bodies})
          WITH ORDINALITY AS call (organization_id, entry, sent, nth) ORDER BY nth
        RETURNING position)
      SELECT min(position) AS first, max(position) AS last FROM written`)
    const { first, last } = row ?? { first: 0, last: 0 }
    await listener.notify([[channel, JSON.stringify({ self, first, last })]])
    if (last - purgedUpTo < PURGE_INTERVAL) return
    purgedUpTo = last
    await pool.run(sql`
      DELETE FROM shared_calls WHERE position IN (
        SELECT position FROM shared_calls WHERE position <= ${last - KEPT_CALLS} FOR UPDATE SKIP LOCKED)`)
  }

  const read = async (which: Sql, but: ReadonlySet<number> = new Set()): Promise<SharedCall[]> => {
    const forgotten = new Set<string | null>()
    reads.add(forgotten)
    const rows = await pool
      .rows<Row>(sql`SELECT position, organization_id, journal_entry, request_body FROM shared_calls ${which}`)
      .finally(() => reads.delete(forgotten))
    return rows.filter(row => !forgotten.has(row.organization_id) && !but.has(row.position)).map(callOf)
  }
  /** Gives the newest calls of each organization that are kept, in parts, as bodies may be large; returns their positions. */
  const readKept = async (known: number, listen: Listen): Promise<ReadonlySet<number>> => {
    const rows = await pool.rows<Pick<Row, 'position'>>(sql`
      SELECT position FROM (
        SELECT position, row_number() OVER (PARTITION BY organization_id ORDER BY position DESC) AS nth
        FROM shared_calls) AS call
      WHERE nth <= ${known} ORDER BY position`)
    const positions = rows.map(({ position }) => position)
    for (let at = 0; at < positions.length; at += MAX_BATCH) {
      const part = positions.slice(at, at + MAX_BATCH)
      for (const call of await read(sql`WHERE position = ANY (${part}::bigint[]) ORDER BY position`)) listen(call)
    }
    return new Set(positions)
  }
  const receive = async (text: string, kept: Promise<ReadonlySet<number>>, listen: Listen): Promise<void> => {
    const { self: from, first, last } = JSON.parse(text) as { self: string; first: number; last: number }
    if (from === self) return
    const range = sql`WHERE position BETWEEN ${first} AND ${last} AND replica = ${from} ORDER BY position`
    for (const call of await read(range, await kept)) listen(call)
  }

  return {
    shareCalls: async (known, listen) => {
      const { promise: kept, resolve } = Promise.withResolvers<ReadonlySet<number>>()
      await listener.listen(channel, text => void receive(text, kept, listen).catch(() => undefined))
      resolve(await readKept(known, listen))
      return call => {
        queue.push(call)
        if (queue.length > MOST_WAITING) queue.shift()
        if (!isWriting) writeSoon()
      }
    },
    forgetCalls: async organizationId => {
      queue = queue.filter(call => call.organizationId !== organizationId)
      for (const forgotten of reads) forgotten.add(organizationId)
      await writing
    },
  }
}

/** Deletes from PostgreSQL the shared journal entries of an organization that is reset or removed. */
export const deleteSharedCalls = (db: Db, organizationId: string): Promise<number> =>
  db.run(sql`DELETE FROM shared_calls WHERE organization_id = ${organizationId}`)

const callOf = ({ journal_entry, request_body }: Row): SharedCall => ({
  journalEntry: journal_entry,
  ...(request_body ? { requestBody: request_body } : {}),
})
