import type { Check } from '../../harness/judge/check.ts'

/** Profile lines that every scenario with payments needs. */
export const PAYMENT_NEEDS = ['shopper.approve', 'fields.initiate.transactionId']

/** Profile lines that a check of the payment state category needs. */
export const WITH_STATES = { needs: ['fields.status.state', 'states'] }

/** Creates a check that a step which breaks a lifecycle rule is refused with 422 and a 5xxx code (R5). */
export const lifecycleRefusal = <Step extends string>(
  id: string,
  clause: string,
  title: string,
  control: string,
  step: Step,
  more: Partial<Check<Step>> = {},
): Check<Step> => ({
  id,
  clause,
  title,
  control,
  ...more,
  judge: (evidence, expect) => expect.refused(evidence.of(step), { status: 422, code: '5' }),
})
