import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { providerCode } from '../../contracts/protocol/provider-codes.ts'
import type { RefusalName } from '../../contracts/protocol/reason-codes.ts'
import { Refusal } from '../support/refusal.ts'
import type { ProviderCall } from './call-provider-with-faults.ts'

const NO_DECLINES = { '4001': 'ORDER_NOT_FOUND', '4971': 'FORBIDDEN', '8004': 'PROVIDER_ERROR' } as const

/** Refusals with the same reasonCode as a provider's code is mapped to (7.3, 7.5), by choice. */
const REFUSALS_OF_MAPPED_CODES = {
  declined: {},
  '502': NO_DECLINES,
  '409': { ...NO_DECLINES, '3001': 'ORDER_EXISTS' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, RefusalName>>>>

/**
 * Wraps the call of a simulated provider so that its codes that mean something other than a decline become HTTP errors
 * of the API, where the dialect chooses so (D-82).
 */
export const refusingProviderCodes = (ask: ProviderCall, choices: DecisionChoices): ProviderCall =>
  refuseCode(ask, REFUSALS_OF_MAPPED_CODES[choices['D-82']])

const refuseCode =
  (ask: ProviderCall, refusals: Readonly<Record<string, RefusalName>>): ProviderCall =>
  (providerId, healthy) => {
    const response = ask(providerId, healthy)
    const row = response.code && providerCode(providerId, response.code)
    const refusal = row && refusals[row.reasonCode]
    if (!refusal) return response
    throw new Refusal(refusal, 'operation', `${row.meaning}.`, { diagnosis: { code: row.code } })
  }
