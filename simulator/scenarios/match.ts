import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { ProviderCall } from '../providers/faults.ts'
import type { Mock } from '../providers/mock.ts'
import type { Scenario } from './scenario.ts'

/** A call to a provider, as mocks look at it: a payment's own values count for calls on it (2.7). */
export type Subject = {
  operation: ProviderCall
  processingAccountId: string | undefined
  providerId: ProviderId | undefined
  payerIds: readonly string[]
  clientTransactionIds: readonly string[]
}

/** A mock that a call was compared with: it matched, or the first thing that differed. */
export type MockNote = { key: Mock['key']; type: Mock['type']; scenario?: string } & (
  | { matched: true }
  | { differed: string; expected: string; got: string }
)

type Difference = { differed: string; expected: string; got: string }

/** The first thing in which a call differs from what a mock is for; undefined where it matches (2.7, E2). */
export const differenceOf = (mock: Mock, scenario: Scenario | undefined, subject: Subject): Difference | undefined => {
  const { operation, processingAccountId = 'none', providerId = 'none' } = subject
  const [name, values] = keyed(mock, subject)
  const served = scenario?.providers ?? []
  if (mock.processingAccountId !== processingAccountId)
    return differs('processingAccountId', mock.processingAccountId, processingAccountId)
  if (!values.includes(mock.key.value)) return differs(name, mock.key.value, values.join(' or ') || 'none')
  if (scenario && !served.some(id => id === providerId)) return differs('providerId', served.join(' or '), providerId)
  if (mock.oneTime && mock.used?.includes(operation))
    return differs('oneTime', `the first ${operation}`, `a later ${operation}`)
  const steps = Object.keys(mock.steps)
  if (mock.type === 'MOCK' && mock.scenario === undefined && steps.length > 0 && !steps.includes(operation))
    return differs('steps', steps.join(' or '), operation)
  return undefined
}

const keyed = ({ key }: Mock, { payerIds, clientTransactionIds }: Subject) =>
  key.type === 'PAYER_ID'
    ? (['payerDetails.payerId', payerIds] as const)
    : (['clientTransactionId', clientTransactionIds] as const)

const differs = (differed: string, expected: string, got: string): Difference => ({ differed, expected, got })
