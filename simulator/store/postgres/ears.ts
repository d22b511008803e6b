import pg from 'pg'
import { pause } from '../../clock.ts'
import { connectionTo } from './open.ts'

/** Who listens, by channel; `again` when something may have been missed. */
export type Ears = {
  on(channel: string, told: (text: string) => void): Promise<void>
  /** Done again and again until it succeeds. */
  onAgain(act: () => Promise<void>): void
  /** Something was missed although the line holds. */
  missed(): void
  /** Whether the line holds, and nothing that was missed is yet to be caught up. */
  areOpen(): boolean
  close(): Promise<void>
}

const AGAIN_AFTER_MS = 200
/** A line that is cut without a word is noticed after so long, and the time in which an answer has to come. */
const LISTEN_EVERY_MS = 3_000
const CLOSE_WITHIN_MS = 1_000

/** One connection that listens, under a name of its own; where it breaks, it is made anew until it holds. */
export const openEars = (url: string, name: string, onFault: (error: unknown) => void): Ears => {
  const channels = new Map<string, (text: string) => void>()
  const again: (() => Promise<void>)[] = []
  let client: Promise<pg.Client> | undefined
  let [isClosed, isBehind, isCatchingUp] = [false, false, false]

  const connect = async (): Promise<pg.Client> => {
    const made = new pg.Client(connectionTo(url, name))
    made.on('error', onFault)
    made.on('notification', ({ channel, payload = '' }) => channels.get(channel)?.(payload))
    await made.connect()
    try {
      await made.query(NOTICE_THE_DEAD)
      for (const channel of channels.keys()) await made.query(`LISTEN ${channel}`)
    } catch (error) {
      void made.end()
      throw error
    }
    const pulse = setInterval(() => void made.query('SELECT 1').catch(() => undefined), LISTEN_EVERY_MS).unref()
    made.once('end', () => {
      clearInterval(pulse)
      void reconnect()
    })
    return made
  }
  const reconnect = async (): Promise<void> => {
    client = undefined
    isBehind = true
    while (!isClosed && client === undefined) {
      await pause(AGAIN_AFTER_MS)
      const made = await connect().catch(() => undefined)
      if (made) client = Promise.resolve(made)
    }
    await catchUp()
  }
  const catchUp = async (): Promise<void> => {
    isBehind = true
    if (isCatchingUp) return
    isCatchingUp = true
    while (isBehind && !isClosed) {
      isBehind = false // what is missed from now on is caught up in another round
      const caught = await Promise.all(again.map(act => act())).then(
        () => true,
        () => false,
      )
      if (!caught) {
        isBehind = true
        await pause(AGAIN_AFTER_MS)
      }
    }
    isCatchingUp = false
  }

  return {
    on: async (channel, told) => {
      channels.set(channel, told)
      if (client) await (await client).query(`LISTEN ${channel}`)
      client ??= connect()
      await client
    },
    onAgain: act => void again.push(act),
    missed: () => void catchUp(),
    areOpen: () => client !== undefined && !isBehind && !isCatchingUp,
    close: async () => {
      isClosed = true
      const ended = client?.then(made => made.end()).catch(() => undefined)
      await Promise.race([ended, pause(CLOSE_WITHIN_MS)])
    },
  }
}

/** A replica whose machine is gone without a word is no longer seen after about ten seconds, and claims nothing. */
const NOTICE_THE_DEAD = `
  SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 10000`
