import type { Exchange } from '../../client/http-exchange.ts'
import type { CheckScenario } from '../../harness/judge/check.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import type { KeepStep } from '../../harness/judge/scenario-evidence.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import { DEFAULT_PATIENCE_SECONDS } from '../../harness/profile/abilities-from-profile-lines.ts'
import { hasCapability } from '../../harness/profile/capabilities-that-checks-need.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import { PAYMENT_NEEDS } from '../check-builders/lifecycle-checks.ts'
import type { CheckContext } from '../context/check-context.ts'
import type { WebhookSource } from '../drivers/delivered-webhook.ts'
import { openWebhookSource } from '../drivers/open-webhook-source.ts'
import type { KeySetStep } from '../evidence/key-set-before-and-after.ts'
import { isUnsupported } from '../evidence/unsupported-operation.ts'
import { operationsOn } from '../given/calls-on-payment.ts'
import { createMandatePayment } from '../given/create-mandate-payments.ts'
import {
  AFTER_FINALIZE,
  createApprovedPayment,
  ensureServed,
  initiate,
  letShopper,
  waitForSettlement,
} from '../given/create-payments.ts'
import { readKeySet } from '../given/harmless-calls.ts'
import { readStatusUntil, readUntil, shownWithinSeconds, webhookLimits } from '../given/read-until.ts'
import { chargeBody } from '../given/request-bodies.ts'
import { lackedOperation } from './cell-judgments.ts'
import {
  countEvents,
  countTold,
  ensureTied,
  PARTS,
  PATHS,
  type Path,
  readDeliveries,
  readStepWebhooks,
} from './events-and-webhooks-of-step.ts'
import { mandatePayer } from './signed-operation-columns.ts'
import { lackedPath, THEIRS, WEBHOOK_ROWS } from './webhook-rows.ts'

/** Paths of the payments that their shoppers approved. */
type ApprovedPath = Exclude<Path, 'charged'>
type Play = {
  context: CheckContext
  source: WebhookSource
  keep: KeepStep<string>
  /** Whether a webhook of any payment has come, and how many waits ended before one had. */
  heard: { any: boolean; waitsBefore: number }
}

type Whole = 'finalize' | 'capture' | 'refund' | 'cancel'

const takePart = (payment: ReturnType<typeof operationsOn>, step: keyof typeof PARTS): Promise<Exchange> => {
  const { act, amount } = PARTS[step]
  return payment[act](amount)
}

/** Creates the payment of a path, which its shopper has approved. */
const createOn = async (context: CheckContext, path: ApprovedPath): Promise<string> => {
  const { profile } = context
  if (path === 'iris') {
    const choice = { method: 'IRIS', autoCapture: true } as const
    return letShopper(profile, context, await initiate(context, choice), choice)
  }
  if (path !== 'mandate' && path !== 'token')
    return createApprovedPayment(profile, context, !hasCapability(profile, 'manualCapture'))
  return createMandatePayment(profile, context, path === 'mandate' ? 'RECURRING' : 'TOKEN_ONLY')
}

const take = async (
  { context, keep }: Play,
  path: ApprovedPath,
  step: (typeof PATHS)[ApprovedPath][number],
  transactionId: string,
): Promise<void> => {
  if (step === 'settlement') return waitForSettlement(context.profile, context, transactionId)
  const payment = operationsOn(context, transactionId)
  const made = await keep(
    step,
    step in PARTS ? takePart(payment, step as keyof typeof PARTS) : payment[step as Whole](),
  )
  if (isUnsupported(context.profile, made)) throw new EmptyCell('the scheme does not do it (1, 7.1)')
  await ensureServed(context.profile, Promise.resolve(made))
  if (step === 'finalize' && path !== 'token')
    await readStatusUntil(context.profile, context, transactionId, AFTER_FINALIZE)
}

/** Takes the steps of one payment; keeps its events and the webhooks that have come, before them and after each. */
const follow = async (play: Play, path: ApprovedPath): Promise<void> => {
  const { context, keep } = play
  const { profile } = context
  const transactionId = await createOn(context, path)
  const { events } = operationsOn(context, transactionId)
  let known = countEvents(profile, await keep(`${path} events`, events()))
  const isUpToDate = (came: Exchange) => readDeliveries(came).webhooks.length >= known
  const limits = { ...webhookLimits(context), withinSeconds: shownWithinSeconds(profile) }
  const before = awaitWebhooks(play, transactionId, isUpToDate, limits)
  let told = readStepWebhooks(profile, await keep(`${path} webhooks`, before)).length
  for (const step of PATHS[path]) {
    if (step === 'capture' && !hasCapability(profile, 'manualCapture')) continue
    await take(play, path, step, transactionId)
    const read = await keep(
      `${path} ${step} events`,
      readUntil(profile, events, it => countEvents(profile, it) > known, context),
    )
    const isAdded = countEvents(profile, read) > known
    known = countEvents(profile, read)
    const { wanted, toldAfter } = countTold(profile, step, told, isAdded)
    const came = await keep(`${path} ${step} webhooks`, awaitDeliveries(play, transactionId, wanted))
    told = toldAfter(readStepWebhooks(profile, came).length)
    if (step !== 'finalize') ensureNamed(profile, came)
  }
}

