import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { pause } from '../../support/clock.ts'
import type { Db } from '../sql-statements.ts'
import { beginSession, connectionTo, connectOnceThereIsRoom, connectToAny } from './server-connections.ts'
import { createServers } from './servers.ts'

/** A connection that listens for NOTIFY on channels of PostgreSQL, and reconnects when it breaks. */
export type ListenNotifyConnection = {
  /** Calls `told` with each notification on a channel. */
  listen(channel: string, told: (text: string) => void): Promise<void>
  /** Sends notifications, each a channel and a text, without waiting for the disk; fails while it is not connected. */
  notify(notifications: readonly (readonly [channel: string, text: string])[]): Promise<void>
  /** Runs statements in the session that listens, for locks that take no connection of the pool; fails while it is not connected. */
  session: Pick<Db, 'rows'>
  /** Registers an action to run after notifications may have been missed, repeated until it succeeds. */
  onReconnect(act: () => Promise<void>): void
  /** Runs the registered actions though the connection did not break. */
  catchUp(): void
  /** Whether it is connected and has caught up on what may have been missed. */
  isConnected(): boolean
  close(): Promise<void>
}

const RETRY_AFTER_MS = 200
/** Interval of the query that detects a connection cut silently; the query timeout comes on top. */
const HEARTBEAT_MS = 3_000
const CLOSE_TIMEOUT_MS = 1_000

/** Opens a PostgreSQL connection for LISTEN with its own application_name; a broken one is replaced, however often. */
export const openListenNotifyConnection = (
  url: string,
  name: string,
  onError: (error: unknown) => void,
): ListenNotifyConnection => {
  const channels = new Map<string, (text: string) => void>()
  const catchUpActions: (() => Promise<void>)[] = []
  let client: Promise<pg.Client> | undefined
  let [isClosed, isBehind, isCatchingUp, isReconnecting] = [false, false, false, false]

  const servers = createServers(url)
  const connect = () => connectToAny(servers, connectToCurrent)
  const connectToCurrent = async (): Promise<pg.Client> => {
    const made = new pg.Client(connectionTo(servers.current(), name))
    made.on('error', onError)
    made.on('notification', ({ channel, payload = '' }) => channels.get(channel)?.(payload))
    await made.connect()
    try {
      await beginSession(made, servers)
      await made.query(SESSION_SETTINGS)
      for (const channel of channels.keys()) await made.query(`LISTEN ${channel}`)
    } catch (error) {
      void made.end()
      throw error
    }
    const heartbeat = setInterval(() => void made.query('SELECT 1').catch(() => undefined), HEARTBEAT_MS).unref()
    made.once('end', () => {
      clearInterval(heartbeat)
      void reconnect()
    })
    return made
  }
  const reconnect = async (): Promise<void> => {
    client = undefined
    isBehind = true
    isReconnecting = true
    while (!isClosed && client === undefined) {
      await pause(RETRY_AFTER_MS)
      const made = await connect().catch(() => undefined)
      if (made && isClosed) await made.end().catch(() => undefined)
      else if (made) client = Promise.resolve(made)
    }
    isReconnecting = false
    await catchUp()
  }
  const catchUp = async (): Promise<void> => {
    isBehind = true
    if (isCatchingUp) return
    isCatchingUp = true
    while (isBehind && !isClosed) {
      isBehind = false // what is missed from now on is caught up in another round
      const caught = await Promise.all(catchUpActions.map(act => act())).then(
        () => true,
        () => false,
      )
      if (!caught) {
        isBehind = true
        await pause(RETRY_AFTER_MS)
      }
    }
    isCatchingUp = false
  }

  return {
    listen: async (channel, told) => {
      channels.set(channel, told)
      if (isReconnecting) return // the connection that is to come listens to all channels
      if (client) return void (await (await client).query(`LISTEN ${channel}`))
      client = connectOnceThereIsRoom(connect)
      client.catch(() => {
        client = undefined
      })
      await client
    },
    notify: async notifications => {
      const [channelNames, texts] = [notifications.map(([channel]) => channel), notifications.map(([, text]) => text)]
      await (await client)?.query({ name: 'notify', text: NOTIFY, values: [channelNames, texts] })
    },
    session: {
      rows: async <Row>({ text, values }: Sql) => {
        const connected = await client
        if (!connected) throw new Error('The connection to PostgreSQL on which replicas listen is not there.')
        return (await connected.query({ text, values })).rows as Row[]
      },
    },
    onReconnect: act => void catchUpActions.push(act),
    catchUp: () => void catchUp(),
    isConnected: () => client !== undefined && !isBehind && !isCatchingUp,
    close: async () => {
      isClosed = true
      const ended = client?.then(made => made.end()).catch(() => undefined)
      await Promise.race([ended, pause(CLOSE_TIMEOUT_MS)])
    },
  }
}

const NOTIFY = 'SELECT pg_notify(channel, text) FROM unnest($1::text[], $2::text[]) AS notification (channel, text)'

/** Makes PostgreSQL drop the connection of a replica that vanished after about ten seconds, which ends its claims; a NOTIFY waits for no disk. */
const SESSION_SETTINGS = `
  SET synchronous_commit = off; SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 10000`
