import type { Exchange } from '../client/http-exchange.ts'
import type { Check, CheckScenario } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import type { KeepStep } from '../harness/judge/scenario-evidence.ts'
import { Untestable } from '../harness/judge/verdict-errors.ts'
import { lackedMethodReason } from '../harness/profile/capabilities-that-checks-need.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { findField } from '../harness/profile/response-fields-and-line-advice.ts'
import { gridRowCheck } from './check-builders/grid-row-check.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import type { WebhookSource } from './drivers/delivered-webhook.ts'
import { openWebhookSource } from './drivers/open-webhook-source.ts'
import { NO_RECEIVER_SO_LONG } from './drivers/public-webhook-receiver.ts'
import { isDecision, type ShopperOutcome } from './drivers/shopper-driver-types.ts'
import { expectPremiseState } from './evidence/expect-premise.ts'
import { findStep } from './evidence/expect-refused-or-declined.ts'
import { hasReason } from './evidence/outcome-reason-code.ts'
import { expectCome, toldBy } from './evidence/read-notification.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { createMandatePayment } from './given/create-mandate-payments.ts'
import { initiate, letShopper, type PaymentChoice, readTransactionId } from './given/create-payments.ts'
import { ENDED } from './given/read-failed-payment-outcome.ts'
import { readStatusUntil, readUntil, webhookLimits } from './given/read-until.ts'
import { lackedOperation } from './grid/cell-judgments.ts'
import { ensureTied, readDeliveries } from './grid/events-and-webhooks-of-step.ts'
import { bankSeconds } from './shopper-decisions.ts'

type Step = 'status' | 'events' | 'webhooks'

const endedStates = (profile: Profile): readonly string[] => ENDED.flatMap(category => profile.states?.[category] ?? [])

/** Whether events show that their payment is over; undefined where they show no state. */
const areOver = (profile: Profile, events: Exchange): boolean | undefined => {
  const state = findField(profile, events, 'events.state')
  return state === undefined ? undefined : endedStates(profile).includes(String(state))
}

/** The word of events for the end of their payment, once they show it: reads may lag (E5). */
const endingWord = (profile: Profile, events: Exchange): string | undefined => {
  const shown = findField(profile, events, 'events.status')
  return areOver(profile, events) && shown !== undefined ? String(shown) : undefined
}

/** Words for a payment that came to nothing: by the profile, and by the events of this one. */
const endingWords = (profile: Profile, events: Exchange): readonly string[] => [
  ...endedStates(profile),
  ...(profile.errors?.declined?.words ?? []),
  ...[endingWord(profile, events) ?? []].flat(),
]

/** Reads the events of a payment that is over until they show so, or show no state. */
export const readEventsOfEnd = (context: CheckContext, id: string): Promise<Exchange> =>
  readUntil(context.profile, operationsOn(context, id).events, it => areOver(context.profile, it) !== false, context)

/** The words for the status in all webhooks that came. */
const wordsTold = (profile: Profile, came: Exchange): readonly string[] =>
  readDeliveries(came).webhooks.map(webhook => String(findField(profile, toldBy(came, webhook), 'webhook.status')))

/** Whether one of the webhooks that came tells that their payment is over. */
export const tellsEnd = (profile: Profile, came: Exchange, events: Exchange): boolean =>
  wordsTold(profile, came).some(word => endingWords(profile, events).includes(word))