/** Charges a mandate, and keeps the events of that payment and the webhooks that have come. */
const followCharge = async (play: Play): Promise<void> => {
  const { context, keep } = play
  const { profile, account, merchant } = context
  const json = chargeBody(account, await mandatePayer(context), true)
  const charged = await keep('charge', merchant.request('charge', { json }))
  await ensureServed(profile, Promise.resolve(charged))
  const transactionId = String(findField(profile, charged, 'charge.transactionId'))
  await readStatusUntil(profile, context, transactionId, AFTER_FINALIZE)
  const { events } = operationsOn(context, transactionId)
  await keep('charged charge events', events())
  await keep('charged charge webhooks', awaitDeliveries(play, transactionId, 1))
}

const keepKeys = ({ context, keep }: Play, step: KeySetStep) => keep(step, readKeySet(context)).catch(() => undefined)

/** Throws unless a webhook of the payment has come: if one step was silent (D-116), no third one need be waited for. */
const ensureNamed = (profile: Profile, came: Exchange): void => {
  ensureTied(profile, came)
  if (readDeliveries(came).webhooks.length === 0) throw new Blocked('no webhook names the payment', came)
}

/** Reads the webhooks of a payment until there are so many, as long as the patience of the run. */
const awaitDeliveries = (play: Play, transactionId: string, wanted: number) => {
  const isEnough = (came: Exchange) => readStepWebhooks(play.context.profile, came).length >= wanted
  return awaitWebhooks(play, transactionId, isEnough)
}

/** Waits for the webhooks of a payment without one that is heard, after which their source may not be reached at all. */
const WAITS_OF_PAYMENT = 3

/** Reads the webhooks of a payment until they are enough; where their source may not be reached, for the usual time alone. */
const awaitWebhooks = async (
  { context, source, heard }: Play,
  transactionId: string,
  isEnough: (came: Exchange) => boolean,
  { clock, withinSeconds } = webhookLimits(context),
) => {
  const isSilent = !heard.any && heard.waitsBefore >= WAITS_OF_PAYMENT
  const limits = { clock, withinSeconds: isSilent ? Math.min(withinSeconds, DEFAULT_PATIENCE_SECONDS) : withinSeconds }
  const came = await readUntil(context.profile, () => source.deliveriesOf(transactionId), isEnough, limits)
  heard.any ||= readDeliveries(came).reached
  heard.waitsBefore += heard.any ? 0 : 1
  return came
}

/** Lets the other organization finalize a payment, whose webhooks are not ours; returns its id. */
const payThem = async ({ context, keep }: Play): Promise<string> => {
  const second = await context.secondOrganization()
  const transactionId = await createApprovedPayment(context.profile, second, true)
  await keep('their finalize', operationsOn(second, transactionId).finalize())
  return transactionId
}

/**
 * Scenario with grid rows of step × webhook: what becomes of a payment is told by webhook, signed, and to its
 * organization alone (6, 7.1).
 */
export const webhookGrid: CheckScenario<CheckContext> = {
  name: 'webhooks of every step',
  tier: 3,
  needs: ['webhooks.receive', ...PAYMENT_NEEDS],
  play: async (context, keep, chosen) => {
    const source = await openWebhookSource(context)
    const play: Play = { context, source, keep, heard: { any: false, waitsBefore: 0 } }
    const attempt = (step: string, made: Promise<unknown>) =>
      made.catch(why => keep(step, Promise.reject(why)).catch(() => undefined))
    try {
      const theirs = chosen.has(THEIRS) ? payThem(play) : undefined
      await attempt(THEIRS, theirs ?? Promise.resolve())
      await keepKeys(play, 'keys before')
      await attempt('paid ended early', follow(play, 'paid'))
      if (hasCapability(context.profile, 'manualCapture')) await attempt('voided ended early', follow(play, 'voided'))
      if (lackedOperation(context.profile, 'charge') === undefined)
        await attempt('charged ended early', followCharge(play))
      for (const path of ['iris', 'mandate', 'token', 'parts'] as const)
        if (lackedPath(context.profile, path) === undefined) await attempt(`${path} ended early`, follow(play, path))
      const id = await theirs?.catch(() => undefined)
      await keepKeys(play, 'keys')
      if (id !== undefined) await keep(THEIRS, source.deliveriesOf(id)).catch(() => undefined)
    } finally {
      source.close()
    }
  },
  checks: WEBHOOK_ROWS,
}
