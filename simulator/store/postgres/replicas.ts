import sql, { type Sql } from 'sql-template-tag'
import { pause } from '../../clock.ts'
import type { News, ReplicaStore } from '../replicas-port.ts'
import { callsShared } from './calls.ts'
import { openEars } from './ears.ts'
import type { Db, Pool } from './open.ts'

/** What goes over the channel: news, or the word that one was heard. */
type Message = { id: string; from: string; news: News } | { heard: string }

/** Where somebody does not hear, as a replica that was cut off, the others go on after so long. */
const HEARD_WITHIN_MS = 2_000
const READY_WITHIN_MS = 1_000
const LOOK_AGAIN_MS = 50

export type Replicas = ReplicaStore & {
  /** The name of this one's connection that listens: while PostgreSQL shows it, the replica lives. */
  self: string
  /** Sent with the transaction, for what may be heard a moment later. */
  telling(db: Db, news: News): Promise<unknown>
  /** Resolves when all who listen have heard, and this one too where others may have told the same meanwhile. */
  tell(news: News): Promise<void>
  close(): Promise<void>
}

/** Replicas hear of each other by LISTEN and NOTIFY, on a channel of their schema. */
export const createReplicas = async (url: string, pool: Pool, onFault: (error: unknown) => void): Promise<Replicas> => {
  const { channel, name } = await namesOf(pool)
  const self = `${channel}:${name}`
  let told = 0
  let listen: (news: News) => Promise<void> = async () => undefined
  const waiting = new Map<string, () => void>()
  const ears = openEars(url, self, onFault)
  const failed = (error: unknown): void => {
    onFault(error)
    ears.missed()
  }
  /** Never repeated: what is said twice would be heard twice, and counted. */
  const once = <Row>(statement: Sql) => pool.with(db => db.rows<Row>(statement))

  const tell = async (news: News): Promise<void> => {
    told += 1
    const id = `${name}-${told}`
    const said: Message = { id, from: self, news }
    let [heard, wanted] = [0, Number.POSITIVE_INFINITY]
    const all = Promise.withResolvers<void>()
    const look = () => heard >= wanted && all.resolve()
    waiting.set(id, () => {
      heard += 1
      look()
    })
    try {
      const [row] = await once<{ listening: number }>(sql`
        SELECT count(*) AS listening, pg_notify(${channel}, ${JSON.stringify(said)}) FROM pg_stat_activity
        WHERE starts_with(application_name, ${`${channel}:`}) AND datname = current_database()`)
      wanted = (row?.listening ?? 1) - 1
      look()
      await Promise.race([all.promise, pause(HEARD_WITHIN_MS)])
      if (news.kind === 'clock') await listen(news).catch(failed) // others may have set it while this one did
    } finally {
      waiting.delete(id)
    }
  }

  const hear: ReplicaStore['hear'] = async act => {
    listen = act
    const heard = async (text: string): Promise<void> => {
      const said = JSON.parse(text) as Message
      if ('heard' in said) return waiting.get(said.heard)?.()
      if (said.from === self) return
      await listen(said.news)
      if (mustBeHeard(said.news)) await once(sql`SELECT pg_notify(${channel}, ${JSON.stringify({ heard: said.id })})`)
    }
    ears.onAgain(() => listen({ kind: 'missed' }))
    await ears.on(channel, text => void heard(text).catch(failed))
  }

  return {
    self,
    telling: (db, news) =>
      db.run(sql`SELECT pg_notify(${channel}, ${JSON.stringify({ id: '', from: self, news } satisfies Message)})`),
    tell,
    hear,
    once: (name, act) =>
      pool.with(async db => {
        while (!(await tryLock(db, `${channel} ${name}`))) await pause(LOOK_AGAIN_MS)
        try {
          return await act()
        } finally {
          await db.run(sql`SELECT pg_advisory_unlock(hashtextextended(${`${channel} ${name}`}, 0))`)
        }
      }),
    shareCalls: callsShared(pool, ears, { self, channel: `${channel}_calls` }),
    spend: (...call) => spend(pool, ...call),
    isReady: () => {
      const answered = pool.run(sql`SELECT 1`).then(
        () => ears.areOpen(),
        () => false,
      )
      return Promise.race([answered, pause(READY_WITHIN_MS).then(() => false)])
    },
    close: () => ears.close(),
  }
}

/** Looked for again and again: a statement that waits is given up after a while, and a start may take longer. */
const tryLock = async (db: Db, name: string): Promise<boolean> => {
  const [row] = await db.rows<{ taken: boolean }>(sql`
    SELECT pg_try_advisory_lock(hashtextextended(${name}, 0)) AS taken`)
  return row?.taken ?? false
}

/** What others keep in memory must not outlive the call that changed it; all else may be heard a moment later. */
const mustBeHeard = ({ kind }: News): boolean => kind === 'clock' || kind === 'emptied' || kind === 'trust'

/** The channel of the schema, and a name for this replica that no other has. */
const namesOf = async (pool: Pool): Promise<{ channel: string; name: string }> => {
  const [row] = await pool.rows<{ channel: string; name: string }>(sql`
    SELECT 'assay_' || md5(current_schema()) AS channel, left(gen_random_uuid()::text, 8) AS name`)
  return row ?? { channel: 'assay', name: 'alone' }
}

const spend = async (
  db: Db,
  organizationId: string,
  { calls, now, perSecond }: Parameters<ReplicaStore['spend']>[1],
): Promise<number> => {
  const owed = sql`GREATEST(0, spent.calls - GREATEST(0, ${now}::bigint - spent.at) * ${perSecond}::double precision / 1000)`
  const asked = sql`${owed} + ${calls}::double precision`
  const [row] = await db.rows<{ asked: number }>(sql`
    INSERT INTO spent (organization_id, calls, asked, at) VALUES (${organizationId}, ${calls}, ${calls}, ${now})
    ON CONFLICT (organization_id) DO UPDATE SET asked = ${asked}, at = ${now},
      calls = CASE WHEN ${asked} > ${perSecond}::double precision THEN ${owed} ELSE ${asked} END
    RETURNING asked`)
  return row?.asked ?? calls
}
