import { type Clock, isoTime } from './clock.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Operator } from './operator/operator.ts'
import { DEMO_ORGANIZATION } from './operator/organizations.ts'
import type { Store } from './store/port.ts'

type Parts = { store: Store; clock: Clock; jobs: Jobs; operator: Operator }

/**
 * Takes up where the last run ended: clocks, pending jobs, and the demo organization on the first start. Where the
 * machine's clock was put back meanwhile, an organization goes on from the last that it has seen (D-111), and is told of.
 */
export const resume = async ({ store, clock, jobs, operator }: Parts): Promise<string[]> => {
  if (!(await store.organization(DEMO_ORGANIZATION))) await operator.organizations.create(DEMO_ORGANIZATION)
  const notes: string[] = []
  for (const { organizationId, clock: setting, nextDue, lastTold = 0 } of await store.clocks()) {
    clock.set(organizationId, setting)
    if (lastTold > clock.now(organizationId)) {
      notes.push(
        `The machine's clock went back: that of ${organizationId} goes on from ${isoTime(lastTold)}, where it was; ` +
          'a reset lets it follow the machine again.',
      )
      await store.setClock(organizationId, clock.goOn(organizationId, { at: lastTold }))
    }
    jobs.scheduled(organizationId, nextDue)
  }
  return notes
}
