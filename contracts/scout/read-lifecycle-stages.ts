import type { Exchange } from '../client/http-exchange.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { operationsOn } from '../suites/given/payment-operations.ts'
import { advancePastSettlement, initiate, readTransactionId } from '../suites/given/payments.ts'

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
  const initiated = async () => readTransactionId(context.profile, await initiate(context, false))
  const read = async (stage: LifecycleStage, id: string, { status, events } = operationsOn(context, id)) =>
    void reads.set(stage, { status: await status(), events: await events() })

  const main = await initiated()
  const { finalize, capture, refund } = operationsOn(context, main)
  const steps: Record<(typeof STAGES)[number], () => Promise<unknown>> = {
    waiting: async () => undefined,
    authenticated: () => context.driver.shopper(main, 'approve'),
    authorized: finalize,
    part: () => capture(PARTIAL_AMOUNT),
    captured: () => capture(FULL_AMOUNT - PARTIAL_AMOUNT),
    settled: () => advancePastSettlement(context.profile, context),
    returned: () => refund(PARTIAL_AMOUNT),
    refunded: () => refund(FULL_AMOUNT - PARTIAL_AMOUNT),
  }
  for (const stage of STAGES) {
    await steps[stage]()
    await read(stage, main)
  }
  const declined = await initiated()
  await context.driver.shopper(declined, 'decline')
  await read('declined', declined)
  const canceled = await initiated()
  await context.driver.shopper(canceled, 'approve')
  await operationsOn(context, canceled).finalize()
  await operationsOn(context, canceled).cancel()
  await read('canceled', canceled)
  const expired = await initiated()
  await context.driver.advance('PT46S')
  await read('expired', expired)
  return reads
}
