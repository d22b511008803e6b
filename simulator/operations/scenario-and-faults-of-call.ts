import { isProviderOperation } from '../../contracts/operations.ts'
import type { CallScript, TriggeredFault } from '../providers/call-provider-with-faults.ts'
import type { MockComparison } from '../scenarios/compare-call-with-mock.ts'
import { toProviderResponse } from '../scenarios/create-scripted-response.ts'
import { type SelectedScenario, selectScenario } from '../scenarios/select-scenario.ts'
import type { Loaded, WriteSet } from '../store/unit-of-work.ts'
import { LIFETIMES } from '../support/lifetimes.ts'
import type { OperationCall, OperationRules } from './operation-types.ts'
import { oneTimeCodeOf } from './select-records-to-load.ts'

/** Journal note about a call's scenario, how it was selected, and every mock compared with the call. */
export type ScriptNote = {
  scenario?: string
  by?: string
  type?: string
  /** Why a magic amount selected no scenario. */
  ordinaryAmount?: string
  mocks?: readonly MockComparison[]
}

const NO_SCENARIO: SelectedScenario = { mocked: false, notes: [] }

/** Selects the scenario of a call to a provider (E2); none for any other call. */
export const selectScenarioForCall = (
  call: OperationCall,
  loaded: Loaded,
  { scenarios }: OperationRules,
): SelectedScenario => {
  const { operation } = call
  if (!isProviderOperation(operation)) return NO_SCENARIO
  const { payment, mandate, mocks } = loaded
  const { processingAccountId, clientTransactionId, payerDetails, providerDetails, paymentDetails } = call.request
  return selectScenario({
    subject: {
      operation,
      processingAccountId: payment?.processingAccountId ?? processingAccountId,
      providerId: payment?.providerId ?? providerDetails?.providerId,
      payerIds: distinct(payerDetails?.payerId, payment?.payerId, mandate?.payerId),
      clientTransactionIds: distinct(payment?.clientTransactionId, clientTransactionId),
    },
    payment,
    amount: payment ? undefined : paymentDetails?.amount,
    oneTimeCode: oneTimeCodeOf(call.request),
    mandateScenario: mandate?.scenario,
    mocks,
    catalogue: scenarios,
  })
}

const distinct = (...values: readonly (string | undefined)[]): string[] => [
  ...new Set(values.filter(value => value !== undefined)),
]

/** Converts the selected scenario to the provider's scripted response and fault, which `times` calls per key meet. */
export const createCallScript = (
  { step, unknownCode }: SelectedScenario,
  { faultTriggerCount }: Loaded,
): CallScript => ({
  fault: step?.fault && faultTriggerCount < step.fault.times ? step.fault : undefined,
  answer: providerId => {
    if (unknownCode !== undefined)
      return { outcome: 'declined', code: '3001', statusInfo: { reasonCode: '4000', message: unknownCode } }
    return step && toProviderResponse(step, providerId)
  },
})

/** Creates the journal's note about the scenario of a call. */
export const toScriptNote = ({ scenario, arranged, ordinaryAmount, notes }: SelectedScenario): ScriptNote => ({
  ...(arranged ? { ...(scenario ? { scenario: scenario.name } : {}), by: arranged.by, type: arranged.type } : {}),
  ...(ordinaryAmount === undefined ? {} : { ordinaryAmount }),
  ...(notes.length > 0 ? { mocks: notes } : {}),
})

/** Returns the writes that count a triggered fault: of an armed one down, of a mock's step up under the call's key. */
export const toFaultWrites = (
  met: TriggeredFault | undefined,
  { key }: OperationCall,
  { faultTriggerCount }: Loaded,
  now: number,
): Pick<WriteSet, 'spentFaultId' | 'faultTrigger'> => {
  if (!met) return {}
  if (met.faultId !== undefined) return { spentFaultId: met.faultId }
  return key === undefined
    ? {}
    : { faultTrigger: { key, count: faultTriggerCount + 1, expiresAt: now + LIFETIMES.idempotencyKey } }
}

/** Returns the write that marks a oneTime mock as used by this call's step (2.7); none for other mocks. */
export const toUsedMockWrite = (
  { mock }: SelectedScenario,
  { operation }: OperationCall,
): Pick<WriteSet, 'usedMock'> =>
  mock?.oneTime && mock.mockId !== undefined && isProviderOperation(operation)
    ? { usedMock: { mockId: mock.mockId, step: operation } }
    : {}
