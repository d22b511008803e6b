import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { type ProviderId, providerCode } from '../../contracts/protocol/provider-codes.ts'
import type { RefusalName } from '../../contracts/protocol/reason-codes.ts'
import type { ProviderResponse } from '../providers/provider.ts'
import { Refusal } from '../support/refusal.ts'

/** What a deployment makes of a provider's code at initiate: a refusal without a payment, or a BLIK code that is used up. */
type Treatment = { refusal?: RefusalName; usesCode?: true }

/** Treatments of a bank without recurring payments. */
const WITHOUT_RECURRING = {
  declined: {},
  '501': { refusal: 'OPERATION_UNSUPPORTED' },
  'used-code': { usesCode: true },
} as const

const treatmentOf = ({ code }: ProviderResponse, choices: DecisionChoices): Treatment => {
  if (code === '3001') return choices['D-42'] === '400' ? { refusal: 'INVALID_INPUT' } : {}
  return code === '3004' ? WITHOUT_RECURRING[choices['D-65']] : {}
}

/**
 * Applies a dialect's decisions to a provider's response to initiate (D-42, D-65): refuses the call, or tells whether
 * its BLIK code is used.
 */
export const usesCodeAtInitiate = (
  providerId: ProviderId,
  answer: ProviderResponse,
  choices: DecisionChoices,
): boolean => {
  const { refusal, usesCode } = treatmentOf(answer, choices)
  if (refusal && answer.code)
    throw new Refusal(refusal, 'operation', `${providerCode(providerId, answer.code).meaning}.`)
  return answer.outcome === 'pending' || usesCode === true
}
