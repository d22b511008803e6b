import { REFUSALS, type RefusalName } from '../../protocol/reason-codes.ts'
import type { Schema } from './message-schema.ts'

/** HTTP status of a refusal in a deployment (7.1). */
export type RefusalRowOf = (name: RefusalName) => { http: number }

const NAMES = Object.keys(REFUSALS) as RefusalName[]

/** Adds the statuses to which the refusals of these responses move; one that is there already stays. */
export const withMovedRefusals = (
  responses: Readonly<Record<string, Schema>>,
  rowOf: RefusalRowOf,
): Record<string, Schema> => {
  const moved = NAMES.flatMap(name => {
    const [old, now] = [String(REFUSALS[name].http), String(rowOf(name).http)]
    const response = responses[old]
    return now === old || !response || now in responses ? [] : [[now, response] as const]
  })
  return { ...responses, ...Object.fromEntries(moved) }
}
