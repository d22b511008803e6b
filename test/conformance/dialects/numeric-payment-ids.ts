import { type DeploymentDialect, mapMembers } from './deployment-dialect.ts'

const FIRST = 7_000_000_001
const FIRST_BIG = 9_007_199_254_740_993n

/** Writes the marked digits of a JSON text as numbers, which no JSON.stringify does beyond 2^53. */
export const withBigNumbers = (json: string): string => json.replace(/"#(\d+)#"/g, '$1')
/** Id for a number that was never assigned. */
const NOBODY = '00000000-0000-7000-8000-000000000000'

/** Creates a two-way map of payment ids to numbers; with `text` ids stay as they are. */
export const createPaymentIdMap = (ids: DeploymentDialect['ids']) => {
  const numbers = new Map<string, number | string>()
  const names = new Map<string, string>()
  const newId = (count: number): number | string => {
    if (ids === 'slashed') return `00${count}/50%`
    return ids === 'big number' ? `#${FIRST_BIG + BigInt(count)}#` : FIRST + count
  }
  const numberOf = (id: string): number | string => {
    const number = numbers.get(id) ?? newId(numbers.size)
    numbers.set(id, number)
    names.set(String(number).replaceAll('#', ''), id)
    return number
  }
  const inward = (id: unknown): unknown => (ids === 'text' ? id : (names.get(String(id)) ?? NOBODY))
  const isId = (name: string, value: unknown) =>
    (name === 'transactionId' || name === 'originalTransactionId') && typeof value === 'string'
  return {
    /** The simulator's id for one of the deployment. */
    inward,
    inwardAll: (body: unknown): unknown =>
      mapMembers(body, (name, value) => [
        name,
        name === 'transactionId' && value !== undefined ? inward(value) : value,
      ]),
    outward: (body: unknown): unknown =>
      ids === 'text'
        ? body
        : mapMembers(body, (name, value) => [name, isId(name, value) ? numberOf(String(value)) : value]),
  }
}