/** Throws Untestable where a webhook has a word of its own, which neither the states nor the events of the profile name. */
const ensureKnownWords = (profile: Profile, came: Exchange, events: Exchange): void => {
  if (tellsEnd(profile, came, events) || endingWord(profile, events) !== undefined) return
  const stated = Object.values(profile.states ?? {}).flat()
  const own = wordsTold(profile, came).filter(word => !stated.includes(word))
  if (own.length === 0) return
  const line = areOver(profile, events) === undefined ? 'fields.events.state' : 'fields.webhook.status'
  throw new Untestable(`webhooks say ${own.join(', ')}, which is none of the states of ${profile.file}`, came, line)
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

/** Kinds of payment, each of which may end so. */
type Kind = 'BLIK' | 'IRIS' | 'RECURRING' | 'TOKEN_ONLY'

/** How a payment ends without money, and how a merchant learns of it. */
type End = {
  id: string
  clause: string
  title: string
  /** What the webhook is of: `decline`. */
  what: string
  choice: PaymentChoice & { will: ShopperOutcome }
  /** Its reasonCode (7.3, 7.5). */
  reasonCode: string
  needs: readonly string[]
  /** How long until the shopper's time is over, where that ends it. */
  wait?: string
  exempt?: Check['exempt']
  /** Row of further kinds of payment that end at the same time. */
  row?: { id: string; title: string; kinds: readonly Kind[] }
}

const lackedKind = (profile: Profile, kind: string): string | undefined =>
  kind === 'BLIK' || kind === 'IRIS' ? lackedMethodReason(profile, kind) : lackedOperation(profile, 'charge')

/** Initiates a payment, and has its shopper act where that is to decide; returns its id. */
const beginChosen = async (context: CheckContext, choice: End['choice']): Promise<string> => {
  const initiated = await initiate(context, choice)
  if (isDecision(choice.will)) return letShopper(context.profile, context, initiated, choice)
  return readTransactionId(context.profile, initiated)
}

/** Initiates a payment of a kind whose shopper declines it, or stays silent; returns its id. */
const begin = async (context: CheckContext, kind: Kind, { choice: { will } }: End): Promise<string> => {
  const { profile } = context
  if (kind === 'RECURRING' || kind === 'TOKEN_ONLY') return createMandatePayment(profile, context, kind, { will })
  return beginChosen(context, { will, method: kind })
}

/** Keeps the status of a payment once it is over, its events, and the webhooks that tell so. */
const keepEnd = async (context: CheckContext, source: WebhookSource, id: string, keep: KeepStep<Step>) => {
  const { profile } = context
  await keep('status', readStatusUntil(profile, context, id, ENDED, { withinSeconds: bankSeconds(profile) }))
  const events = await keep('events', readEventsOfEnd(context, id))
  const isTold = (came: Exchange) => tellsEnd(profile, came, events)
  const look = () => source.deliveriesOf(id)
  await keep('webhooks', readUntil(profile, look, isTold, webhookLimits(context)))
}

const rowOf = (end: End, { id, title, kinds }: NonNullable<End['row']>): Check =>
  gridRowCheck({
    id,
    title,
    clause: end.clause,
    control: 'EVT-01',
    needs: ['fields.webhook.status', ...WITH_STATES.needs],
    exemptCell: lackedKind,
    cells: kinds.map(column => ({
      column,
      clause: end.clause,
      judge: (evidence, expect) => {
        const of = (step: Step) => findStep(evidence, `${column} ${step}`) ?? evidence.of(`${column} ended early`)
        const { what, reasonCode } = end
        expectEndTold(expect, { what, status: of('status'), came: of('webhooks'), events: of('events'), reasonCode })
      },
    })),
  })

/** Creates the scenario of one end of a payment, with the checks of its webhook: results are learned by webhook (1, 6, E5). */
const webhookOfEnd = (end: End): CheckScenario<CheckContext> => ({
  name: `the webhook of a ${end.what}`,
  tier: 3,
  needs: ['webhooks.receive', 'fields.initiate.transactionId', ...end.needs],
  play: async (context, keep, chosen) => {
    const { row, choice, wait } = end
    const source = await openWebhookSource(context)
    const ids = new Map<Kind, string>()
    const keepOf =
      (kind: Kind): KeepStep<string> =>
      (step, exchange) =>
        keep(`${kind} ${step}`, exchange)
    const fail = (kind: Kind) => (why: unknown) =>
      keepOf(kind)('ended early', Promise.reject(why)).then(undefined, () => undefined)
    try {
      const id = await beginChosen(context, choice)
      for (const kind of row && chosen.has(row.id) ? row.kinds : [])
        if (lackedKind(context.profile, kind) === undefined)
          await begin(context, kind, end).then(it => ids.set(kind, it), fail(kind))
      if (wait !== undefined) await context.clock.pass(wait)
      await keepEnd(context, source, id, keep)
      for (const [kind, other] of ids) await keepEnd(context, source, other, keepOf(kind)).catch(fail(kind))
    } finally {
      source.close()
    }
  },
  checks: [
    {
      id: end.id,
      clause: end.clause,
      title: end.title,
      control: 'EVT-01',
      needs: ['fields.webhook.status', ...WITH_STATES.needs],
      ...(end.exempt && { exempt: end.exempt }),
      judge: (evidence, expect) => {
        const [status, came, events] = [evidence.of('status'), evidence.of('webhooks'), evidence.of('events')]
        expectEndTold(expect, { what: end.what, status, came, events, reasonCode: end.reasonCode })
      },
    },
    ...(end.row ? [rowOf(end, end.row)] : []),
  ],
})

/** Scenarios with checks of the webhooks of payments that their shoppers decline, or whose shoppers never act (R6, R7). */
export const webhooksOfEnds = [
  webhookOfEnd({
    id: 'EVT-06',
    clause: '1, 6, E5',
    title: 'a decline by the shopper is told by a webhook, as a decline',
    what: 'decline',
    choice: { will: 'decline' },
    reasonCode: '2001',
    needs: ['shopper.decline'],
    row: {
      id: 'GRD-92',
      title: 'a decline of any kind of payment is told by a webhook, as a decline',
      kinds: ['BLIK', 'IRIS', 'RECURRING', 'TOKEN_ONLY'],
    },
  }),
  webhookOfEnd({
    id: 'EVT-07',
    clause: '1, 6, E5, R6',
    title: 'a payment whose shopper stays silent is told by a webhook, as over',
    what: 'lapse',
    choice: { will: 'lapse', method: 'BLIK' },
    reasonCode: '2000',
    needs: ['blik.lapse', 'time.PT46S'],
    wait: 'PT46S',
    row: {
      id: 'GRD-93',
      title: 'a payment for a mandate whose shopper stays silent is told by a webhook, as over',
      kinds: ['RECURRING', 'TOKEN_ONLY'],
    },
  }),
  webhookOfEnd({
    id: 'EVT-09',
    clause: '1, 6, E5, R7',
    title: 'a request of IRIS that nobody pays is told by a webhook, as over',
    what: 'lapse of a request of IRIS',
    choice: { will: 'wait', method: 'IRIS' },
    reasonCode: '2000',
    needs: ['time.PT33M1S'],
    wait: 'PT33M1S',
    exempt: ({ control, webhooks }) => (control || !webhooks?.public ? undefined : NO_RECEIVER_SO_LONG),
  }),
]
