import { type Exchange, isServed, responseJson } from '../../client/http-exchange.ts'
import { choiceOf } from '../../dialect/decision-choices.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { Inconclusive } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import { statesTheSame } from '../../model/bodies-mean-the-same.ts'
import { WEBHOOK_HEADERS } from '../../protocol/webhook-hmac.ts'
import type { DeliveredWebhooks, Webhook } from '../drivers/delivered-webhook.ts'
import { untiedWebhooks } from '../drivers/open-webhook-source.ts'
import { findEventCount } from '../evidence/expect-more-events.ts'
import { findStep } from '../evidence/expect-refused-or-declined.ts'
import { toldBy } from '../evidence/read-notification.ts'

/** Steps that take a part of a payment, or what is left of it. */
export const PARTS = {
  'capture of a part': { act: 'capture', amount: 400 },
  'capture of the rest': { act: 'capture', amount: 600 },
  'refund of a part': { act: 'refund', amount: 400 },
  'refund of the rest': { act: 'refund', amount: 600 },
} as const

export type PushedStep = 'finalize' | 'charge' | 'capture' | 'settlement' | 'refund' | 'cancel' | keyof typeof PARTS

/** Paths of the payments of the webhook grid: the steps that each takes after its shopper approved, or without its shopper. */
export const PATHS = {
  paid: ['finalize', 'capture', 'settlement', 'refund'],
  voided: ['finalize', 'cancel'],
  charged: ['charge'],
  iris: ['finalize', 'settlement', 'refund'],
  mandate: ['finalize'],
  token: ['finalize'],
  parts: [
    'finalize',
    'capture of a part',
    'capture of the rest',
    'settlement',
    'refund of a part',
    'refund of the rest',
  ],
} as const satisfies Readonly<Record<string, readonly PushedStep[]>>
export type Path = keyof typeof PATHS

/**
 * Whether no webhook is due for a step of a payment: a settlement, unless the profile says that settlements are told
 * (D-116).
 */
export const isUntold = (profile: Profile, step: string): boolean =>
  step === 'settlement' && choiceOf(profile, 'D-116') === 'once'

/** Reads the webhooks that a source has shown so far; throws Inconclusive where its response is lacking. */
export const readDeliveries = (exchange: Exchange): DeliveredWebhooks => {
  const shown = responseJson(exchange) as DeliveredWebhooks | undefined
  if (Array.isArray(shown?.webhooks)) return shown
  throw new Inconclusive('what webhooks came could not be read', exchange)
}

/**
 * Counts the webhooks of a payment at a step, of which `told` count for the steps before: how many are wanted by then, and
 * how many count once so many came. One that lacks is not missed again, and one that a settlement need not send is not
 * taken for that of the next step.
 */
export const countTold = (profile: Profile, step: string, told: number, isAdded: boolean) => {
  const isFree = isUntold(profile, step)
  const wanted = told + (isAdded && !isFree ? 1 : 0)
  return { wanted, toldAfter: (came: number): number => (isFree ? came : Math.min(wanted, came)) }
}

/**
 * Reads the webhooks that may be about finalize or a later step, each once, whatever its deliveries: a word for an
 * earlier state excludes one that came late. Without `bodies`, one with the body of another counts if its id is its own.
 */
export const readStepWebhooks = (profile: Profile, exchange: Exchange, bodies = true): readonly Webhook[] => {
  const all = readDeliveries(exchange).webhooks.filter(webhook => !isOfEarlierState(profile, toldBy(exchange, webhook)))
  return all.filter((webhook, index) => !all.slice(0, index).some(earlier => isSameWebhook(webhook, earlier, bodies)))
}

const isSameWebhook = (one: Webhook, other: Webhook, bodies = true): boolean => {
  const [id, otherId] = [one, other].map(({ headers }) => headers[WEBHOOK_HEADERS.id])
  return (id !== undefined && id === otherId) || (bodies && one.body === other.body)
}

/** Members of a webhook that are of its delivery, not of what it tells. */
const OF_DELIVERY = /attempt|deliver|retr(y|ies)|^sent/i

