import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import { CONSENT_TIME } from '../harness/profile/abilities-from-profile-lines.ts'
import { hasCapability } from '../harness/profile/capabilities-that-checks-need.ts'
import { PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { createApprovedPayment } from './given/create-payments.ts'
import { fetchToken } from './given/harmless-calls.ts'
import { readStatusUntil } from './given/read-until.ts'
import { ENDED_BY_TIME } from './grid/create-lapsed-payment.ts'

const MINUTE = 60

/** Scenario with the check that a consent ends at `limits.consentSeconds`, if the profile names a time (D-118). */
export const consentExpiry: CheckScenario<CheckContext, 'a minute before' | 'a minute after'> = {
  name: 'a consent without finalize',
  tier: 3,
  needs: [...PAYMENT_NEEDS, CONSENT_TIME],
  play: async ({ profile, organizationForTime }, keep) => {
    const organization = await organizationForTime()
    const seconds = profile.limits?.consentSeconds ?? 0
    if (seconds === 0) return
    const isAutomatic = !hasCapability(profile, 'manualCapture')
    const token = () => fetchToken(organization)
    const transactionId = await createApprovedPayment(profile, organization, isAutomatic, { alter: await token() })
    const statusWith = async (...stages: string[]) =>
      readStatusUntil(profile, organization, transactionId, stages, { alter: await token() })
    await organization.clock.pass(`PT${seconds - MINUTE}S`, { within: 'PT50S' })
    await keep('a minute before', statusWith('authenticated'))
    await organization.clock.pass(`PT${2 * MINUTE}S`)
    await keep('a minute after', statusWith(...ENDED_BY_TIME))
  },
  checks: [
    {
      id: 'LIF-29',
      clause: '3',
      title: 'a consent that is not finalized in time ends, and no sooner',
      ...assumed('D-118'),
      control: 'LIF-01',
      ...WITH_STATES,
      exempt: ({ limits, file }) =>
        limits?.consentSeconds ? undefined : `${file} names no time after which a consent ends (limits.consentSeconds)`,
      judge: (evidence, expect) => {
        expect.inCategory(evidence.of('a minute before'), 'authenticated')
        expect.inCategory(evidence.of('a minute after'), ...ENDED_BY_TIME)
      },
    },
  ],
}
