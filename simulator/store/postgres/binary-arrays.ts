import { escapeNul } from './nul-escaping.ts'

/** Types of array elements, by their object ids in PostgreSQL. */
const ELEMENT_TYPES = { text: 25, bigint: 20, bytea: 17 } as const
export type ElementType = keyof typeof ELEMENT_TYPES
export type Element = string | number | Buffer | null | undefined

const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const BIGINT_BYTES = 8
const NULL_LENGTH = -1

/**
 * Encodes a column of values as an array of PostgreSQL in its binary format, for a parameter that is cast to that type.
 * As text each value is escaped here and parsed there: records are JSON, full of quotes. Throws RangeError for a number
 * that is no safe integer.
 */
export const binaryArray = (type: ElementType, values: readonly Element[]): Buffer => {
  const elements = values.map(value => (typeof value === 'string' ? (escapeNul(value) as string) : value))
  const array = Buffer.allocUnsafe(HEADER_BYTES + elements.reduce<number>((sum, one) => sum + sizeOf(one), 0))
  const isEmpty = elements.length === 0
  array.writeInt32BE(isEmpty ? 0 : 1, 0) // dimensions
  array.writeInt32BE(elements.some(isAbsent) ? 1 : 0, 4)
  array.writeInt32BE(ELEMENT_TYPES[type], 8)
  array.writeInt32BE(elements.length, 12)
  array.writeInt32BE(1, 16) // the first index
  let at = HEADER_BYTES
  for (const element of elements) at = write(array, element, at)
  return isEmpty ? array.subarray(0, 12) : array
}

const isAbsent = (element: Element): element is null | undefined => element === null || element === undefined

const sizeOf = (element: Element): number => {
  if (isAbsent(element)) return LENGTH_BYTES
  if (typeof element === 'number') return LENGTH_BYTES + BIGINT_BYTES
  return LENGTH_BYTES + (typeof element === 'string' ? Buffer.byteLength(element) : element.length)
}

/** Writes the length and the bytes of an element; returns where the next one begins. */
const write = (array: Buffer, element: Element, at: number): number => {
  if (isAbsent(element)) return array.writeInt32BE(NULL_LENGTH, at)
  const start = at + LENGTH_BYTES
  if (typeof element === 'number') {
    if (!Number.isSafeInteger(element))
      throw new RangeError(`${element} is not an integer that a number holds exactly.`)
    array.writeInt32BE(BIGINT_BYTES, at)
    return array.writeBigInt64BE(BigInt(element), start)
  }
  const length = typeof element === 'string' ? array.write(element, start) : element.copy(array, start)
  array.writeInt32BE(length, at)
  return start + length
}
