import sql, { type Sql } from 'sql-template-tag'
import { pause } from '../../support/clock.ts'
import type { ReplicaCoordinationStore, ReplicaEvent } from '../replica-coordination-store.ts'
import { createAnnouncements } from './announce-changes-to-replicas-in-batches.ts'
import { createLeadership } from './divide-organizations-among-replicas.ts'
import { createCallSharing, deleteSharedCalls } from './journal-sharing.ts'
import { openListenNotifyConnection } from './listen-notify-connection.ts'
import { tryAdvisoryLock, unlockAdvisoryLock } from './locks.ts'
import { createNotificationLagMeter } from './measure-notification-lag.ts'
import type { Pool } from './pool.ts'
import { addToRateLimit } from './rate-limit-buckets.ts'
import { createChangeSharing } from './share-page-changes-between-replicas.ts'

/** Payload of a NOTIFY between replicas: an event, or the acknowledgement of one by its id. */
type Payload = { id: string; from: string; event: ReplicaEvent } | { acknowledged: string }

/** Time limit for the acknowledgements of an event, as a replica may have been cut off. */
const ACKNOWLEDGE_TIMEOUT_MS = 2_000
const READY_TIMEOUT_MS = 1_000
const LOCK_RETRY_MS = 50
const PUBLISH_RETRY_MS = 1_000

export type ReplicaCoordination = ReplicaCoordinationStore & {
  /** application_name of this replica's listening connection; while PostgreSQL lists it, the replica is alive. */
  self: string
  /** Tells the other replicas soon of what was committed; a replica that dies before does not, so no due work depends on it. */
  announce(event: ReplicaEvent): void
  /**
   * Sends an event and waits until all listening replicas acknowledge it; a clock or a reset is applied here too. Throws
   * where it cannot be sent, and then sends it as soon as it can be, since the change is saved.
   */
  publish(event: ReplicaEvent): Promise<void>
  close(): Promise<void>
}

