import type { Clock } from '../clock.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Store } from '../store/port.ts'

type Parts = { store: Store; clock: Clock; jobs: Jobs }

/** Moves an organization's clock forward; everything that falls due on the way happens, in order. */
export const createClockControl = ({ store, clock, jobs }: Parts) => {
  const setOffset = async (organizationId: string, offset: number): Promise<void> => {
    clock.setOffset(organizationId, offset)
    await store.setClockOffset(organizationId, offset)
    await jobs.refresh(organizationId)
  }
  return {
    /** Milliseconds forward; answers with the new time and how many jobs ran. */
    advance: async (organizationId: string, milliseconds: number) => {
      await setOffset(organizationId, clock.offset(organizationId) + milliseconds)
      const ran = await jobs.runDue(organizationId)
      return { now: clock.now(organizationId), ran }
    },
    /** To the last due time there is: afterwards nothing waits for the clock. */
    drain: async (organizationId: string) => {
      const moveTo = (instant: number) =>
        setOffset(organizationId, clock.offset(organizationId) + instant - clock.now(organizationId))
      const ran = await jobs.drain(organizationId, moveTo)
      return { now: clock.now(organizationId), ran }
    },
  }
}
