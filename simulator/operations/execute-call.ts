import { decideAfterDueJobs } from '../jobs/decide-after-due-jobs.ts'
import type { JobScheduler } from '../jobs/job-scheduler.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../support/clock.ts'
import type { Ids } from '../support/ids.ts'
import { decideCall, type ExecutedCall } from './decide-call.ts'
import { findIdempotentReply, scopedKey } from './idempotency.ts'
import type { OperationCall, OperationDefinition, RulesOf } from './operation-types.ts'
import type { PaymentQuota } from './payment-quota.ts'
import { selectRecordsToLoad } from './select-records-to-load.ts'
import { type ResponseVariation, varyResponseAndSavedReply } from './vary-response-and-saved-reply.ts'

type Parts = {
  store: Store
  clock: Clock
  ids: Ids
  jobs: JobScheduler
  rulesOf: RulesOf
  /** Without one, an organization may have any number of payments. */
  paymentQuota?: PaymentQuota | undefined
}

/**
 * Creates the executor of API calls: replays the reply saved under the key, or loads, decides and saves in one unit of
 * work. Units of one payment or of one key never overlap, so that thirty identical concurrent calls have one effect (I3).
 */
export const createExecute =
  ({ store, clock, ids, jobs, rulesOf, paymentQuota }: Parts) =>
  async (
    received: OperationCall,
    definition: OperationDefinition,
    variation?: ResponseVariation,
  ): Promise<ExecutedCall> => {
    const { organizationId } = received
    const call = { ...received, key: scopedKey(received, rulesOf(organizationId).choices) }
    const runDue = call.key === undefined ? jobs.catchUp : jobs.runDue
    const place = await paymentQuota?.takePlace(organizationId, call.operation)
    let isTaken = false
    const executed = decideAfterDueJobs({ store, clock, jobs, runDue }, organizationId, now => {
      const rules = rulesOf(organizationId)
      return {
        needs: selectRecordsToLoad(call, definition, { now, rules }),
        decide: loaded => {
          const reply = findIdempotentReply(call, loaded)
          if (reply) return { result: { ...reply, replayed: true }, save: {} }
          if (place?.refusal) throw place.refusal
          variation?.hold(call.key)
          const plain = decideCall(call, definition, loaded, { ids, rules, now })
          isTaken = plain.save.change !== undefined
          const { executed, save } = variation ? varyResponseAndSavedReply(plain, variation) : plain
          return { result: executed, save }
        },
      }
    })
    return place ? executed.finally(() => isTaken || place.giveBack()) : executed
  }
