import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { providerCode } from '../../contracts/protocol/provider-codes.ts'
import type { RefusalName } from '../../contracts/protocol/reason-codes.ts'
import { Refusal } from '../support/refusal.ts'
import type { ProviderCall } from './call-provider-with-faults.ts'

/** Refusals with the same reasonCode as a provider's code is mapped to (7.3, 7.5). */
const REFUSAL_OF_MAPPED_CODE: Readonly<Record<string, RefusalName>> = {
  '4001': 'ORDER_NOT_FOUND',
  '4971': 'FORBIDDEN',
  '8004': 'PROVIDER_ERROR',
}

/** Wraps a provider call so that a choice makes HTTP errors of the codes that are no declines by their meaning (D-82). */
export const refusingProviderCodes = (ask: ProviderCall, choices: DecisionChoices): ProviderCall =>
  choices['D-82'] === 'declined' ? ask : (providerId, healthy) => refuseCode(providerId, ask(providerId, healthy))

const refuseCode = (
  providerId: Parameters<ProviderCall>[0],
  response: ReturnType<ProviderCall>,
): ReturnType<ProviderCall> => {
  const row = response.code && providerCode(providerId, response.code)
  const refusal = row && REFUSAL_OF_MAPPED_CODE[row.reasonCode]
  if (!refusal) return response
  throw new Refusal(refusal, 'operation', `${row.meaning}.`, { diagnosis: { code: row.code } })
}
