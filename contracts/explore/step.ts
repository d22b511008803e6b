import type { MockRequest, Party } from '../model/model-call-and-judged-response.ts'
import type { ProviderId } from '../protocol/provider-codes.ts'
import type { TransactionType } from '../protocol/providers-and-capabilities.ts'
import type { InvalidRequest } from './invalid-requests.ts'
import type { ChangedMember } from './members-that-repeated-calls-change.ts'
import type { FaultKind } from './provider-faults.ts'

/** What a step of exploration can do. */
export const STEP_KINDS = [
  ...(['initiate', 'charge', 'finalize', 'capture', 'cancel', 'refund'] as const),
  ...(['status', 'events', 'search', 'mockSet', 'repeat', 'shopper', 'code', 'pass'] as const),
]

/**
 * One step of an explored sequence, as a file of `--replay` holds it. Steps name each other by `id`, so that a sequence
 * can be played on any deployment, and with steps left out.
 */
export type Step = {
  id: string
  do: (typeof STEP_KINDS)[number]
  /** Sent at once with the step before it. */
  together?: true
  by?: Exclude<Party, 'first'>
  /** The step that began the payment; `unknown` for an id that no payment has. */
  on?: string
  /** Another account of the caller, or the first organization's. */
  account?: 'other' | 'foreign'
  method?: ProviderId
  type?: TransactionType
  autoCapture?: boolean
  amount?: number
  /** Label of a payer; steps with the same label have the same payer. */
  payer?: string
  /** Label of a clientTransactionId. */
  reference?: string
  /** The step that made the one-time code, or `wrong`. */
  code?: string
  /** The payment whose token a charge names. */
  tokenOf?: string
  wrong?: InvalidRequest
  /** `none`, `empty`, `new`, or the step whose Idempotency-Key is sent. */
  key?: string
  /** The step whose call is sent again, under its key. */
  again?: string
  /** The member of that call's body that is changed. */
  change?: ChangedMember
  /** The response is thrown away, as if it had been lost. */
  lost?: true
  fault?: FaultKind
  /** A mock for the payer or the reference of the step; `shows` sets values that initiate must show. */
  mock?: Pick<MockRequest, 'type' | 'oneTime' | 'step'> & { shows?: 'details' | 'status' }
  /** An ISO 8601 duration that passes. */
  time?: string
  decision?: 'approve' | 'decline'
}

/** Names of steps on which a step depends. */
const dependsOn = ({ on, code, again, tokenOf, key }: Step): string[] =>
  [on, code, again, tokenOf, key].filter(
    name => name !== undefined && !['unknown', 'wrong', 'none', 'empty', 'new'].includes(name),
  ) as string[]

/** Finds a step of an explored sequence that names one which does not come before it, and the name. */
export const danglingStep = (steps: readonly Step[]): { step: Step; name: string } | undefined => {
  const known = new Set<string>()
  for (const step of steps) {
    const name = dependsOn(step).find(one => !known.has(one))
    if (name !== undefined) return { step, name }
    known.add(step.id)
  }
  return undefined
}

/** Removes from an explored sequence the steps that depend on one that is missing. */
export const withoutDangling = (steps: readonly Step[]): Step[] => {
  const kept = new Set<string>()
  return steps.filter(step => dependsOn(step).every(name => kept.has(name)) && kept.add(step.id))
}

/** Whether a step of exploration is a call of the API, which counts; the others are of the shopper and of time. */
export const isCall = ({ do: what }: Step): boolean => what !== 'shopper' && what !== 'code' && what !== 'pass'
