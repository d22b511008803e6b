import { numberedUuid } from '../../contracts/dialect/numeric-ids.ts'
import type { Ids } from '../support/ids.ts'
import type { OperationRules } from './operation-types.ts'

type IdRules = Pick<OperationRules, 'numericIds' | 'choices'>

/**
 * Returns the generators of ids for an organization's payments by its rules: UUIDs, ascending numbers, or short texts
 * (D-121).
 */
export const idsByRules = (ids: Ids, { numericIds, choices }: IdRules): Ids => {
  const nextNumber = () => numberedUuid(ids.ascendingNumber())
  if (numericIds) return { ...ids, uuid: nextNumber, orderedUuid: nextNumber }
  const form = ID_FORMS[choices['D-121']]
  return { ...ids, uuid: () => form(ids.uuid()), orderedUuid: milliseconds => form(ids.orderedUuid(milliseconds)) }
}

const SHORT_LENGTH = 12
const LETTERS_AND_DIGITS = 36

/** Converts a UUID to twelve capital letters and digits, of the 72 bits that are random in versions 4 and 7. */
const toShortText = (uuid: string): string => {
  const hex = uuid.replaceAll('-', '')
  const random = BigInt(`0x${hex.slice(13, 16)}${hex.slice(17)}`) % BigInt(LETTERS_AND_DIGITS) ** BigInt(SHORT_LENGTH)
  return random.toString(LETTERS_AND_DIGITS).padStart(SHORT_LENGTH, '0').toUpperCase()
}

/** Forms of ids, by choice. */
const ID_FORMS = { uuid: (uuid: string): string => uuid, short: toShortText } as const
