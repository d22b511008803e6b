import type { Check } from '../harness/judge/check.ts'
import type { ExpectedRefusal } from '../harness/judge/check-assertions.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { expectRefusedOrDeclined, findStep } from './evidence/expect-refused-or-declined.ts'

/** Steps of the scenario of charges under a mandate. */
export type ChargeStep =
  | 'token only'
  | 'mandate'
  | 'by payer'
  | 'by payer again'
  | 'status'
  | 'finalize'
  | 'by token'
  | 'by both'
  | "by another's token"
  | "by another's token later"
  | 'equal'
  | 'one time'
  | 'iris'
  | 'iris later'
  | 'nobody'
  | 'nobody later'
  | 'keyless'
  | 'read only'

/** Steps that are to be refused, or declined at once or later. */
export type ForbiddenCharge = 'iris' | 'nobody' | "by another's token"

const NO_PAYMENT = { without: 'charge.transactionId' }

/** Creates the check that a charge, or an act on one, is refused and begins no payment. */
export const refused = (
  id: string,
  clause: string,
  title: string,
  step: ChargeStep,
  refusal: ExpectedRefusal = {},
  more: Partial<Check<ChargeStep>> = {},
): Check<ChargeStep> => ({
  id,
  clause,
  title,
  control: 'VAL-38',
  ...more,
  judge: (evidence, expect) => expect.refused(evidence.of(step), { ...refusal, ...NO_PAYMENT }),
})

/** Creates the check that a charge is refused, or declined at once or later, and begins no payment. */
export const refusedOrDeclined = (
  id: string,
  title: string,
  step: ForbiddenCharge,
  chosen: (profile: Profile) => ExpectedRefusal = () => ({}),
  more: Partial<Check<ChargeStep>> = {},
): Check<ChargeStep> => ({
  id,
  clause: '1',
  title,
  control: 'VAL-38',
  ...more,
  judge: (evidence, expect) =>
    expectRefusedOrDeclined(
      evidence.of(step),
      expect,
      { ...NO_PAYMENT, ...chosen(expect.profile) },
      { later: findStep(evidence, `${step} later`) },
    ),
})
