import type { Exchange } from '../../client/http-exchange.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import { type Ability, missingAbility } from '../../harness/profile/abilities-from-profile-lines.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import type { CheckContext } from '../context/check-context.ts'
import { armProviderCode } from '../drivers/arm-provider-code.ts'
import { findOutcomeCode } from '../evidence/outcome-reason-code.ts'
import { initiate, preparePayment, readTransactionId } from '../given/create-payments.ts'
import { readStatusUntil } from '../given/read-until.ts'
import { isByHand } from './signed-operation-columns.ts'

/** Lifecycle categories of a payment whose shopper's time is over: it may count as expired, declined or canceled (7.5). */
export const ENDED_BY_TIME = ['expired', 'declined', 'canceled']

/** After how long a payment that nobody approves is over (R6, R7), and the provider's code for that (7.5). */
const LAPSES = {
  BLIK: { wait: 'PT46S', code: '3003' },
  IRIS: { wait: 'PT33M1S', code: 'TIMEOUT' },
} as const

/**
 * Creates a payment whose shopper's time is over, and returns its id: by waiting, or by a mock with the provider's code
 * for that where no time passes. Throws Untestable where there is neither, EmptyCell where the response names no payment.
 */
export const createLapsedPayment = async (context: CheckContext): Promise<string> => {
  const { profile, shopper, clock, merchant } = context
  const method = shopper.methodFor('lapse')
  const choice = { will: 'lapse', autoCapture: !isByHand(context) } as const
  const { wait, code } = LAPSES[method]
  const isByCode = missingAbility(profile, `time.${wait}` as Ability) && profile.mocks?.providerCode !== undefined
  if (!isByCode) {
    const transactionId = readTransactionId(profile, await initiate(context, choice))
    await clock.pass(wait)
    return ended(context, transactionId)
  }
  const json = await preparePayment(context, choice)
  await armProviderCode(context, profile, json, code)
  const initiated = await merchant.request('initiate', { json })
  if (isNameless(profile, initiated)) throw new EmptyCell('an initiate that is declined names no payment here')
  return ended(context, readTransactionId(profile, initiated))
}

/** Whether an initiate tells that the shopper's time is over, and no payment (2.9). */
const isNameless = (profile: Profile, initiated: Exchange): boolean =>
  findOutcomeCode(profile, initiated) === '2000' &&
  findField(profile, initiated, 'initiate.transactionId') === undefined

const ended = async (context: CheckContext, transactionId: string): Promise<string> => {
  await readStatusUntil(context.profile, context, transactionId, ENDED_BY_TIME)
  return transactionId
}
