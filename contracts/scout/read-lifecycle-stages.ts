import type { Exchange } from '../client/http-exchange.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import type { ShopperOutcome } from '../suites/drivers/shopper-driver.ts'
import { operationsOn } from '../suites/given/payment-operations.ts'
import { initiate, letShopper, readTransactionId, waitForSettlement } from '../suites/given/payments.ts'

/** Stages of a payment at which status and events are read, in order. */
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
export type LifecycleStage = (typeof STAGES)[number] | 'declined' | 'canceled' | 'expired'
export type StageExchanges = { status: Exchange; events: Exchange }
export type ExchangesByStage = ReadonlyMap<LifecycleStage, StageExchanges>

/** Amounts of a partial capture or refund, and of a whole payment, in minor units. */
export const PARTIAL_AMOUNT = 400
export const FULL_AMOUNT = 1000

/** Takes payments through every stage and reads status and events at each; needs a control address. */
export const readLifecycles = async (context: CheckContext): Promise<ExchangesByStage> => {
  const reads = new Map<LifecycleStage, StageExchanges>()
  const initiated = (will: ShopperOutcome = 'approve') => initiate(context, { will, autoCapture: false })
  const read = async (stage: LifecycleStage, id: string, { status, events } = operationsOn(context, id)) =>
    void reads.set(stage, { status: await status(), events: await events() })

  const begun = await initiated()
  const main = readTransactionId(context.profile, begun)
  const { finalize, capture, refund } = operationsOn(context, main)
  const steps: Record<(typeof STAGES)[number], () => Promise<unknown>> = {
    waiting: async () => undefined,
    authenticated: () => letShopper(context.profile, context, begun),
    authorized: finalize,
    part: () => capture(PARTIAL_AMOUNT),
    captured: () => capture(FULL_AMOUNT - PARTIAL_AMOUNT),
    settled: () => waitForSettlement(context.profile, context),
    returned: () => refund(PARTIAL_AMOUNT),
    refunded: () => refund(FULL_AMOUNT - PARTIAL_AMOUNT),
  }
  for (const stage of STAGES) {
    await steps[stage]()
    await read(stage, main)
  }
  const declined = await letShopper(context.profile, context, await initiated('decline'), { will: 'decline' })
  await read('declined', declined)
  const canceled = await letShopper(context.profile, context, await initiated())
  await operationsOn(context, canceled).finalize()
  await operationsOn(context, canceled).cancel()
  await read('canceled', canceled)
  const expired = readTransactionId(context.profile, await initiated('lapse'))
  await context.clock.pass('PT46S')
  await read('expired', expired)
  return reads
}
