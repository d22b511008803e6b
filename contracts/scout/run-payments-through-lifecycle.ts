import { type Exchange, isServed } from '../client/http-exchange.ts'
import { Blocked, Untestable, Withheld } from '../harness/judge/verdict-errors.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import type { ShopperOutcome } from '../suites/drivers/shopper-driver-types.ts'
import { operationsOn } from '../suites/given/calls-on-payment.ts'
import { initiate, letShopper, readTransactionId, waitForSettlement } from '../suites/given/create-payments.ts'

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
type StageExchanges = { status: Exchange; events: Exchange }
export type ExchangesByStage = ReadonlyMap<LifecycleStage, StageExchanges>

/** Amount of a partial capture or refund that `scout` makes, in minor units. */
export const PARTIAL_AMOUNT = 400
/** Amount of a whole payment that `scout` makes, in minor units. */
export const FULL_AMOUNT = 1000

/** Takes payments of `scout` through every stage and reads status and events at each, as far as drivers go. */
export const readLifecycles = async (context: CheckContext): Promise<ExchangesByStage> => {
  const reads = new Map<LifecycleStage, StageExchanges>()
  const initiated = (will: ShopperOutcome = 'approve') =>
    initiate(context, { will, ...(will !== 'wait' && { autoCapture: false }) }) // which not every method of who waits allows
  const read = async (stage: LifecycleStage, id: string, { status, events } = operationsOn(context, id)) =>
    void reads.set(stage, { status: await status(), events: await events() })

  const begun = await initiated()
  const main = readTransactionId(context.profile, begun)
  const { finalize, capture, refund } = operationsOn(context, main)
  const restAfter = (stage: 'part' | 'returned') => (reads.has(stage) ? FULL_AMOUNT - PARTIAL_AMOUNT : FULL_AMOUNT)
  /** Steps to the stages; a refused call leads to none, as that of a service without partial captures. */
  const steps: Record<(typeof STAGES)[number], () => Promise<Exchange | undefined>> = {
    waiting: async () => undefined,
    authenticated: async () => void (await letShopper(context.profile, context, begun)),
    authorized: finalize,
    part: () => capture(PARTIAL_AMOUNT),
    captured: () => capture(restAfter('part')),
    settled: async () => void (await waitForSettlement(context.profile, context)),
    returned: () => refund(PARTIAL_AMOUNT),
    refunded: () => refund(restAfter('returned')),
  }
  const others: Partial<Record<LifecycleStage, () => Promise<string>>> = {
    declined: async () => letShopper(context.profile, context, await initiated('decline'), { will: 'decline' }),
    canceled: async () => {
      const canceled = await letShopper(context.profile, context, await initiated())
      await operationsOn(context, canceled).finalize()
      await operationsOn(context, canceled).cancel()
      return canceled
    },
    expired: async () => {
      const expired = readTransactionId(context.profile, await initiated('lapse'))
      await context.clock.pass('PT46S')
      return expired
    },
    // Only a simulator's shopper surely waits to be told; any other may have acted on the first payment already.
    ...(!context.profile.control && {
      waiting: async () => readTransactionId(context.profile, await initiated('wait')),
    }),
  }
  await asFarAsDriversGo(async () => {
    for (const stage of STAGES) {
      const exchange = await steps[stage]()
      if (!(stage in others) && (!exchange || isServed(exchange))) await read(stage, main)
    }
  })
  for (const [stage, lead] of Object.entries(others))
    await asFarAsDriversGo(async () => read(stage as LifecycleStage, await lead()))
  return reads
}

/** Stops quietly where no driver of the profile does what is next or its `patience` is shorter, or the driver did not do it. */
const asFarAsDriversGo = async (act: () => Promise<unknown>): Promise<void> => {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof Untestable || error instanceof Blocked || error instanceof Withheld)) throw error
  }
}
