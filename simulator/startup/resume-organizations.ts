import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import type { JobScheduler } from '../jobs/job-scheduler.ts'
import { DEMO_ORGANIZATION } from '../organizations/organization-registry.ts'
import type { Store } from '../store/store.ts'
import { type Clock, isoTime, REAL_TIME_SETTING } from '../support/clock.ts'

type Parts = { store: Store; clock: Clock; jobs: JobScheduler; controlPlane: ControlPlaneFeatures }

/**
 * Restores the clocks and pending jobs of all organizations at a start, and creates the demo organization at the first.
 * Where the machine's clock went back, an organization's clock goes on from its last known time (D-111); returns a
 * sentence for each such organization, and for each whose dialect cannot be read.
 */
export const resumeOrganizations = async ({ store, clock, jobs, controlPlane }: Parts): Promise<string[]> => {
  if (!(await store.organization(DEMO_ORGANIZATION))) await controlPlane.organizations.create(DEMO_ORGANIZATION)
  const notes = await controlPlane.organizationDialects.refresh()
  for (const { organizationId, clock: setting, nextDue, lastMessageAt } of await store.organizationClocks()) {
    // Another replica may have told of a later setting while these were read.
    if (clock.setting(organizationId) === REAL_TIME_SETTING) {
      clock.set(organizationId, setting)
      notes.push(...(await keepFromGoingBack({ store, clock }, organizationId, lastMessageAt)))
    }
    jobs.scheduled(organizationId, nextDue)
  }
  return notes
}

/** Sets an organization's clock to its last known time where it would be behind that; returns the sentence for it. */
const keepFromGoingBack = async (
  { store, clock }: Pick<Parts, 'store' | 'clock'>,
  organizationId: string,
  lastKnown = 0,
): Promise<string[]> => {
  if (lastKnown <= clock.now(organizationId)) return []
  await store.setClock(organizationId, clock.adjust(organizationId, { at: lastKnown }))
  return [
    `The machine's clock went back: that of ${organizationId} goes on from ${isoTime(lastKnown)}, where it was; ` +
      'a reset lets it follow the machine again.',
  ]
}
