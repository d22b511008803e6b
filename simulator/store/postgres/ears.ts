import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { connectionTo } from './open.ts'

/** Who listens, by channel; `again` when something may have been missed. */
export type Ears = {
  on(channel: string, told: (text: string) => void): Promise<void>
  onAgain(act: () => void): void
  close(): Promise<void>
}

const AGAIN_AFTER_MS = 200

/** One connection that listens, under a name of its own; where it breaks, it is made anew until it holds. */
export const openEars = (url: string, name: string, onFault: (error: unknown) => void): Ears => {
  const channels = new Map<string, (text: string) => void>()
  const again: (() => void)[] = []
  let [client, isClosed]: [Promise<pg.Client> | undefined, boolean] = [undefined, false]

  const connect = async (): Promise<pg.Client> => {
    const made = new pg.Client(connectionTo(url, name))
    made.on('error', onFault)
    made.on('notification', ({ channel, payload = '' }) => channels.get(channel)?.(payload))
    await made.connect()
    for (const channel of channels.keys()) await made.query(`LISTEN ${channel}`)
    made.once('end', () => void reconnect())
    return made
  }
  const reconnect = async (): Promise<void> => {
    client = undefined
    while (!isClosed && client === undefined) {
      await pause(AGAIN_AFTER_MS, undefined, { ref: false })
      const made = await connect().catch(() => undefined)
      if (made) client = Promise.resolve(made)
    }
    if (!isClosed) for (const act of again) act()
  }

  return {
    on: async (channel, told) => {
      channels.set(channel, told)
      if (client) await (await client).query(`LISTEN ${channel}`)
      client ??= connect()
      await client
    },
    onAgain: act => void again.push(act),
    close: async () => {
      isClosed = true
      await (await client?.catch(() => undefined))?.end()
    },
  }
}
