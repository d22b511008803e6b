import { type Clock, REAL_TIME } from '../clock.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Journal } from '../journal/journal.ts'
import type { Store } from '../store/port.ts'
import type { createKeyRotation } from './key-rotation.ts'
import { OperatorError } from './operator-error.ts'
import { DEMO_ORGANIZATION } from './organizations.ts'

type Parts = {
  store: Store
  clock: Clock
  jobs: Jobs
  journal: Journal
  keyRotation: ReturnType<typeof createKeyRotation>
  onChange: (organizationId: string) => void
}

/** Takes back all that happened to an organization, or the organization itself; no other one notices. */
export const createFreshStart = ({ store, clock, jobs, journal, keyRotation, onChange }: Parts) => {
  /** The clock changes with the rows, before any call can look: each finds all of it done, or nothing. */
  const withClock = async <Done>(organizationId: string, emptied: Promise<Done>): Promise<Done> => {
    clock.set(organizationId, REAL_TIME)
    const done = await emptied
    journal.forget(organizationId)
    onChange(organizationId)
    await jobs.refresh(organizationId)
    return done
  }

  return {
    /** Who the organization is stays: id, accounts, kit, keys and certificates; so does what it has put by. */
    reset: async (organizationId: string): Promise<number> => {
      await keyRotation.restore(organizationId)
      await withClock(organizationId, store.resetOrganization(organizationId))
      return clock.now(organizationId)
    },

    /** Nothing of it stays; from now on its certificates are a stranger's. */
    remove: async (organizationId: string): Promise<void> => {
      if (organizationId === DEMO_ORGANIZATION)
        throw new OperatorError(
          'conflict',
          `${DEMO_ORGANIZATION} is there in every sandbox and stays: reset it, or remove another organization.`,
        )
      const removed = await withClock(organizationId, store.removeOrganization(organizationId))
      if (!removed) throw new OperatorError('unknown', `There is no organization ${organizationId} any more.`)
    },
  }
}
