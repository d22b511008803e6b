import Database from 'better-sqlite3'
import { NO_RESPONSE } from '../../simulator/store/row-mapping.ts'
import type { WriteSet } from '../../simulator/store/unit-of-work.ts'

type Reply = { organizationId: string; body: string; expiresAt: number; count: number }
type Event = { text: string; count: number }

/**
 * Record of the replies and events that a simulated sandbox has acknowledged, to be looked for in its database after a
 * crash.
 */
export type AcknowledgedRecords = ReturnType<typeof createAcknowledgedRecords>

/**
 * Creates the record of replies and events that a simulated sandbox acknowledges, each with the number of acknowledged
 * writes by then.
 */
export const createAcknowledgedRecords = () => {
  const replies = new Map<string, Reply>()
  const events = new Map<string, Event[]>()
  const finished = new Set<number>()

  const missingReplies = (database: Database.Database, isKept: (reply: Reply) => boolean): string[] => {
    const rows = database
      .prepare<[], { name: string; body: string }>(
        "SELECT organization_id || ' ' || idempotency_key AS name, response_body AS body FROM idempotency_keys",
      )
      .all()
    const stored = new Set(rows.map(({ name, body }) => `${name} ${body}`))
    return [...replies].flatMap(([name, reply]) =>
      isKept(reply) && !stored.has(`${name} ${reply.body}`) ? [`the acknowledged response of key ${name} is lost`] : [],
    )
  }
  const missingEvents = (database: Database.Database, most: number): string[] => {
    const rows = database
      .prepare<[], { id: string; record: string }>(
        'SELECT transaction_id AS id, record FROM payment_events ORDER BY event_id',
      )
      .all()
    const stored = new Map<string, string[]>()
    for (const { id, record } of rows) stored.set(id, [...(stored.get(id) ?? []), record])
    return [...events].flatMap(([id, known]) => {
      const there = stored.get(id) ?? []
      const lost = firstMissing(
        known.filter(({ count }) => count <= most).map(({ text }) => text),
        there,
      )
      return lost === undefined ? [] : [`${id} has ${there.length} events, and its acknowledged event ${lost} is lost`]
    })
  }
  return {
    /** Notes what a unit of work was said to have saved. */
    note: (organizationId: string, { idempotentReply, change, finishedJobId }: WriteSet, count: number): void => {
      if (finishedJobId !== undefined && finished.has(finishedJobId)) return // another run did the job
      if (finishedJobId !== undefined) finished.add(finishedJobId)
      if (idempotentReply) {
        const { key, reply = NO_RESPONSE, expiresAt } = idempotentReply
        replies.set(`${organizationId} ${key}`, { organizationId, body: reply.body, expiresAt, count })
      }
      if (!change || change.events.length === 0) return
      const { transactionId } = change.payment
      const more = change.events.map(event => ({ text: JSON.stringify(event), count }))
      events.set(transactionId, [...(events.get(transactionId) ?? []), ...more])
    },
    /** What of the first `most` acknowledged writes a database lacks, as sentences; keys that have ended by `now` may be gone (I3). */
    missing: (file: string, most: number, now: (organizationId: string) => number): string[] => {
      const database = new Database(file)
      try {
        const isKept = ({ organizationId, expiresAt, count }: Reply) => count <= most && expiresAt > now(organizationId)
        return [...missingReplies(database, isKept), ...missingEvents(database, most)]
      } finally {
        database.close()
      }
    },
    /** Forgets what came after the first `most` acknowledged writes, as a power cut has undone it (D-112). */
    undo: (most: number): void => {
      finished.clear()
      for (const [name, { count }] of replies) if (count > most) replies.delete(name)
      for (const [id, known] of events) {
        const kept = known.filter(({ count }) => count <= most)
        if (kept.length === 0) events.delete(id)
        else events.set(id, kept)
      }
    },
  }
}

/** The first text that is not there behind those before it. */
const firstMissing = (wanted: readonly string[], there: readonly string[]): string | undefined => {
  let place = 0
  return wanted.find(text => {
    place = there.indexOf(text, place) + 1
    return place === 0
  })
}
