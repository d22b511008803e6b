import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { KeepStep } from '../harness/judge/scenario-evidence.ts'
import { StillWaiting } from '../harness/judge/verdict-errors.ts'
import { HOLD_TIME } from '../harness/profile/abilities-from-profile-lines.ts'
import { hasCapability } from '../harness/profile/capabilities-that-checks-need.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { findField } from '../harness/profile/response-fields-and-line-advice.ts'
import { type Cell, gridRowCheck } from './check-builders/grid-row-check.ts'
import { PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import type { TestOrganization } from './context/test-organization.ts'
import { openWebhookSource } from './drivers/open-webhook-source.ts'
import { expectCategoryUnlessDeclined, expectPremise } from './evidence/expect-premise.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { initiateMandate } from './given/create-mandate-payments.ts'
import { AFTER_FINALIZE, createAuthorizedPayment, ensureServed, letShopper } from './given/create-payments.ts'
import { fetchToken } from './given/harmless-calls.ts'
import { readStatusUntil, readUntil, webhookLimits } from './given/read-until.ts'
import { captureBody, chargeBody, uniqueReference } from './given/request-bodies.ts'
import { lackedOperation } from './grid/cell-judgments.ts'
import {
  lookAtSettled,
  OF_SETTLED,
  SETTLED_CHECKS,
  type SettledStep,
  settlePayment,
} from './settled-payment-a-week-later.ts'
import { expectEndTold, readEventsOfEnd, tellsEnd } from './webhooks-of-declines-and-lapses.ts'

const OF_AUTHORIZATION = ['LIF-25', 'LIF-26', 'GRD-70', 'EVT-08']

const MINUTE = 60

/** Kinds of payment that are authorized apart from one-time ones: one that makes a mandate, and a charge of it. */
const KINDS = ['RECURRING', 'charge'] as const

/** Authorizes a payment of each kind, and captures none; keeps the calls that begin them. Returns the ids of those that began. */
const authorizeKinds = async (
  { profile }: CheckContext,
  organization: TestOrganization,
  keep: KeepStep<string>,
): Promise<Map<string, string>> => {
  const { merchant, account } = organization
  const [ids, payerId] = [new Map<string, string>(), uniqueReference()]
  if (lackedOperation(profile, 'charge') !== undefined) return ids
  const begun = await keep('RECURRING', initiateMandate(organization, 'RECURRING', { payerId, autoCapture: false }))
  const id = await letShopper(profile, organization, begun, { method: 'BLIK' })
  await ensureServed(profile, operationsOn(organization, id).finalize())
  await readStatusUntil(profile, organization, id, AFTER_FINALIZE)
  ids.set('RECURRING', id)
  const charge = merchant.request('charge', { json: chargeBody(account, { payerId }, false) })
  const chargeId = findField(profile, await keep('charge', charge), 'charge.transactionId')
  if (chargeId === undefined) return ids
  await readStatusUntil(profile, organization, String(chargeId), AFTER_FINALIZE)
  return ids.set('charge', String(chargeId))
}

/** Keeps what the webhooks of an expired payment tell, where a simulator keeps them meanwhile. */
const keepWebhooks = async (context: CheckContext, id: string, keep: KeepStep<string>): Promise<void> => {
  const { profile } = context
  if (!profile.control || !hasCapability(profile, 'webhooks')) return
  const source = await openWebhookSource(context)
  const events = await keep('events', readEventsOfEnd(context, id))
  const look = () => source.deliveriesOf(id)
  await keep(
    'webhooks',
    readUntil(profile, look, came => tellsEnd(profile, came, events), webhookLimits(context)),
  )
}

const expiryCell = (column: (typeof KINDS)[number]): Cell => ({
  column,
  clause: 'R3',
  judge: (evidence, expect) => {
    expectPremise(evidence.of(column), 'the first call', expect)
    if (column === 'charge') expect.field(evidence.of(column), 'charge.transactionId')
    expectCategoryUnlessDeclined(evidence.of(`${column} a minute before`), expect, 'authorized')
    expect.inCategory(evidence.of(`${column} a minute after`), 'expired')
  },
})

/** Keeps what ended the calls on the settled payment: those on the authorization go on. */
const failing = (keep: KeepStep<string>, step: SettledStep) => (why: unknown) => {
  if (why instanceof StillWaiting) throw why
  keep(step, Promise.reject(why)).catch(() => undefined)
  return undefined
}

/** Scenario with checks that an authorization expires at `limits.holdSeconds`, and not before; what is settled stays (R3). */
export const authorizationExpiry: CheckScenario<CheckContext> = {
  name: 'an authorization without a capture',
  tier: 3,
  needs: [...PAYMENT_NEEDS, 'limits.holdSeconds', HOLD_TIME],
  play: async (context, keep, chosen) => {
    const { profile } = context
    const organization = await context.organizationForTime()
    const scene = { context, organization, keep }
    const settled = chosen.has(OF_SETTLED)
      ? await settlePayment(scene).catch(failing(keep, 'settled before'))
      : undefined
    const isHeld = OF_AUTHORIZATION.some(id => chosen.has(id))
    const { merchant, clock, account } = organization
    const seconds = profile.limits?.holdSeconds ?? 0
    const path = isHeld
      ? { transactionId: await createAuthorizedPayment(profile, organization, await fetchToken(organization)) }
      : undefined
    const kinds = chosen.has('GRD-70')
      ? await authorizeKinds(context, organization, keep).catch(() => new Map<string, string>())
      : new Map<string, string>()
    await clock.pass(`PT${seconds - MINUTE}S`, { within: 'PT50S' })
    const alter = await fetchToken(organization)
    if (path) await keep('a minute before', merchant.request('status', { path }, alter))
    for (const [kind, transactionId] of kinds)
      await keep(`${kind} a minute before`, merchant.request('status', { path: { transactionId } }, alter))
    await clock.pass(`PT${2 * MINUTE}S`)
    if (settled) await lookAtSettled(scene, settled).catch(failing(keep, 'settled refund'))
    if (!path) return
    const later = { alter: await fetchToken(organization) }
    await keep('a minute after', readStatusUntil(profile, organization, path.transactionId, ['expired'], later))
    for (const [kind, id] of kinds)
      await keep(`${kind} a minute after`, readStatusUntil(profile, organization, id, ['expired'], later))
    if (chosen.has('EVT-08')) await keepWebhooks({ ...context, ...organization }, path.transactionId, keep)
    const json = captureBody(account, path.transactionId)
    await keep('capture', merchant.request('capture', { json }, await fetchToken(organization)))
  },
  checks: [
    ...SETTLED_CHECKS,
    {
      id: 'LIF-25',
      clause: 'R3',
      title: 'an authorization that is not captured in time ends as expired, and no sooner',
      ...assumed('D-33'),
      control: 'LIF-01',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expect.inCategory(evidence.of('a minute before'), 'authorized')
        expect.inCategory(evidence.of('a minute after'), 'expired')
      },
    },
    {
      id: 'LIF-26',
      clause: 'R3',
      title: 'an expired authorization cannot be captured',
      ...assumed('D-33'),
      control: 'LIF-25',
      judge: (evidence, expect) => expect.refused(evidence.of('capture'), { status: 422, or: 409, code: '5' }),
    },
    gridRowCheck({
      id: 'GRD-70',
      clause: 'R3',
      title: 'an authorization of any kind that is not captured in time ends as expired, and no sooner',
      ...assumed('D-02', 'D-33'),
      control: 'LIF-25',
      ...WITH_STATES,
      exemptCell: (profile: Profile, column: string) =>
        column === 'BLIK' ? undefined : lackedOperation(profile, 'charge'),
      cells: [{ column: 'BLIK', empty: 'LIF-25 judges this cell' }, ...KINDS.map(expiryCell)],
    }),
    {
      id: 'EVT-08',
      clause: '6, R3',
      title: 'an authorization that expires is told by a webhook, as over',
      ...assumed('D-33'),
      control: 'LIF-25',
      exempt: ({ control }) => (control ? undefined : 'a webhook that comes days later is read by control alone'),
      needs: ['webhooks.receive', 'fields.webhook.status', ...WITH_STATES.needs],
      judge: (evidence, expect) =>
        expectEndTold(expect, {
          what: 'end of the authorization',
          status: evidence.of('a minute after'),
          came: evidence.of('webhooks'),
          events: evidence.of('events'),
        }),
    },
  ],
}
