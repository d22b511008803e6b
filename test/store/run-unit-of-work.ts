import type { Store } from '../../simulator/store/store.ts'
import type { Job, Loaded, ReadSet, WriteSet } from '../../simulator/store/unit-of-work.ts'

/** Runs a unit of work in a store test that only reads; returns the loaded data. */
export const readInUnit = (store: Store, needs: ReadSet, organizationId = 'shop', now = 0): Promise<Loaded> =>
  store.transact({ organizationId, now, needs, decide: loaded => ({ result: loaded }) })

/** Runs a unit of work in a store test that only writes. */
export const writeInUnit = (store: Store, saved: WriteSet, organizationId = 'shop'): Promise<void> =>
  store.transact({
    organizationId,
    now: 0,
    needs: { jobId: saved.finishedJobId },
    decide: () => ({ result: undefined, save: saved }),
  })

/** Returns the first job of an organization that is due. */
export const dueJob = async (store: Store, organizationId: string, now: number): Promise<Job | undefined> =>
  (await store.dueJobs(organizationId, now, 1))[0]

/** Returns the due time of an organization's first job. */
export const nextDue = async (store: Store, organizationId: string): Promise<number | undefined> =>
  (await dueJob(store, organizationId, Number.MAX_SAFE_INTEGER))?.dueAt
