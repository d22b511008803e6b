import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { isProviderOperation, type OperationName } from '../../contracts/operations.ts'
import { refusalsOfAccount } from '../payments/account-ownership.ts'
import { createCapabilityCheck } from '../payments/capability-check.ts'
import type { Payment, StatusInfo } from '../payments/payment.ts'
import { isOpenForRetry } from '../payments/temporary-decline.ts'
import {
  createProviderCall,
  type ProviderCall,
  type TriggeredFault,
  toFaultRefusal,
  toResponseFault,
} from '../providers/call-provider-with-faults.ts'
import { findFaultRow, type ResponseFault } from '../providers/fault-kinds.ts'
import { refusingProviderCodes } from '../providers/provider-codes-as-http-errors.ts'
import type { SelectedScenario } from '../scenarios/select-scenario.ts'
import type { LateCall, Loaded, Reply, WriteSet } from '../store/unit-of-work.ts'
import type { Ids } from '../support/ids.ts'
import { ensure, Refusal, refusalReply } from '../support/refusal.ts'
import { findMatchingFaults } from './find-matching-faults.ts'
import { fingerprintRequest, isRemembered, isToBeRepeated, replacingKey, savedReply } from './idempotency.ts'
import type {
  Decision,
  OperationCall,
  OperationContext,
  OperationDefinition,
  OperationRules,
} from './operation-types.ts'
import { idsByRules } from './payment-id-generators.ts'
import {
  createCallScript,
  type ScriptNote,
  selectScenarioForCall,
  toFaultWrites,
  toScriptNote,
  toUsedMockWrite,
} from './scenario-and-faults-of-call.ts'

/** Ids, rules and time with which a call is decided; `now` in epoch milliseconds on the organization's clock. */
type DecisionEnvironment = { ids: Ids; rules: OperationRules; now: number }

export type ExecutedCall = Reply & {
  replayed: boolean
  refusal?: Refusal | undefined
  /** Fault to inject while the response is sent. */
  wire?: ResponseFault | undefined
  /** The scenario that was applied, and how it was selected. */
  script?: ScriptNote | undefined
}

export type DecidedCall = { executed: ExecutedCall; save: WriteSet }

/**
 * Decides an API call from the loaded records: its reply and what to save, that is, payment change, idempotent reply
 * and triggered fault. Pure.
 */
export const decideCall = (
  call: OperationCall,
  definition: OperationDefinition,
  loaded: Loaded,
  environment: DecisionEnvironment,
): DecidedCall => {
  const selected = selectScenarioForCall(call, loaded, environment.rules)
  const provider = createProviderCall(findMatchingFaults(call, loaded), createCallScript(selected, loaded))
  const context = contextOf(call, loaded, environment, provider.ask, selected)
  const decision = decisionOrRefusal(() => decideOn(call, definition, loaded, context))
  const met = provider.met()
  const { executed, save } =
    decision instanceof Refusal
      ? refuseCall(call, decision, met, environment)
      : answerCall(call, withState(decision, loaded, environment.rules), met, environment)
  return {
    executed: { ...executed, ...withResponseFault(met), script: toScriptNote(selected) },
    save: {
      ...save,
      ...replacingKey(save, loaded),
      ...toFaultWrites(met, call, loaded, environment.now),
      ...(provider.answered() ? toUsedMockWrite(selected, call) : {}),
    },
  }
}