/** Whether of two webhooks without ids one may be the other once more: they tell the same but for their delivery. */
const mayBeSameWebhook = (one: Webhook, other: Webhook): boolean => {
  if ([one, other].some(({ headers }) => headers[WEBHOOK_HEADERS.id] !== undefined)) return false
  return statesTheSame(withoutDelivery(one), withoutDelivery(other))
}

const withoutDelivery = ({ body }: Webhook): unknown => {
  try {
    return JSON.parse(body, (name, value) => (OF_DELIVERY.test(name) ? undefined : value))
  } catch {
    return body // it need not be JSON, nor shallow
  }
}

/** Counts the webhooks of which none may be another one once more. */
export const countUnlike = (webhooks: readonly Webhook[]): number =>
  webhooks.filter((webhook, at) => !webhooks.slice(0, at).some(earlier => mayBeSameWebhook(webhook, earlier))).length

const EARLIER = ['waiting', 'authenticated']

const isOfEarlierState = (profile: Profile, told: Exchange): boolean => {
  const word = String(findField(profile, told, 'webhook.status'))
  const stages = Object.entries(profile.states ?? {}).filter(([, words]) => words.includes(word))
  return stages.length > 0 && stages.every(([stage]) => EARLIER.includes(stage))
}

/** Throws unless webhooks of some payment have come to their source, and the profile tells of which. */
export const ensureTied = (profile: Profile, shown: Exchange): void => {
  const { reached, untied } = readDeliveries(shown)
  if (untied) throw untiedWebhooks(profile)
  if (!reached) throw new Inconclusive(`no webhook has come to ${shown.request.url}: does the service reach it?`, shown)
}

/** Counts the events in a payment's event list; 0 where none could be read. */
export const countEvents = (profile: Profile, exchange: Exchange): number => findEventCount(profile, exchange) ?? 0

const ensureEvents = (profile: Profile, exchange: Exchange): number => {
  if (isServed(exchange)) return countEvents(profile, exchange)
  throw new Inconclusive('the events could not be read', exchange)
}

/**
 * Result of a payment's step in events and webhooks: whether an event was added; how many webhooks had to be there, how
 * many were, and those that came since the step before.
 */
export type Pushed = { isAdded: boolean; wanted: number; came: number; fresh: readonly Webhook[]; exchange: Exchange }

/** Reads what a step of a payment added to its events and webhooks; throws where that was not reached. */
export const readPushed = (evidence: Evidence<string>, profile: Profile, path: Path, step: PushedStep): Pushed => {
  let known = isBegunByStep(path) ? 0 : ensureEvents(profile, readStep(evidence, path, 'events'))
  let before = isBegunByStep(path) ? [] : readStepWebhooks(profile, readStep(evidence, path, 'webhooks'))
  let told = before.length
  for (const name of PATHS[path]) {
    const isLast = name === step
    if (!isLast && !findStep(evidence, `${path} ${name} webhooks`)) continue
    const events = ensureEvents(profile, readStep(evidence, path, `${name} events`))
    const exchange = readStep(evidence, path, `${name} webhooks`)
    const webhooks = readStepWebhooks(profile, exchange)
    const isAdded = events > known
    const { wanted, toldAfter } = countTold(profile, name, told, isAdded)
    const isFresh = (webhook: Webhook) => !before.some(earlier => isSameWebhook(webhook, earlier))
    if (isLast) return { isAdded, wanted, came: webhooks.length, fresh: webhooks.filter(isFresh), exchange }
    known = events
    told = toldAfter(webhooks.length)
    before = webhooks
  }
  throw new Error(`A payment that is ${path} has no step ${step}: name one of PATHS.`)
}

/** Whether any step of a payment was told by a webhook. */
export const isTold = (evidence: Evidence<string>, profile: Profile): boolean =>
  Object.entries(PATHS).some(([path, steps]) =>
    steps.some(step => {
      const shown = findStep(evidence, `${path} ${step} webhooks`)
      return shown !== undefined && readStepWebhooks(profile, shown).length > 0
    }),
  )

/** Whether the payment of a path comes about by its first step: nothing tells of it before. */
const isBegunByStep = (path: Path): boolean => path === 'charged'

/** Returns a step of a path; where it was not reached, throws what ended the path early. */
const readStep = (evidence: Evidence<string>, path: Path, step: string): Exchange =>
  findStep(evidence, `${path} ${step}`) ?? evidence.of(`${path} ended early`)
