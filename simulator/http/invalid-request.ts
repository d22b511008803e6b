import { Refusal } from '../support/refusal.ts'
import type { RequestFaults } from './request-validator.ts'

/** Maximum number of faults that the sentence of a refusal names; `fields` has the others. */
const MAX_NAMED = 5

/** Creates the refusal of a request with these invalid members: messages by dotted path. */
export const invalidRequest = (
  fields: Record<string, string>,
  alternatives: RequestFaults['alternatives'] = [],
): Refusal => {
  const either = alternatives.filter(names => names.every(name => name in fields))
  const faults = [
    ...either.map(names => `${names.join(' or ')} is missing`),
    ...Object.entries(fields).flatMap(([name, fault]) => (either.flat().includes(name) ? [] : [`${name} ${fault}`])),
  ]
  const more = faults.length > MAX_NAMED ? [`and ${faults.length - MAX_NAMED} more: see fields`] : []
  const sentence = [...faults.slice(0, MAX_NAMED), ...more].join('; ')
  return new Refusal('INVALID_INPUT', 'validation', `The request is not valid: ${sentence}.`, { fields })
}
