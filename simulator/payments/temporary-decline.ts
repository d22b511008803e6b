import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { isTemporaryDecline } from '../../contracts/protocol/reason-codes.ts'

/** Whether a decline with this reasonCode leaves key and payment open for the same call again (7.4.2, D-117). */
export const isOpenForRetry = (reasonCode: string, choices: DecisionChoices): boolean =>
  choices['D-117'] === 'unused' && isTemporaryDecline(reasonCode)
