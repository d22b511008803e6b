import type { RefusalName } from '../../contracts/protocol/reason-codes.ts'

/** What can be unusual about a call and keep to the contract: its clause, and in how many of a hundred calls it is. */
// biome-ignore format: a table reads by its columns
export const KINDS = [
  { kind: 'extra-members', percent: 50, on: 'json',   clause: '9',               meaning: 'The answer has members that no version of the contract knows; clients ignore them.' },
  { kind: 'member-order',  percent: 50, on: 'json',   clause: '9',               meaning: 'The members of the answer come in another order: an object of JSON has none (RFC 8259 4).' },
  { kind: 'header-case',   percent: 50, on: 'answer', clause: '5.4',             meaning: 'The names of the headers are written in another case, which means the same (RFC 9110 5.1).' },
  { kind: 'delay',         percent: 25, on: 'answer', clause: '7.1',             meaning: 'The answer takes up to 25 real milliseconds longer.' },
  { kind: 'locked',        percent: 4,  on: 'act',    clause: '7.1',             meaning: '423, before anything was done; the same key is served next time.', told: 'PAYMENT_LOCKED' },
  { kind: 'too-many',      percent: 4,  on: 'act',    clause: '7.1, 8',          meaning: '429 with Retry-After: 1, before anything was done; the same key is served next time.', told: 'RATE_LIMITED' },
] as const satisfies readonly Kind[]

type Kind = {
  kind: string
  percent: number
  /** What can be so: every JSON object that is answered, every answer, or a mutating call that was not served before. */
  on: 'json' | 'answer' | 'act'
  clause: string
  meaning: string
  /** Refusals exclude each other: they share one draw. */
  told?: RefusalName
}

export type VarietyKind = (typeof KINDS)[number]['kind']

const REFUSING = KINDS.filter(row => 'told' in row)

/** Whether a number drawn for this kind says yes. */
export const happens = (kind: VarietyKind, drawn: number): boolean =>
  drawn * 100 < (KINDS.find(row => row.kind === kind)?.percent ?? 0)

/** The refusal that a drawn number falls on, if any. */
export const refusingKind = (drawn: number) => {
  let reached = 0
  return REFUSING.find(({ percent }) => {
    reached += percent
    return drawn * 100 < reached
  })
}
