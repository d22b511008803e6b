import type { Check } from '../harness/check.ts'

/** What every journey along a payment's life needs to know. */
export const NEEDS = ['control.url', 'fields.initiate.transactionId']

/** What a check needs that asks for the stage of a payment. */
export const WITH_STATES = { needs: ['fields.status.state', 'states'] }

/** A step that the rules of the life cycle forbid: 422 with a code of family 5 (R5). */
export const refusal = <Step extends string>(
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
