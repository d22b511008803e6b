import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import type { JobScheduler } from '../jobs/job-scheduler.ts'
import { DEMO_ORGANIZATION } from '../organizations/organization-registry.ts'
import type { Store } from '../store/store.ts'
import { type Clock, isoTime } from '../support/clock.ts'

type Parts = { store: Store; clock: Clock; jobs: JobScheduler; controlPlane: ControlPlaneFeatures }

/**
 * Restores the clocks and pending jobs of all organizations at a start, and creates the demo organization at the first.
 * Where the machine's clock went back, an organization's clock goes on from its last known time (D-111); returns a
 * sentence for each such organization, and for each whose dialect cannot be read.
 */
export const resumeOrganizations = async ({ store, clock, jobs, controlPlane }: Parts): Promise<string[]> => {
  if (!(await store.organization(DEMO_ORGANIZATION))) await controlPlane.organizations.create(DEMO_ORGANIZATION)
  const notes = await controlPlane.organizationDialects.refresh()
  for (const {
    organizationId,
    clock: setting,
    nextDue,
    lastMessageAt: lastTold = 0,
  } of await store.organizationClocks()) {
    clock.set(organizationId, setting)
    if (lastTold > clock.now(organizationId)) {
      notes.push(
        `The machine's clock went back: that of ${organizationId} goes on from ${isoTime(lastTold)}, where it was; ` +
          'a reset lets it follow the machine again.',
      )
      await store.setClock(organizationId, clock.adjust(organizationId, { at: lastTold }))
    }
    jobs.scheduled(organizationId, nextDue)
  }
  return notes
}
