import type { RefusalName } from '../../../contracts/protocol/reason-codes.ts'

/** Kinds of conformant variation: the percentage of calls that get them, and what they do (7.1, 9). */
// biome-ignore format: a table reads by its columns
export const VARIATION_KINDS = [
  { kind: 'extra-members', percent: 50, meaning: 'The response has unknown members; clients ignore them.' },
  { kind: 'member-order',  percent: 50, meaning: 'The members of the response are in another order: JSON objects are unordered (RFC 8259 4).' },
  { kind: 'header-case',   percent: 50, meaning: 'The names of the headers are written in another case, which means the same (RFC 9110 5.1).' },
  { kind: 'delay',         percent: 25, meaning: 'The response takes up to 25 real milliseconds longer.' },
  { kind: 'locked',        percent: 4,  meaning: '423, before anything was done; the same key is served next time.', told: 'PAYMENT_LOCKED' },
  { kind: 'too-many',      percent: 4,  meaning: '429 with Retry-After: 1, before anything was done; the same key is served next time.', told: 'RATE_LIMITED' },
] as const satisfies readonly Kind[]

type Kind = {
  kind: string
  percent: number
  meaning: string
  /** The refusal that it causes; refusals exclude each other and share one random number. */
  told?: RefusalName
}

export type VariationKind = (typeof VARIATION_KINDS)[number]['kind']

const REFUSING = VARIATION_KINDS.filter(row => 'told' in row)

/** Whether a random number from 0 to 1 selects a kind of variation, by its percentage. */
export const isSelected = (kind: VariationKind, drawn: number): boolean =>
  drawn * 100 < (VARIATION_KINDS.find(row => row.kind === kind)?.percent ?? 0)

/** Selects a refusing kind of variation by a random number from 0 to 1; undefined if it selects none. */
export const selectRefusingKind = (drawn: number) => {
  let reached = 0
  return REFUSING.find(({ percent }) => {
    reached += percent
    return drawn * 100 < reached
  })
}
