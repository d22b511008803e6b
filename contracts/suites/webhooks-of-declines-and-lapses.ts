import type { Exchange } from '../client/http-exchange.ts'
import type { CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { Untestable } from '../harness/judge/verdict-errors.ts'
import { patienceSeconds } from '../harness/profile/abilities-from-profile-lines.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { findField } from '../harness/profile/response-fields-and-line-advice.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { openWebhookSource } from './drivers/open-webhook-source.ts'
import { expectPremiseState } from './evidence/expect-premise.ts'
import { hasReason } from './evidence/outcome-reason-code.ts'
import { expectCome, toldBy } from './evidence/read-notification.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { initiate, letShopper, type PaymentChoice, readTransactionId } from './given/create-payments.ts'
import { ENDED } from './given/read-failed-payment-outcome.ts'
import { readStatusUntil, readUntil } from './given/read-until.ts'
import { ensureTied, readDeliveries } from './grid/events-and-webhooks-of-step.ts'
import { bankSeconds } from './shopper-decisions.ts'

type Step = 'status' | 'events' | 'webhooks'

/** Words for a payment that came to nothing: by the profile, and by the events of this one. */
const endingWords = (profile: Profile, events: Exchange): readonly string[] => {
  const shown = findField(profile, events, 'events.status')
  const stated = ENDED.flatMap(category => profile.states?.[category] ?? [])
  return [...stated, ...(profile.errors?.declined?.words ?? []), ...(shown === undefined ? [] : [String(shown)])]
}

/** The words for the status in all webhooks that came. */
const wordsTold = (profile: Profile, came: Exchange): readonly string[] =>
  readDeliveries(came).webhooks.map(webhook => String(findField(profile, toldBy(came, webhook), 'webhook.status')))

/** Whether one of the webhooks that came tells that their payment is over. */
export const tellsEnd = (profile: Profile, came: Exchange, events: Exchange): boolean =>
  wordsTold(profile, came).some(word => endingWords(profile, events).includes(word))

/** Throws Untestable where webhooks have words of their own, which neither the states nor the events of the profile name. */
const ensureKnownWords = (profile: Profile, came: Exchange, events: Exchange): void => {
  const told = wordsTold(profile, came)
  const stated = Object.values(profile.states ?? {}).flat()
  if (told.length === 0 || findField(profile, events, 'events.status') !== undefined) return
  if (told.some(word => stated.includes(word))) return
  const line = 'fields.webhook.status'
  throw new Untestable(`webhooks say ${told.join(', ')}, which is none of the states of ${profile.file}`, came, line)
}

/** What is read of a payment that ended, and of its webhooks; `what` names the end. */
type ToldEnd = { what: string; status: Exchange; came: Exchange; events: Exchange; reasonCode?: string }

/**
 * Expects the end of a payment to be told by a webhook, as an end; one that gives a reason gives this one, which is stated
 * (7.3, 7.5).
 */
export const expectEndTold = (expect: Expect, { what, status, came, events, reasonCode }: ToldEnd): void => {
  const { profile } = expect
  expectPremiseState(status, expect, ...ENDED)
  ensureTied(profile, came)
  ensureKnownWords(profile, came, events)
  expectCome(tellsEnd(profile, came, events), `webhook of the ${what}`, came, expect)
  const reasons = readDeliveries(came)
    .webhooks.map(webhook => toldBy(came, webhook))
    .filter(told => endingWords(profile, events).includes(String(findField(profile, told, 'webhook.status'))))
    .filter(told => hasReason(profile, told, 'webhook'))
    .map(told => String(findField(profile, told, 'webhook.reasonCode')))
  if (reasonCode !== undefined && reasons.length > 0)
    expect.holds(reasons.includes(reasonCode), `the reason ${reasonCode}`, reasons.join(', '), came)
}

/** How a payment ends without money, and how a merchant learns of it. */
type End = {
  id: string
  clause: string
  title: string
  /** What the webhook is of: `decline`. */
  what: string
  choice: PaymentChoice
  /** Its reasonCode (7.3, 7.5). */
  reasonCode: string
  needs: readonly string[]
  /** Lets the shopper end the payment, or time. */
  end(context: CheckContext, initiated: Exchange, choice: PaymentChoice): Promise<unknown>
}

/** Creates the scenario of one end of a payment, with the check of its webhook: results are learned by webhook (1, 6, E5). */
const webhookOfEnd = ({
  id,
  clause,
  title,
  what,
  choice,
  reasonCode,
  needs,
  end,
}: End): CheckScenario<CheckContext, Step> => ({
  name: `the webhook of a ${what}`,
  tier: 3,
  needs: ['webhooks.receive', 'fields.initiate.transactionId', ...needs],
  play: async (context, keep) => {
    const { profile } = context
    const source = await openWebhookSource(context)
    try {
      const initiated = await initiate(context, choice)
      await end(context, initiated, choice)
      const transactionId = readTransactionId(profile, initiated)
      const withinSeconds = bankSeconds(profile)
      await keep('status', readStatusUntil(profile, context, transactionId, ENDED, { withinSeconds }))
      const events = await keep('events', operationsOn(context, transactionId).events())
      const limits = profile.control ? {} : { withinSeconds: patienceSeconds(profile) }
      const isTold = (came: Exchange) => tellsEnd(profile, came, events)
      await keep(
        'webhooks',
        readUntil(profile, () => source.deliveriesOf(transactionId), isTold, limits),
      )
    } finally {
      source.close()
    }
  },
  checks: [
    {
      id,
      clause,
      title,
      control: 'EVT-01',
      needs: ['fields.webhook.status', ...WITH_STATES.needs],
      judge: (evidence, expect) => {
        const [status, came, events] = [evidence.of('status'), evidence.of('webhooks'), evidence.of('events')]
        expectEndTold(expect, { what, status, came, events, reasonCode })
      },
    },
  ],
})

/** Scenario with the check of the webhook of a payment that its shopper declines. */
export const webhookOfDecline = webhookOfEnd({
  id: 'EVT-06',
  clause: '1, 6, E5',
  title: 'a decline by the shopper is told by a webhook, as a decline',
  what: 'decline',
  choice: { will: 'decline' },
  reasonCode: '2001',
  needs: ['shopper.decline'],
  end: (context, initiated, choice) => letShopper(context.profile, context, initiated, choice),
})

/** Scenario with the check of the webhook of a BLIK payment whose shopper never acts (R6). */
export const webhookOfLapse = webhookOfEnd({
  id: 'EVT-07',
  clause: '1, 6, E5, R6',
  title: 'a payment whose shopper stays silent is told by a webhook, as over',
  what: 'lapse',
  choice: { will: 'lapse', method: 'BLIK' },
  reasonCode: '2000',
  needs: ['blik.lapse', 'time.PT46S'],
  end: context => context.clock.pass('PT46S'),
})
