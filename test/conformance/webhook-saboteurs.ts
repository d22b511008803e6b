import type { Save } from '../../simulator/store/port.ts'
import type { Sending } from '../../simulator/webhooks/notification.ts'
import { type Sabotage, type Saboteur, saving, storing } from './sabotage.ts'

type Told = NonNullable<Save['told']>

/** Changes what merchants are told on its way into the store. */
const telling = (change: (told: Told) => Told | undefined): Sabotage =>
  saving(save => save.told && { ...save, told: change(save.told) })

const sending = (change: (sending: Sending, index: number, all: readonly Sending[]) => Sending) =>
  telling(told => ({ ...told, sendings: told.sendings.map(change) }))

/** The second of two that are the same gets an id of its own. */
const renumbered = (one: Sending, index: number, all: readonly Sending[]): Sending => {
  const again = all.slice(0, index).some(({ notificationId }) => notificationId === one.notificationId)
  return again ? { ...one, notificationId: one.sendingId } : one
}

const givingUp = storing((store, hits) => ({
  saveTry: (organizationId, { delivery: { dueAt, ...delivery }, attempt }) => {
    hits.count += 1
    const over = dueAt === undefined ? delivery : { ...delivery, state: 'dropped' as const }
    return store.saveTry(organizationId, { delivery: over, attempt })
  },
}))

// biome-ignore format: a table reads by its columns
export const WEBHOOK_SABOTEURS: readonly Saboteur[] = [
  { does: 'tells of other payments',            caughtBy: ['EVT-01'], sabotage: sending(one => ({ ...one, body: one.body.replace(/"transactionId":"./, '"transactionId":"x') })) },
  { does: 'tells of an outcome that was none',  caughtBy: ['EVT-02'], sabotage: sending(one => ({ ...one, body: one.body.replace('"APPROVED"', '"DECLINED"') })) },
  { does: 'signs webhooks with a lost key',     caughtBy: ['EVT-03'], sabotage: sending(one => ({ ...one, variant: { wrongKey: true } })) },
  { does: 'numbers what it repeats anew',       caughtBy: ['EVT-04'], sabotage: sending(renumbered) },
  { does: 'tries every webhook once',           caughtBy: ['EVT-05'], sabotage: givingUp },
  { does: 'tells nobody',                       caughtBy: ['EVT-01'], sabotage: telling(() => undefined) },
]
