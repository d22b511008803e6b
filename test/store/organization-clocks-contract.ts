import { describe, expect, test } from 'vitest'
import { REAL_TIME_SETTING } from '../../simulator/support/clock.ts'
import { type OpenStore, openTwoOrganizations } from './open-two-organizations.ts'
import { dueJob, writeInUnit } from './run-unit-of-work.ts'
import { change, payment } from './sample-records.ts'
import { ATTEMPT, deliveryRecord, messageRecord, NO_OUTBOX_ENTRIES } from './webhooks-contract.ts'

/** Defines the contract tests of every store on the clocks of all organizations. */
export const clocksContract = (name: string, openStore: OpenStore): void => {
  describe(`${name}: clocks`, () => {
    test('R6, D-111: list the next due time and the last notification of each organization', async () => {
      const { store } = await openTwoOrganizations(openStore)
      const FROZEN = { anchorReal: 1, anchorVirtual: 2, rate: 0 }
      await store.setClock('shop', FROZEN)
      const none = { nextDue: undefined, lastMessageAt: undefined }
      const other = { organizationId: 'other', clock: REAL_TIME_SETTING, ...none }
      const clocks = async () => store.organizationClocks()
      expect(await clocks()).toEqual([other, { organizationId: 'shop', clock: FROZEN, ...none }])
      const ahead = messageRecord('ahead', 90, { variation: { deviations: [{ kind: 'delay', by: 80 }] as never } })
      const ping = messageRecord('ping', 80, { type: 'PING' })
      const messages = [messageRecord('b', 20), messageRecord('a', 10), ping, ahead]
      await writeInUnit(store, {
        outbox: { ...NO_OUTBOX_ENTRIES, messages, deliveries: [deliveryRecord('d', 'a', 30)] },
      })
      expect(await clocks()).toMatchObject([other, { nextDue: 30, lastMessageAt: 20 }])
      await writeInUnit(store, { change: change(payment('t'), [{ name: 'shopper-window', dueAt: 25 }]) })
      expect(await clocks()).toMatchObject([other, { nextDue: 25, lastMessageAt: 20 }])
      const { dueAt: _, ...over } = deliveryRecord('d', 'a', 30)
      await store.saveAttempt('shop', { delivery: over, attempt: ATTEMPT })
      const job = await dueJob(store, 'shop', 99)
      await writeInUnit(store, { finishedJobId: job?.jobId })
      expect(await clocks()).toMatchObject([other, { nextDue: undefined, lastMessageAt: 20 }])
    })
  })
}
