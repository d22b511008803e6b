import type { WriteSet } from '../../../simulator/store/unit-of-work.ts'
import type { Message } from '../../../simulator/store/webhook-store.ts'
import type { Mutant, Mutation } from './mutant.ts'
import { mutateStore, mutateWriteSet } from './simulator-mutations.ts'

type Told = NonNullable<WriteSet['outbox']>

/** Changes what merchants are told on its way into the store. */
const telling = (change: (told: Told) => Told | undefined): Mutation =>
  mutateWriteSet(save => save.outbox && { ...save, outbox: change(save.outbox) })

const sending = (change: (sending: Message, index: number, all: readonly Message[]) => Message) =>
  telling(told => ({ ...told, messages: told.messages.map(change) }))

/** The second of two that are the same gets an id of its own. */
const renumbered = (one: Message, index: number, all: readonly Message[]): Message => {
  const again = all.slice(0, index).some(({ notificationId }) => notificationId === one.notificationId)
  return again ? { ...one, notificationId: one.messageId } : one
}

const givingUp = mutateStore((store, hits) => ({
  saveAttempt: (organizationId, { delivery: { dueAt, ...delivery }, attempt }) => {
    hits.count += 1
    const over = dueAt === undefined ? delivery : { ...delivery, state: 'dropped' as const }
    return store.saveAttempt(organizationId, { delivery: over, attempt })
  },
}))

// biome-ignore format: a table reads by its columns
export const WEBHOOK_MUTANTS: readonly Mutant[] = [
  { does: 'tells of other payments',            caughtBy: ['EVT-01'], mutation: sending(one => ({ ...one, body: one.body.replace(/"transactionId":"./, '"transactionId":"x') })) },
  { does: 'tells of an outcome that was none',  caughtBy: ['EVT-02'], mutation: sending(one => ({ ...one, body: one.body.replace('"APPROVED"', '"DECLINED"') })) },
  { does: 'signs webhooks with a lost key',     caughtBy: ['EVT-03'], mutation: sending(one => ({ ...one, variation: { wrongKey: true } })) },
  { does: 'numbers what it repeats anew',       caughtBy: ['EVT-04'], mutation: sending(renumbered) },
  { does: 'tries every webhook once',           caughtBy: ['EVT-05'], mutation: givingUp },
  { does: 'tells nobody',                       caughtBy: ['EVT-01'], mutation: telling(() => undefined) },
]