/** Creates the coordination of replicas on one PostgreSQL schema: NOTIFY events, locks, shared calls, rate limits. */
export const createReplicaCoordination = async (
  url: string,
  pool: Pool,
  onError: (error: unknown) => void,
): Promise<ReplicaCoordination> => {
  const { channel, name } = await namesOf(pool)
  const self = `${channel}:${name}`
  const closing = new AbortController()
  let sent = 0
  let listen: (event: ReplicaEvent) => Promise<void> = async () => undefined
  const waiting = new Map<string, () => void>()
  const listener = openListenNotifyConnection(url, self, onError)
  const failed = (error: unknown): void => {
    onError(error)
    listener.catchUp()
  }
  /** Never retried: a NOTIFY sent twice would be acknowledged twice. */
  const once = <Row>(statement: Sql) => pool.with(db => db.rows<Row>(statement))

  const announcements = createAnnouncements(
    events =>
      listener.notify(events.map(event => [channel, JSON.stringify({ id: '', from: self, event } satisfies Payload)])),
    onError,
  )

  const publish = async (event: ReplicaEvent): Promise<void> => {
    sent += 1
    const id = `${name}-${sent}`
    const payload: Payload = { id, from: self, event }
    let [acknowledgements, wanted] = [0, Number.POSITIVE_INFINITY]
    const all = Promise.withResolvers<void>()
    const look = () => acknowledgements >= wanted && all.resolve()
    waiting.set(id, () => {
      acknowledgements += 1
      look()
    })
    try {
      if (event.kind === 'reset') await listen(event)
      const [row] = await once<{ listening: number }>(sql`
        SELECT count(*) AS listening, pg_notify(${channel}, ${JSON.stringify(payload)}) FROM pg_stat_activity
        WHERE starts_with(application_name, ${`${channel}:`}) AND datname = current_database()`)
      wanted = (row?.listening ?? 1) - 1
      look()
      await Promise.race([all.promise, pause(ACKNOWLEDGE_TIMEOUT_MS)])
      if (event.kind === 'clock') await listen(event).catch(failed) // others may have set it too
    } finally {
      waiting.delete(id)
    }
  }

  /** A reset goes out twice: by the second time there are those calls that replicas were sharing at the first. */
  const publishAll = async (event: ReplicaEvent): Promise<void> => {
    await publish(event)
    if (event.kind !== 'reset') return
    await deleteSharedCalls(pool, event.organizationId)
    await publish(event)
  }

  const publishOrRetry = async (event: ReplicaEvent): Promise<void> =>
    publishAll(event).catch(error => {
      void publishLater(event)
      throw error
    })

  const publishLater = async (event: ReplicaEvent): Promise<void> => {
    for (;;) {
      await pause(PUBLISH_RETRY_MS, closing.signal)
      if (closing.signal.aborted) return
      const isSent = await publishAll(event).then(
        () => true,
        () => false,
      )
      if (isSent) return void listen(event).catch(failed)
    }
  }

  const { shareCalls, forgetCalls } = createCallSharing(pool, listener, { self, channel: `${channel}_calls` })
  const subscribe: ReplicaCoordinationStore['subscribe'] = async act => {
    listen = async event => {
      const forgotten = event.kind === 'reset' ? forgetCalls(event.organizationId) : undefined
      await act(event)
      await forgotten
    }
    const receive = async (text: string): Promise<void> => {
      const payload = JSON.parse(text) as Payload
      if ('acknowledged' in payload) return waiting.get(payload.acknowledged)?.()
      if (payload.from === self) return
      await listen(payload.event)
      if (needsAcknowledgement(payload.event))
        await once(sql`SELECT pg_notify(${channel}, ${JSON.stringify({ acknowledged: payload.id } satisfies Payload)})`)
    }
    listener.onReconnect(() => listen({ kind: 'reconnected' }))
    await listener.listen(channel, text => void receive(text).catch(failed))
  }

  const measureLag = createNotificationLagMeter(listener, `${self.replace(':', '_')}_lag`.replaceAll('-', '_'))
  return {
    self,
    announce: announcements.announce,
    publish: publishOrRetry,
    subscribe,
    ...createLeadership(self, async () =>
      (
        await pool.rows<{ name: string }>(sql`
          SELECT application_name AS name FROM pg_stat_activity
          WHERE starts_with(application_name, ${`${channel}:`}) AND datname = current_database()`)
      ).map(({ name }) => name),
    ),
    withLock: (name, act) =>
      pool.with(async db => {
        while (!(await tryAdvisoryLock(db, name))) await pause(LOCK_RETRY_MS)
        try {
          return await act()
        } finally {
          await unlockAdvisoryLock(db, name)
        }
      }),
    withTurn: async (name, act) => {
      // A replica that is cut off waits for no other, and a session that broke has no lock any more.
      while (!(await tryAdvisoryLock(listener.session, name).catch(() => true))) await pause(LOCK_RETRY_MS)
      return act().finally(() => unlockAdvisoryLock(listener.session, name).catch(() => undefined))
    },
    shareCalls,
    shareChanges: createChangeSharing(pool, listener, { self, channel: `${channel}_changes` }),
    addToRateLimit: (...call) => addToRateLimit(pool, ...call),
    measureLoad: async () => ({ connections: pool.count(), notificationLag: await measureLag() }),
    isReady: () => {
      const answered = pool
        .rows<{ takesChanges: boolean }>(sql`
          SELECT current_setting('transaction_read_only') = 'off' AS "takesChanges"
          FROM (SELECT count(*) FROM (SELECT 1 FROM organizations LIMIT 1) AS one) AS tables`)
        .then(
          ([row]) => row?.takesChanges === true && listener.isConnected(),
          () => false,
        )
      return Promise.race([answered, pause(READY_TIMEOUT_MS).then(() => false)])
    },
    close: async () => {
      closing.abort()
      await announcements.settled()
      await listener.close()
    },
  }
}

/** Whether an event invalidates what replicas cache, so that the call that caused it waits for acknowledgement. */
const needsAcknowledgement = ({ kind }: ReplicaEvent): boolean =>
  kind === 'clock' || kind === 'reset' || kind === 'identity'

/** Returns the NOTIFY channel of the schema, and a unique name for this replica. */
const namesOf = async (pool: Pool): Promise<{ channel: string; name: string }> => {
  const [row] = await pool.rows<{ channel: string; name: string }>(sql`
    SELECT 'assay_' || md5(current_schema()) AS channel, left(gen_random_uuid()::text, 8) AS name`)
  return row ?? { channel: 'assay', name: 'alone' }
}
