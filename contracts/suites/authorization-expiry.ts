import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { KeepStep } from '../harness/judge/scenario-evidence.ts'
import { StillWaiting } from '../harness/judge/verdict-errors.ts'
import { HOLD_TIME } from '../harness/profile/abilities-from-profile-lines.ts'
import { PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { createAuthorizedPayment } from './given/create-payments.ts'
import { fetchToken } from './given/harmless-calls.ts'
import { readStatusUntil } from './given/read-until.ts'
import { captureBody } from './given/request-bodies.ts'
import {
  lookAtSettled,
  OF_SETTLED,
  SETTLED_CHECKS,
  type SettledStep,
  settlePayment,
} from './settled-payment-a-week-later.ts'

type Step = 'a minute before' | 'a minute after' | 'capture' | SettledStep

const OF_AUTHORIZATION = ['LIF-25', 'LIF-26']

const MINUTE = 60

/** Keeps what ended the calls on the settled payment: those on the authorization go on. */
const failing = (keep: KeepStep<Step>, step: SettledStep) => (why: unknown) => {
  if (why instanceof StillWaiting) throw why
  keep(step, Promise.reject(why)).catch(() => undefined)
  return undefined
}

/** Scenario with checks that an authorization expires at `limits.holdSeconds`, and not before; what is settled stays (R3). */
export const authorizationExpiry: CheckScenario<CheckContext, Step> = {
  name: 'an authorization without a capture',
  tier: 3,
  needs: [...PAYMENT_NEEDS, 'limits.holdSeconds', HOLD_TIME],
  play: async (context, keep, chosen) => {
    const { profile, organizationForTime } = context
    const organization = await organizationForTime()
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
    await clock.pass(`PT${seconds - MINUTE}S`, { within: 'PT50S' })
    if (path) await keep('a minute before', merchant.request('status', { path }, await fetchToken(organization)))
    await clock.pass(`PT${2 * MINUTE}S`)
    if (settled) await lookAtSettled(scene, settled).catch(failing(keep, 'settled refund'))
    if (!path) return
    const expired = readStatusUntil(profile, organization, path.transactionId, ['expired'], {
      alter: await fetchToken(organization),
    })
    await keep('a minute after', expired)
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
  ],
}
