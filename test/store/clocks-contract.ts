import { describe, expect, test } from 'vitest'
import { REAL_TIME } from '../../simulator/clock.ts'
import { change, payment, save } from './records.ts'
import { type OpenStore, twoShops } from './two-shops.ts'
import { ATTEMPT, delivery, NOTHING, sending } from './webhooks-contract.ts'

/** What every adapter tells of the clocks of all organizations. */
export const clocksContract = (name: string, openStore: OpenStore): void => {
  describe(`${name}: clocks`, () => {
    test('R6, D-111: tell of all organizations at once what they wait for, and the last of which they were told', async () => {
      const { store } = await twoShops(openStore)
      const FROZEN = { anchorReal: 1, anchorVirtual: 2, rate: 0 }
      await store.setClock('shop', FROZEN)
      const none = { nextDue: undefined, lastTold: undefined }
      const other = { organizationId: 'other', clock: REAL_TIME, ...none }
      const clocks = async () => store.clocks()
      expect(await clocks()).toEqual([other, { organizationId: 'shop', clock: FROZEN, ...none }])
      const ahead = sending('ahead', 90, { variant: { deeds: [{ kind: 'delay', by: 80 }] as never } })
      const ping = sending('ping', 80, { type: 'PING' })
      const sendings = [sending('b', 20), sending('a', 10), ping, ahead]
      await save(store, { told: { ...NOTHING, sendings, deliveries: [delivery('d', 'a', 30)] } })
      expect(await clocks()).toMatchObject([other, { nextDue: 30, lastTold: 20 }])
      await save(store, { change: change(payment('t'), [{ name: 'shopper-window', dueAt: 25 }]) })
      expect(await clocks()).toMatchObject([other, { nextDue: 25, lastTold: 20 }])
      const { dueAt: _, ...over } = delivery('d', 'a', 30)
      await store.saveTry('shop', { delivery: over, attempt: ATTEMPT })
      const job = await store.dueJob('shop', 99)
      await save(store, { finishedJobId: job?.jobId })
      expect(await clocks()).toMatchObject([other, { nextDue: undefined, lastTold: 20 }])
    })
  })
}
