import type { Store } from '../../simulator/store/store.ts'
import type { UnitOfWork, WriteSet } from '../../simulator/store/unit-of-work.ts'
import type { Plant } from './simulated-machine.ts'
import { turns } from './virtual-time.ts'

/** How often a planted fault shows: once in so many units of work that it concerns. */
const LOST_ONE_IN = 25
const DOUBLED_ONE_IN = 5
const COMMIT_LATER_TURNS = 20

const withTransact = (store: Store, transact: <Result>(unit: UnitOfWork<Result>) => Promise<Result>): Store => ({
  ...store,
  transact,
})

/** Faults that a test plants in the store of a simulated machine, by name. */
export const PLANTED_FAULTS = {
  /** A write is acknowledged and never made. */
  'a lost write': store => {
    let units = 0
    return withTransact(store, unit =>
      store.transact({
        ...unit,
        decide: loaded => {
          const { result, save } = unit.decide(loaded)
          if (save?.idempotentReply) units += 1
          return save?.idempotentReply && units % LOST_ONE_IN === 0 ? { result } : { result, ...(save && { save }) }
        },
      }),
    )
  },
  /** What a job does is done twice. */
  'a doubled job': store => {
    let units = 0
    return withTransact(store, async unit => {
      let again: UnitOfWork<unknown> | undefined
      const result = await store.transact({
        ...unit,
        decide: loaded => {
          const { result, save } = unit.decide(loaded)
          if (save?.finishedJobId === undefined || !save.change || save.change.events.length === 0)
            return { result, ...(save && { save }) }
          const { finishedJobId: _, outbox: __, ...doubled } = save
          units += 1
          if (units % DOUBLED_ONE_IN === 0) again = { ...unit, decide: () => ({ result: undefined, save: doubled }) }
          return { result, save }
        },
      })
      if (again) await store.transact(again)
      return result
    })
  },
  /** A result is handed out before its commit, for which other units of work wait. */
  'a response before its commit': store => {
    let before: Promise<unknown> = Promise.resolve()
    return withTransact(store, async unit => {
      const [turn, { promise, resolve: done }] = [before, Promise.withResolvers<void>()]
      before = promise
      await turn
      try {
        let saved: WriteSet | undefined
        const decide: typeof unit.decide = loaded => {
          const decided = unit.decide(loaded)
          saved = decided.save
          return { result: decided.result }
        }
        const result = await store.transact({ ...unit, decide })
        const save = saved
        const commit = () => store.transact({ ...unit, decide: () => ({ result: undefined, ...(save && { save }) }) })
        void turns(save ? COMMIT_LATER_TURNS : 0)
          .then(commit)
          .then(done, done)
        return result
      } catch (error) {
        done()
        throw error
      }
    })
  },
} as const satisfies Readonly<Record<string, Plant>>
