import { type Clock, END_OF_TIME, isoTime } from './clock.ts'
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
  for (const { organizationId, clock: setting } of await store.organizations()) {
    clock.set(organizationId, setting)
    const last = await lastSeen(store, organizationId, clock.now(organizationId))
    if (last !== undefined) {
      notes.push(
        `The machine's clock went back: that of ${organizationId} goes on from ${isoTime(last)}, where it was; ` +
          'a reset lets it follow the machine again.',
      )
      await store.setClock(organizationId, clock.goOn(organizationId, { at: last }))
    }
    await jobs.refresh(organizationId)
  }
  return notes
}

/** The newest instant of which merchants were told, if it is yet to come; plans may date what they tell ahead. */
const lastSeen = async (store: Store, organizationId: string, now: number): Promise<number | undefined> =>
  (await store.sendings(organizationId, now + 1, END_OF_TIME)).findLast(({ variant }) => variant.deeds === undefined)
    ?.dueAt
