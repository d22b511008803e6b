import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Store } from '../store/port.ts'
import { type Attempt, attempt, type Executed } from './attempt.ts'
import { rememberedReply } from './idempotency.ts'
import { needsOf } from './needs.ts'
import { type Oddity, shaped } from './oddity.ts'
import type { OperationCall, Registered, Rules } from './operation.ts'

type Parts = { store: Store; clock: Clock; ids: Ids; jobs: Jobs; rules: Rules }

/**
 * The one write path: replay what is remembered under the key, or load, decide and save in one piece.
 * Units of work never overlap, so that thirty identical calls at once have one effect (I3).
 */
export const createExecute =
  ({ store, clock, ids, jobs, rules }: Parts) =>
  async (call: OperationCall, registered: Registered, oddity?: Oddity): Promise<Executed> => {
    const { organizationId } = call
    await (call.key === undefined ? jobs.catchUp(organizationId) : jobs.runDue(organizationId))
    const attemptNow = async (): Promise<Executed> => {
      const now = clock.now(organizationId)
      const attempted = await store.perform<Attempt | undefined>({
        organizationId,
        now,
        needs: needsOf(call, registered, now),
        decide: loaded => {
          if (clock.now(organizationId) < now) return { result: undefined } // a reset or a restore came first
          const reply = rememberedReply(call, loaded)
          if (reply) return { result: { executed: { ...reply, replayed: true }, save: {} } }
          oddity?.hold(call.key)
          const plain = attempt(call, registered, loaded, { ids, rules, now })
          const result = oddity ? shaped(plain, oddity) : plain
          return { result, save: result.save }
        },
      })
      return attempted?.executed ?? attemptNow()
    }
    return attemptNow()
  }
