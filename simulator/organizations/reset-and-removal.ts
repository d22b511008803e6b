import type { JobScheduler } from '../jobs/job-scheduler.ts'
import type { Journal } from '../journal/journal.ts'
import type { Store } from '../store/store.ts'
import { type Clock, REAL_TIME_SETTING } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import type { DialectRegistry } from '../support/dialect-registry.ts'
import type { createSigningKeyRotation } from './forced-merchant-signing-key-rotation.ts'
import { DEMO_ORGANIZATION } from './organization-registry.ts'
import type { createTokenRevocation } from './token-revocation.ts'

type Parts = {
  store: Store
  clock: Clock
  jobs: JobScheduler
  journal: Journal
  keyRotation: ReturnType<typeof createSigningKeyRotation>
  tokens: Pick<ReturnType<typeof createTokenRevocation>, 'setBack'>
  dialects: Pick<DialectRegistry, 'use'>
  onChange: (organizationId: string) => void
}

/** Creates the functions that reset an organization to its initial state or remove it; others are not affected. */
export const createResetAndRemoval = ({
  store,
  clock,
  jobs,
  journal,
  dialects,
  keyRotation,
  tokens,
  onChange,
}: Parts) => {
  /** Resets the clock together with the rows, so that every call sees both changes or neither. */
  const withClock = async <Done>(organizationId: string, remove: (before: number) => Promise<Done>): Promise<Done> => {
    const [setting, before] = [clock.setting(organizationId), clock.now(organizationId)]
    clock.set(organizationId, REAL_TIME_SETTING)
    const done = await remove(before).catch(error => {
      clock.set(organizationId, setting)
      throw error
    })
    journal.clear(organizationId)
    onChange(organizationId)
    await jobs.refresh(organizationId)
    return done
  }

  return {
    /** Deletes all state except id, accounts, kit, keys, certificates and snapshots; returns the clock's time. */
    reset: async (organizationId: string): Promise<number> => {
      await keyRotation.restore(organizationId)
      await jobs.endRuns(organizationId)
      await withClock(organizationId, async before => {
        const now = clock.now(organizationId)
        if (now < before) await tokens.setBack(organizationId, now)
        await keyRotation.clamp(organizationId, now)
        await store.resetOrganization(organizationId)
      })
      return clock.now(organizationId)
    },

    /** Deletes the organization with everything of it; its certificates are no longer accepted. */
    remove: async (organizationId: string): Promise<void> => {
      if (organizationId === DEMO_ORGANIZATION)
        throw new ControlError(
          'conflict',
          `${DEMO_ORGANIZATION} is there in every sandbox and stays: reset it, or remove another organization.`,
        )
      void jobs.endRuns(organizationId) // a move that is being saved finds no row
      const removed = await withClock(organizationId, () => store.removeOrganization(organizationId))
      dialects.use(organizationId, undefined)
      if (!removed) throw new ControlError('unknown', `There is no organization ${organizationId} any more.`)
    },

    /** Deletes what calls have saved for an organization since it was removed. */
    clearRemoved: async (organizationId: string): Promise<void> => {
      if (!(await store.clearRemovedOrganization(organizationId))) return
      clock.set(organizationId, REAL_TIME_SETTING)
      dialects.use(organizationId, undefined)
      onChange(organizationId)
      await jobs.refresh(organizationId)
    },
  }
}
