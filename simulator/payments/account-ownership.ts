import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { ensure } from '../support/refusal.ts'

/** Refuses a processing account of another organization (D-54). */
export const ensureOwnAccount = (
  processingAccountId: string,
  { accountIds, choices }: { accountIds: readonly string[]; choices: DecisionChoices },
): void =>
  ensure(
    accountIds.includes(processingAccountId),
    refusalsOfAccount(choices).foreign,
    'The processing account is not one of this organization.',
  )

/** Returns the refusals for an account of another organization, and for another account than the payment's (D-54). */
export const refusalsOfAccount = (choices: DecisionChoices) => REFUSALS_OF_ACCOUNT[choices['D-54']]

const REFUSALS_OF_ACCOUNT = {
  'by-call': { foreign: 'FORBIDDEN', other: 'PAYMENT_NOT_FOUND' },
  '403': { foreign: 'FORBIDDEN', other: 'FORBIDDEN' },
  '404': { foreign: 'PAYMENT_NOT_FOUND', other: 'PAYMENT_NOT_FOUND' },
} as const
