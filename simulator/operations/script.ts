import { LIFETIMES } from '../payments/deadlines.ts'
import type { Met, Scripted } from '../providers/asking.ts'
import { PROVIDER_CALLS } from '../providers/faults.ts'
import type { StepFault } from '../providers/mock.ts'
import { Refusal } from '../refusal.ts'
import { type Choice, choose } from '../scenarios/choose.ts'
import type { MockNote } from '../scenarios/match.ts'
import { answerOf } from '../scenarios/mock-answer.ts'
import type { Loaded, Save } from '../store/port.ts'
import type { OperationCall, Rules } from './operation.ts'

/** What the journal tells about who answered a call, and about every mock that was looked at. */
export type ScriptNote = { scenario?: string; by?: string; type?: string; mocks?: readonly MockNote[] }

const NOTHING: Choice = { mocked: false, notes: [] }

/** What was chosen for a call to a provider (E2); nothing for any other call. */
export const chosenFor = (call: OperationCall, loaded: Loaded, { scenarios }: Rules): Choice => {
  const operation = PROVIDER_CALLS.find(name => name === call.operation)
  if (!operation) return NOTHING
  const { payment, mandate, mocks } = loaded
  const { processingAccountId, clientTransactionId, payerDetails, providerDetails, paymentDetails } = call.request
  return choose({
    subject: {
      operation,
      processingAccountId: payment?.processingAccountId ?? processingAccountId,
      providerId: payment?.providerId ?? providerDetails?.providerId,
      payerIds: given(payerDetails?.payerId, payment?.payerId, mandate?.payerId),
      clientTransactionIds: given(payment?.clientTransactionId, clientTransactionId),
    },
    payment,
    amount: payment ? undefined : paymentDetails?.amount,
    oneTimeCode: payerDetails?.oneTimeCode,
    mocks,
    catalogue: scenarios,
  })
}

const given = (...values: readonly (string | undefined)[]): string[] => [
  ...new Set(values.filter(value => value !== undefined)),
]

/** The choice as the provider's answer; a fault of the step is met so often under each key. */
export const scriptedBy = ({ step, unknown }: Choice, { faultsMet }: Loaded): Scripted => ({
  fault: stepFault(step?.fault, faultsMet),
  answer: providerId => {
    if (unknown?.value === 'amount')
      throw new Refusal('INVALID_INPUT', 'operation', unknown.sentence, {
        fields: { 'paymentDetails.amount': 'is a magic amount that no scenario answers to' },
      })
    if (unknown)
      return { outcome: 'declined', code: '3001', statusInfo: { reasonCode: '4000', message: unknown.sentence } }
    return step && answerOf(step, providerId)
  },
})

const stepFault = (fault: StepFault | undefined, met: number): StepFault | undefined =>
  fault && met < fault.times ? fault : undefined

export const noteOf = ({ scenario, arranged, notes }: Choice): ScriptNote => ({
  ...(arranged ? { ...(scenario ? { scenario: scenario.name } : {}), by: arranged.by, type: arranged.type } : {}),
  ...(notes.length > 0 ? { mocks: notes } : {}),
})

/** A fault that was met is one call the poorer; one of a step is counted under the key of the call. */
export const spentOn = (
  met: Met | undefined,
  { key }: OperationCall,
  { faultsMet }: Loaded,
  now: number,
): Pick<Save, 'spentFaultId' | 'faultMet'> => {
  if (!met) return {}
  if (met.faultId !== undefined) return { spentFaultId: met.faultId }
  return key === undefined ? {} : { faultMet: { key, met: faultsMet + 1, expiresAt: now + LIFETIMES.idempotencyKey } }
}

/** A oneTime mock is used up by one call of each step (2.7). */
export const usedBy = ({ mock }: Choice, { operation }: OperationCall): Pick<Save, 'usedMock'> => {
  const step = PROVIDER_CALLS.find(name => name === operation)
  return mock?.oneTime && mock.mockId !== undefined && step ? { usedMock: { mockId: mock.mockId, step } } : {}
}
