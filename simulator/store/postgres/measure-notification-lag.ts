import { pause, stopwatch } from '../../support/clock.ts'
import type { ListenNotifyConnection } from './listen-notify-connection.ts'

const TIMEOUT_MS = 1_000

/**
 * Creates the function that measures the milliseconds until this process hears a notification that it sends itself;
 * Infinity where it does not within a second.
 */
export const createNotificationLagMeter = (
  listener: Pick<ListenNotifyConnection, 'listen' | 'notify'>,
  channel: string,
): (() => Promise<number>) => {
  let sent = 0
  const waiting = new Map<string, () => void>()
  let listening: Promise<void> | undefined
  const listen = async (): Promise<void> => {
    listening ??= listener.listen(channel, id => waiting.get(id)?.())
    await listening.catch(error => {
      listening = undefined // again at the next measurement
      throw error
    })
  }
  const measure = async (id: string): Promise<number> => {
    await listen()
    const elapsed = stopwatch()
    const heard = new Promise<void>(resolve => waiting.set(id, resolve))
    await listener.notify([[channel, id]])
    return heard.then(elapsed)
  }
  return async () => {
    const id = String(++sent)
    const measured = measure(id).catch(() => Number.POSITIVE_INFINITY)
    const lag = await Promise.race([measured, pause(TIMEOUT_MS).then(() => Number.POSITIVE_INFINITY)])
    waiting.delete(id)
    return lag
  }
}
