import type { ProviderOperation } from '../../contracts/operations.ts'
import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import { appliesToProvider, providerOfCode } from '../providers/fault-kinds.ts'
import type { Mock } from '../providers/provider-mock.ts'
import type { Scenario } from './scenario.ts'

/** Properties of a provider call that mocks match; a call on a payment has the payment's own values too (2.7). */
export type MockableCall = {
  operation: ProviderOperation
  processingAccountId: string | undefined
  providerId: ProviderId | undefined
  payerIds: readonly string[]
  clientTransactionIds: readonly string[]
}

/** Comparison of a call with one mock, for the journal: matched, or the first difference. */
export type MockComparison = { key: Mock['key']; type: Mock['type']; scenario?: string } & (
  | { matched: true }
  | { differed: string; expected: string; got: string }
)

type Difference = { differed: string; expected: string; got: string }

/** Compares a call with a mock: returns the first difference, or undefined if the mock matches (2.7, E2). */
export const compareCallWithMock = (
  mock: Mock,
  scenario: Scenario | undefined,
  subject: MockableCall,
): Difference | undefined => {
  const { operation, processingAccountId = 'none', providerId = 'none' } = subject
  const [name, values] = keyValues(mock, subject)
  const served = scenario?.providers ?? []
  if (mock.processingAccountId !== processingAccountId)
    return differs('processingAccountId', mock.processingAccountId, processingAccountId)
  if (!values.includes(mock.key.value)) return differs(name, mock.key.value, values.join(' or ') || 'none')
  if (scenario && !served.some(id => id === providerId)) return differs('providerId', served.join(' or '), providerId)
  const { providerCode: code } = mock.steps[operation] ?? {}
  if (code && !appliesToProvider({ code }, subject.providerId))
    return differs('providerId', providerOfCode(code) ?? 'none', providerId)
  if (mock.oneTime && mock.used?.includes(operation))
    return differs('oneTime', `the first ${operation}`, `a later ${operation}`)
  const steps = Object.keys(mock.steps)
  if (mock.type === 'MOCK' && mock.scenario === undefined && steps.length > 0 && !steps.includes(operation))
    return differs('steps', steps.join(' or '), operation)
  return undefined
}

const keyValues = ({ key }: Mock, { payerIds, clientTransactionIds }: MockableCall) =>
  key.type === 'PAYER_ID'
    ? (['payerDetails.payerId', payerIds] as const)
    : (['clientTransactionId', clientTransactionIds] as const)

const differs = (differed: string, expected: string, got: string): Difference => ({ differed, expected, got })
