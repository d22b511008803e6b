import type { Check } from '../../harness/judge/check.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { expectPremise } from '../evidence/expect-premise.ts'

/** Needs of every check scenario with payments that a shopper approves. */
export const PAYMENT_NEEDS = ['shopper.approve', 'fields.initiate.transactionId']

/** Profile lines that a check needs to read the category of a payment's state. */
export const WITH_STATES = { needs: ['fields.status.state', 'states'] }

/**
 * What else a check of a refused step says: the steps that it builds on, whether 409 is accepted as well (7.1), and where
 * the step is served by choice.
 */
type RefusalDetails<Step extends string> = Partial<Check<Step>> & {
  premises?: readonly Step[]
  orConflict?: true
  servedWhere?: (profile: Profile) => boolean
}

/** Creates a check that a step which breaks a lifecycle rule is refused with 422 and a 5xxx code (R5). */
export const lifecycleRefusal = <Step extends string>(
  id: string,
  clause: string,
  title: string,
  control: string,
  step: Step,
  { premises = [], orConflict, servedWhere, ...more }: RefusalDetails<Step> = {},
): Check<Step> => ({
  id,
  clause,
  title,
  control,
  ...more,
  judge: (evidence, expect) => {
    for (const premise of premises) expectPremise(evidence.of(premise), premise, expect)
    if (servedWhere?.(expect.profile)) return expect.served(evidence.of(step))
    expect.refused(evidence.of(step), { status: 422, ...(orConflict && { or: 409 }), code: '5' })
  },
})
