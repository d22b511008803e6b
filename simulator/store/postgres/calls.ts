import sql from 'sql-template-tag'
import type { KeptCall, ReplicaStore } from '../replicas-port.ts'
import type { Ears } from './ears.ts'
import type { Db, Pool } from './open.ts'

type Row = { place: number; entry: string; sent: Buffer | null }
type Names = { self: string; channel: string }

/** Calls that come within so long are written in one go. */
const TOGETHER_MS = 20
/** So many are kept for replicas that start. */
const KEPT = 5_000
const MOST_AT_ONCE = 500

/** The calls of all replicas: written a few at a time, and read by the others when they are told where they begin. */
export const callsShared =
  (pool: Pool, ears: Ears, { self, channel }: Names): ReplicaStore['shareCalls'] =>
  async (known, listen) => {
    let queue: KeptCall[] = []
    let isComing = false
    const writeIn = (milliseconds: number): void => {
      isComing = true
      setTimeout(write, milliseconds).unref()
    }

    const write = async (): Promise<void> => {
      isComing = false
      const batch = queue.slice(0, MOST_AT_ONCE)
      queue = queue.slice(MOST_AT_ONCE)
      if (queue.length > 0) writeIn(0)
      const [entries, bodies] = [batch.map(({ entry }) => entry), batch.map(({ sent }) => sent ?? null)]
      await pool
        .begin(async db => {
          const places = await db.rows<{ place: number }>(sql`
            INSERT INTO calls (replica, entry, sent)
            SELECT ${self}, entry, sent FROM unnest(${entries}::text[], ${bodies}::bytea[])
              WITH ORDINALITY AS call (entry, sent, nth) ORDER BY nth
            RETURNING place`)
          const [first, last] = [places[0]?.place ?? 0, places.at(-1)?.place ?? 0]
          await db.run(sql`DELETE FROM calls WHERE place <= ${last - KEPT}`)
          await db.run(sql`SELECT pg_notify(${channel}, ${JSON.stringify({ self, first, last })})`)
        })
        .catch(() => undefined) // people look at calls: none is held up for that
    }

    const told = async (text: string): Promise<void> => {
      const { self: from, first, last } = JSON.parse(text) as { self: string; first: number; last: number }
      if (from === self) return
      const rows = await pool.rows<Row>(sql`
        SELECT place, entry, sent FROM calls
        WHERE place BETWEEN ${first} AND ${last} AND replica = ${from} ORDER BY place`)
      for (const row of rows) listen(callOf(row))
    }

    await ears.on(channel, text => void told(text).catch(() => undefined))
    const newest = await pool.rows<Row>(sql`SELECT place, entry, sent FROM calls ORDER BY place DESC LIMIT ${known}`)
    for (const row of newest.toReversed()) listen(callOf(row))
    return call => {
      queue.push(call)
      if (!isComing) writeIn(TOGETHER_MS)
    }
  }

/** What an organization did that is emptied or removed is nobody's to look at any more. */
export const forgetCalls = (db: Db, organizationId: string): Promise<number> =>
  db.run(sql`DELETE FROM calls WHERE entry::json ->> 'organizationId' = ${organizationId}`)

const callOf = ({ entry, sent }: Row): KeptCall => ({ entry, ...(sent ? { sent } : {}) })
