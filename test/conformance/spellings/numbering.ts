import { mapped, type Tongue } from './tongue.ts'

const FIRST = 7_000_000_001
/** Where a number leads that was never given. */
const NOBODY = '00000000-0000-7000-8000-000000000000'

/** Numbers for the ids of payments, or the ids themselves. */
export const numbering = (ids: Tongue['ids']) => {
  const numbers = new Map<string, number>()
  const names = new Map<string, string>()
  const numberOf = (id: string): number => {
    const number = numbers.get(id) ?? FIRST + numbers.size
    numbers.set(id, number)
    names.set(String(number), id)
    return number
  }
  const inward = (id: unknown): unknown => (ids === 'text' ? id : (names.get(String(id)) ?? NOBODY))
  const isId = (name: string, value: unknown) =>
    (name === 'transactionId' || name === 'originalTransactionId') && typeof value === 'string'
  return {
    /** An id of ours for one of theirs. */
    inward,
    inwardAll: (body: unknown): unknown =>
      mapped(body, (name, value) => [name, name === 'transactionId' && value !== undefined ? inward(value) : value]),
    outward: (body: unknown): unknown =>
      ids === 'text'
        ? body
        : mapped(body, (name, value) => [name, isId(name, value) ? numberOf(String(value)) : value]),
  }
}
