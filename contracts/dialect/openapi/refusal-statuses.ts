import { isProviderOperation, OPERATIONS, type OperationName, startsPayment } from '../../operations.ts'
import { REFUSALS, type RefusalName } from '../../protocol/reason-codes.ts'
import type { DecisionChoices, SwitchedDecision } from '../decision-choices.ts'
import { refusalRow } from '../status-and-code-of-refusal.ts'
import { ref } from './component-reference.ts'
import type { Schema } from './message-schema.ts'

const NAMES = Object.keys(REFUSALS) as RefusalName[]

/** Refusals that only some operations have; every other is one of all that list its status. */
const ONLY_OF: Readonly<Partial<Record<RefusalName, (operation: OperationName) => boolean>>> = {
  KEY_MISSING: isProviderOperation,
  MEDIA_TYPE_REFUSED: operation => OPERATIONS[operation].method === 'POST',
  METHOD_NOT_FOUND: () => false,
  ENDPOINT_NOT_FOUND: () => false,
}

/** Operations to which a choice adds a status of refusals that the document does not list for them. */
const ADDED: readonly (readonly [
  number: SwitchedDecision,
  value: string,
  status: string,
  is: (name: OperationName) => boolean,
])[] = [
  ['D-54', '404', '404', name => ['initiate', 'charge', 'mockSet', 'providers'].includes(name)],
  ['D-63', '404', '404', name => name === 'charge'],
  ['D-82', '502', '404', startsPayment],
  ['D-82', '409', '404', startsPayment],
]

/** Response component of a status that a choice adds or moves refusals to. */
const RESPONSES: Readonly<Record<string, string>> = {
  '400': 'Invalid',
  '401': 'Unauthenticated',
  '403': 'Forbidden',
  '404': 'NotFound',
  '422': 'NotAllowed',
}

/**
 * Returns the OpenAPI responses of an operation's refusals by status, as a profile's decisions move, add and drop them
 * (7.1).
 */
export const refusalResponses = (
  usual: Readonly<Record<string, Schema>>,
  operation: OperationName,
  choices: DecisionChoices,
): Record<string, Schema> => {
  const mine = NAMES.filter(name => ONLY_OF[name]?.(operation) ?? true)
  const moves = mine.flatMap(name => {
    const [old, now] = [String(REFUSALS[name].http), String(refusalRow(name, choices).http)]
    return old === now || !(old in usual) ? [] : [{ old, now }]
  })
  const isLeft = (status: string) => mine.some(name => String(refusalRow(name, choices).http) === status)
  const left = Object.entries(usual).filter(([status]) => isLeft(status) || !moves.some(({ old }) => old === status))
  const moved = moves.map(({ old, now }) => [now, RESPONSES[now] ? ref('responses', RESPONSES[now]) : usual[old]])
  const added = ADDED.filter(([number, value, , is]) => choices[number] === value && is(operation)).map(
    ([, , status]) => [status, ref('responses', RESPONSES[status] ?? '')],
  )
  return { ...Object.fromEntries([...moved, ...added]), ...Object.fromEntries(left) }
}

/**
 * Returns the reasonCode that an example of a refusal has under a profile's decisions, by its status and usual code.
 */
export const spokenCode = (status: string, code: string, choices: DecisionChoices): string => {
  const meant = NAMES.find(name => String(REFUSALS[name].http) === status && REFUSALS[name].reasonCode === code)
  return meant ? refusalRow(meant, choices).reasonCode : code
}
