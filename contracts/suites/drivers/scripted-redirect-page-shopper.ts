import { realTime } from '../../client/wall-clock.ts'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import type { ProviderId } from '../../protocol/provider-codes.ts'
import { awaitShopperOutcome, shopperDeadlineMs } from './await-shopper-outcome.ts'
import { runProfileCommand } from './run-profile-command.ts'
import { type PageTask, runPageScript } from './run-shopper-browser-script.ts'
import {
  isDecision,
  type PaymentToAct,
  type ShopperDriver,
  type ShopperDriverParts,
  type ShopperOutcome,
} from './shopper-driver-types.ts'

/**
 * Creates the shopper driver of a redirect page: the profile's own Playwright script (`shopper.browser`) or any command
 * (`shopper.command`).
 */
export const createPageShopper = (parts: ShopperDriverParts): ShopperDriver => {
  const { profile, ended } = parts
  return {
    lineFor: (provider, outcome) => pageLine(profile, provider, outcome),
    prepare: async body => body,
    act: async (payment, outcome) => {
      if (!isDecision(outcome)) return
      const line = pageLine(profile, payment.provider, outcome) ?? 'shopper.command'
      const task = pageTask(profile, payment, outcome)
      if (line === 'shopper.browser') await runPageScript(profile, task, ended)
      else {
        const { redirectUrl, transactionId } = task
        const timeoutMs = shopperDeadlineMs(profile)
        const given = { REDIRECT_URL: redirectUrl, OUTCOME: outcome, TRANSACTION_ID: transactionId }
        const env = { ...given, DEADLINE: new Date(realTime() + timeoutMs).toISOString() }
        await runProfileCommand(profile, 'shopper.command', { env, timeoutMs, ended })
      }
      await awaitShopperOutcome(parts, payment.transactionId, { line })
    },
  }
}

/** Stand-in for the profile line of a shopper who does nothing on a redirect page, for which no driver acts. */
export const NOBODY_OPENS = 'no line: a page that nobody opens'

const pageLine = ({ shopper }: Profile, provider: ProviderId, outcome: ShopperOutcome): string | undefined => {
  if (provider !== 'IRIS') return undefined
  if (!isDecision(outcome)) return NOBODY_OPENS
  if (shopper?.browser !== undefined) return 'shopper.browser'
  return shopper?.command && 'shopper.command'
}

const pageTask = (
  profile: Profile,
  { initiated, transactionId }: PaymentToAct,
  outcome: 'approve' | 'decline',
): PageTask => {
  const redirectUrl = findField(profile, initiated, 'initiate.redirectUrl')
  if (redirectUrl === undefined)
    throw new Untestable(`fields.initiate.redirectUrl finds no page: correct it in ${profile.file}`, initiated)
  return { redirectUrl: String(redirectUrl), outcome, transactionId }
}
