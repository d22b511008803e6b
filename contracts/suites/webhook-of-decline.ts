import type { Exchange } from '../client/http-exchange.ts'
import type { CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import type { Evidence } from '../harness/judge/scenario-evidence.ts'
import { patienceSeconds } from '../harness/profile/abilities-from-profile-lines.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { findField } from '../harness/profile/response-fields-and-line-advice.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import type { Webhook } from './drivers/delivered-webhook.ts'
import { openWebhookSource } from './drivers/open-webhook-source.ts'
import { expectPremiseState } from './evidence/expect-premise.ts'
import { isReadIn } from './evidence/expect-told-by-webhook-and-events.ts'
import { expectCome } from './evidence/read-notification.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { initiate, letShopper, readTransactionId } from './given/create-payments.ts'
import { ENDED } from './given/read-failed-payment-outcome.ts'
import { readStatusUntil, readUntil } from './given/read-until.ts'
import { ensureTied, readStepWebhooks } from './grid/events-and-webhooks-of-step.ts'
import { bankSeconds } from './shopper-decisions.ts'

type Step = 'events before' | 'status' | 'webhooks' | 'events'

/** Shows a webhook as the response in which the profile's fields of a webhook are read. */
const toldBy = (came: Exchange, { body }: Webhook): Exchange => ({
  ...came,
  response: { status: 200, headers: {}, body: Buffer.from(body) },
})

/** The webhooks that tell what the events did not tell before the payment ended. */
const freshIn = (profile: Profile, came: Exchange, before: Exchange): readonly Exchange[] =>
  readStepWebhooks(profile, came)
    .map(webhook => toldBy(came, webhook))
    .filter(told => !isReadIn(before, told, profile))

/** Returns the webhooks that came of the end of a payment; expects one at least. */
const readPushed = (evidence: Evidence<Step>, expect: Expect): readonly Exchange[] => {
  expectPremiseState(evidence.of('status'), expect, ...ENDED)
  const came = evidence.of('webhooks')
  ensureTied(expect.profile, came)
  const pushed = freshIn(expect.profile, came, evidence.of('events before'))
  expectCome(pushed.length > 0, 'webhook of the decline', came, expect)
  return pushed
}

/** Scenario with checks of the webhook of a payment that its shopper declines: results are learned by webhook (1, 6, E5). */
export const webhookOfDecline: CheckScenario<CheckContext, Step> = {
  name: 'the webhook of a decline',
  tier: 3,
  needs: ['webhooks.receive', 'shopper.decline', 'fields.initiate.transactionId', 'fields.webhook.transactionId'],
  play: async (context, keep) => {
    const { profile } = context
    const source = await openWebhookSource(context)
    try {
      const choice = { will: 'decline' } as const
      const initiated = await initiate(context, choice)
      const id = readTransactionId(profile, initiated)
      const before = await keep('events before', operationsOn(context, id).events())
      await letShopper(profile, context, initiated, choice)
      const withinSeconds = bankSeconds(profile)
      await keep('status', readStatusUntil(profile, context, id, ENDED, { withinSeconds }))
      const hasCome = (came: Exchange) => freshIn(profile, came, before).length > 0
      const limits = profile.control ? {} : { withinSeconds: patienceSeconds(profile) }
      await keep(
        'webhooks',
        readUntil(profile, () => source.deliveriesOf(id), hasCome, limits),
      )
      await keep('events', operationsOn(context, id).events())
    } finally {
      source.close()
    }
  },
  checks: [
    {
      id: 'EVT-06',
      clause: '1, 6, E5',
      title: 'a decline by the shopper is pushed to the merchant',
      control: 'EVT-01',
      needs: ['fields.webhook.status', ...WITH_STATES.needs],
      judge: (evidence, expect) => void readPushed(evidence, expect),
    },
    {
      id: 'EVT-07',
      clause: '6',
      title: 'the webhook of a decline tells what the events tell',
      control: 'EVT-06',
      needs: ['fields.webhook.status', 'fields.events.status', ...WITH_STATES.needs],
      judge: (evidence, expect) => {
        const [came, events] = [evidence.of('webhooks'), evidence.of('events')]
        expect.served(events)
        for (const told of readPushed(evidence, expect)) {
          const word = findField(expect.profile, told, 'webhook.status')
          expect.holds(isReadIn(events, told, expect.profile), 'a webhook of what the events tell', String(word), came)
        }
      },
    },
  ],
}
