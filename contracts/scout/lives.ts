import type { Exchange } from '../client/exchange.ts'
import { on } from '../suites/acts.ts'
import { initiate, settle, transactionIdOf } from '../suites/given.ts'
import type { World } from '../suites/world.ts'

/** How far a payment was when it was read. */
const STAGES = [
  'waiting',
  'authenticated',
  'authorized',
  'part',
  'captured',
  'settled',
  'returned',
  'refunded',
] as const
export type Stage = (typeof STAGES)[number] | 'declined' | 'canceled' | 'expired'
export type Read = { status: Exchange; events: Exchange }
export type Reads = ReadonlyMap<Stage, Read>

export const PART = 400
export const WHOLE = 1000

/** Leads payments through their lives and reads what each says at every stage; only a control address can. */
export const readLives = async (world: World): Promise<Reads> => {
  const reads = new Map<Stage, Read>()
  const begin = async () => transactionIdOf(world.profile, await initiate(world, false))
  const look = async (stage: Stage, id: string, { status, events } = on(world, id)) =>
    void reads.set(stage, { status: await status(), events: await events() })

  const long = await begin()
  const { finalize, capture, refund } = on(world, long)
  const steps: Record<(typeof STAGES)[number], () => Promise<unknown>> = {
    waiting: async () => undefined,
    authenticated: () => world.operator.shopper(long, 'approve'),
    authorized: finalize,
    part: () => capture(PART),
    captured: () => capture(WHOLE - PART),
    settled: () => settle(world.profile, world),
    returned: () => refund(PART),
    refunded: () => refund(WHOLE - PART),
  }
  for (const stage of STAGES) {
    await steps[stage]()
    await look(stage, long)
  }
  const unwanted = await begin()
  await world.operator.shopper(unwanted, 'decline')
  await look('declined', unwanted)
  const voided = await begin()
  await world.operator.shopper(voided, 'approve')
  await on(world, voided).finalize()
  await on(world, voided).cancel()
  await look('canceled', voided)
  const late = await begin()
  await world.operator.advance('PT46S')
  await look('expired', late)
  return reads
}
