import { randomUUID } from 'node:crypto'
import type { CheckContext } from '../suites/context/check-context.ts'
import type { TestOrganization } from '../suites/context/test-organization.ts'
import { abilitiesOf } from './abilities.ts'
import type { Target } from './explore.ts'
import { rulesOfProfile } from './model-rules-of-profile.ts'
import type { Organizations } from './organizations-and-values-of-play.ts'

/** Time by which clocks are moved before new organizations take over, as keys and certificates end (5.1, 5.2). */
const MOST_MOVED_MS = 60 * 24 * 60 * 60 * 1000

/** Creates the target that a check context describes: its organizations, and others with a clock of their own for long sequences. */
export const openTarget = (context: CheckContext): Target => {
  const { profile, merchant } = context
  let ofTime: { organizations: Organizations; since: number } | undefined
  const second = (): Promise<TestOrganization> =>
    profile.secondOrganization ? context.secondOrganization() : Promise.resolve(context)
  const joined = async (): Promise<Organizations> => {
    const [one, other] = [
      await context.organizationForTime(),
      await context.join(`explore-${randomUUID().slice(0, 8)}`),
    ]
    return { first: one, second: other }
  }
  return {
    profile,
    rules: rulesOfProfile(profile),
    abilities: abilitiesOf(profile, merchant.credentials.processingAccountIds.length),
    organizations: async isLong => {
      if (!isLong) return { first: context, second: await second() }
      const moved = ofTime
        ? ofTime.organizations.first.clock.now() - context.clock.now() - ofTime.since
        : Number.POSITIVE_INFINITY
      if (!ofTime || moved > MOST_MOVED_MS) {
        const organizations = await joined()
        ofTime = { organizations, since: organizations.first.clock.now() - context.clock.now() }
      }
      return ofTime.organizations
    },
  }
}