const decisionOrRefusal = (decide: () => Decision): Decision | Refusal => {
  try {
    return decide()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Adds the payment's state to the answer where the deployment tells it in every response. */
const withState = (decision: Decision, { payment }: Loaded, { stateInResponses }: OperationRules): Decision => {
  const { state } = decision.change?.payment ?? payment ?? {}
  if (!stateInResponses || state === undefined || typeof decision.answer === 'string') return decision
  return { ...decision, answer: { lifecycle: { state }, ...decision.answer } }
}

type Met = TriggeredFault | undefined

/** Answers a call that its operation allows; a fault may lose the answer, which is saved under the key all the same. */
const answerCall = (
  call: OperationCall,
  { answer, contentType, fileName, ...saved }: Decision,
  met: Met,
  { now, rules: { choices } }: DecisionEnvironment,
): DecidedCall => {
  const body = typeof answer === 'string' ? answer : JSON.stringify(answer)
  const http = isProviderOperation(call.operation) && isDeclined(answer) ? Number(choices['D-07']) : 200
  const file = { ...(contentType && { contentType }), ...(fileName && { fileName }) }
  const reply = { http, body, ...file, ...(typeof answer === 'object' && { document: answer }) }
  const lost = met && findFaultRow(met.kind, met.done)?.told
  return {
    executed: lost ? refused(toFaultRefusal(met), call, choices) : { ...reply, replayed: false },
    save: {
      ...(isTraceless(call, answer, choices) ? {} : saved),
      ...savedReply(call, isPassingDecline(answer, choices) ? undefined : reply, now),
    },
  }
}

const isDeclined = (answer: object | string): boolean => (answer as { status?: unknown }).status === 'DECLINED'

/** Whether an answer is a decline after which the same call is carried out anew. */
const isPassingDecline = (answer: object | string, choices: DecisionChoices): boolean =>
  isDeclined(answer) && isOpenForRetry((answer as { statusInfo: StatusInfo }).statusInfo.reasonCode, choices)

/** Operations whose decline leaves the payment as it was. */
const UNDER_WAY: readonly OperationName[] = ['capture', 'cancel', 'refund']

/** Whether a decline of an operation on a payment is kept nowhere (D-81). */
const isTraceless = ({ operation }: OperationCall, answer: object | string, choices: DecisionChoices): boolean =>
  choices['D-81'] === 'no-trace' && UNDER_WAY.includes(operation) && isDeclined(answer)

/** Refuses a call; after a fault by which the provider acts late, the call is saved to be made then. */
const refuseCall = (
  call: OperationCall,
  refusal: Refusal,
  met: Met,
  { now, rules: { choices } }: DecisionEnvironment,
): DecidedCall => {
  const executed = refused(refusal, call, choices)
  const late = met?.after !== undefined && findFaultRow(met.kind, met.done)?.action === 'later'
  return {
    executed,
    save: {
      ...(isRemembered(refusal, choices) ? savedReply(call, executed, now) : {}),
      ...(isToBeRepeated(refusal) ? savedReply(call, undefined, now) : {}),
      ...(late ? { lateCall: toLateCall(call, now + (met.after ?? 0)) } : {}),
    },
  }
}

const refused = (refusal: Refusal, { callId }: OperationCall, choices: DecisionChoices): ExecutedCall => ({
  ...refusalReply(refusal, callId, choices),
  replayed: false,
  refusal,
})

const withResponseFault = (met: Met): Pick<ExecutedCall, 'wire'> => {
  const wire = met && toResponseFault(met)
  return wire ? { wire } : {}
}

/** Creates the record of a late provider call: made at `dueAt`, payment and key locked until then (7.1: 423). */
const toLateCall = (call: OperationCall, dueAt: number): LateCall => ({
  key: call.key ?? call.callId,
  fingerprint: fingerprintRequest(call),
  transactionId: call.request.transactionId,
  dueAt,
  call: JSON.stringify(call),
})

const contextOf = (
  call: OperationCall,
  loaded: Loaded,
  { ids, rules, now }: DecisionEnvironment,
  callProvider: ProviderCall,
  { mocked, arranged, scenario, step }: SelectedScenario,
): OperationContext => ({
  organizationId: call.organizationId,
  now,
  ids: idsByRules(ids, rules),
  rules,
  traceparent: call.traceparent,
  accountIds: call.accountIds,
  supports: createCapabilityCheck(call.capabilities),
  pagesUrl: call.pagesUrl,
  blikCode: loaded.blikCode,
  mandate: loaded.mandate,
  callProvider: refusingProviderCodes(callProvider, rules.choices),
  mocked,
  scripted: step !== undefined,
  arranged,
  plan: scenario?.webhooks,
})

const decideOn = (
  call: OperationCall,
  definition: OperationDefinition,
  loaded: Loaded,
  context: OperationContext,
): Decision => {
  if (definition.on === 'nothing') {
    ensureFree(loaded)
    return definition.decide(call.request as never, context)
  }
  if (definition.on === 'payments') {
    const { paymentPage: found, ledgerEntries } = loaded
    return definition.decide(call.request as never, { ...context, found, ledgerEntries })
  }
  const { payment, events } = loaded
  const { processingAccountId } = call.request
  ensure(payment, 'PAYMENT_NOT_FOUND', 'There is no such payment.')
  const isOfAccount = processingAccountId === undefined || processingAccountId === payment.processingAccountId
  ensure(isOfAccount, refusalsOfAccount(context.rules.choices).other, 'There is no such payment.')
  const request = withReference(call, payment)
  ensureReference({ ...call, request }, payment, context.rules.choices)
  ensureFree(loaded)
  return definition.decide(request as never, { ...context, payment, events })
}

/** Gives a capture, cancel or refund without a reference that of the payment: a dialect may have no such member. */
const withReference = ({ operation, request }: OperationCall, payment: Payment): OperationCall['request'] =>
  UNDER_WAY.includes(operation) ? { clientTransactionId: payment.clientTransactionId, ...request } : request

/** Refuses a capture, cancel or refund with a reference of its own where that is to be the payment's (D-48). */
const ensureReference = ({ operation, request }: OperationCall, payment: Payment, choices: DecisionChoices): void =>
  ensure(
    choices['D-48'] === 'of-operation' ||
      !UNDER_WAY.includes(operation) ||
      request.clientTransactionId === payment.clientTransactionId,
    'INVALID_INPUT',
    'clientTransactionId is not that of the payment.',
    { clientTransactionId: 'is not that of the payment' },
  )

/** Refuses a call on a payment whose late provider call is still outstanding (7.1: 423). */
const ensureFree = ({ lateCall }: Loaded): void =>
  ensure(!lateCall, 'PAYMENT_LOCKED', 'The provider has not responded yet: try again shortly, with the same key.')
