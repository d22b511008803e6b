import type { Store } from '../store/store.ts'
import { type Clock, pause } from '../support/clock.ts'
import { SECOND } from '../support/duration.ts'

type Parts = {
  store: Pick<Store, 'saveAttempt' | 'delivery'>
  clock: Clock
  closing: AbortSignal
  onError: (error: unknown) => void
}
type Made = Parameters<Store['saveAttempt']>[1]

/** Longest pause before an attempt is saved again, so that it is soon after a disk has space. */
const LONGEST_PAUSE = 30 * SECOND
/** Pause before an attempt is saved again that met a snapshot, reset or restore of its organization, in milliseconds. */
const BUSY_PAUSE = 100

/**
 * Creates the function that saves an attempt of a webhook delivery. Where it cannot be saved, as on a full disk, it is kept
 * and saved after a pause, each twice as long as the one before, since what was sent must not be sent again for that; a stop
 * meanwhile loses it. `onUnsaved` is called each time. A snapshot, reset or restore meanwhile is no failure: the attempt is
 * saved soon after it.
 */
export const createSaveAttempt =
  ({ store, clock, closing, onError }: Parts, firstPause: number) =>
  async (organizationId: string, made: Made, onUnsaved: () => void): Promise<void> => {
    const { deliveryId, attemptCount } = made.delivery
    /** Whether it was not saved after all, by a commit whose response was lost, and no reset or restore undid it. */
    const isStillToSave = async (): Promise<boolean> => {
      const saved = await store.delivery(organizationId, deliveryId)
      return saved !== undefined && saved.attemptCount < attemptCount && made.attempt.at <= clock.now(organizationId)
    }
    let isWanted = async () => true
    for (let wait = firstPause; !closing.aborted; ) {
      let next = BUSY_PAUSE
      try {
        if (!(await isWanted()) || (await store.saveAttempt(organizationId, made)) !== 'busy') return
      } catch (error) {
        onUnsaved()
        if (!closing.aborted) onError(error)
        next = wait
        wait = Math.min(2 * wait, LONGEST_PAUSE)
      }
      isWanted = isStillToSave
      await pause(next, closing)
    }
  }
