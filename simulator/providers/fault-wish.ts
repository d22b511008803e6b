import { PROVIDER_CODES, type ProviderCode } from '../../contracts/protocol/provider-codes.ts'
import { DAY, MINUTE, parseDuration, SECOND } from '../duration.ts'
import { FAULTS, type Fault, type FaultKind, type FaultRow, faultRow } from './faults.ts'

/** A fault as people ask for it: nothing in it is trusted yet; `after` is an ISO 8601 duration. */
export type FaultWish = Partial<Record<(typeof WISH)[number], unknown>>
export const WISH = ['kind', 'done', 'code', 'after', 'times'] as const

/** What is asked for, in milliseconds. */
export type WishedFault = Pick<Fault, 'kind' | 'done' | 'code' | 'after'> & { times: number }

/** A member that does not fit, and what would. */
export class WishError extends Error {
  readonly member: string
  readonly saying: string
  constructor(member: string, saying: string) {
    super(`${member} ${saying}`)
    this.member = member
    this.saying = saying
  }
}

export const MOST_TIMES = 1000

type Wait = { shortest: number; longest: number; want: string; unlessGiven?: number }

/** What `after` may be where a late action waits on the organization's clock, a merchant to try again, an answer to leave. */
// biome-ignore format: a table reads by its columns
const WAITS: Readonly<Record<'action' | 'retry' | 'wire', Wait>> = {
  action: { shortest: 1,      longest: 365 * DAY, want: 'an ISO 8601 duration such as PT30S, up to P365D' },
  retry:  { shortest: SECOND, longest: DAY,       want: 'whole seconds as an ISO 8601 duration such as PT2S, up to P1D', unlessGiven: SECOND },
  wire:   { shortest: 1,      longest: MINUTE,    want: 'an ISO 8601 duration of real time such as PT2S, up to PT1M' },
}

/** What `after` may be for a fault that wants one. */
export const waitFor = ({ action, wire }: FaultRow): Wait =>
  WAITS[wire ? 'wire' : action === 'later' ? 'action' : 'retry']

/** Reads a wish by the table of faults; of several members that do not fit the first is told. */
export const readFault = (wish: FaultWish, kinds: readonly FaultKind[] = KINDS): WishedFault => {
  const { times = 1 } = wish
  const kind = oneOf('kind', wish.kind, kinds)
  const dones = FAULTS.flatMap(row => (row.kind === kind && row.done !== undefined ? [row.done] : []))
  const done = dones.length > 0 ? oneOf('done', wish.done, dones) : ensureAbsent('done', wish.done, kind)
  const row = faultRow(kind, done)
  const code = row?.wants === 'code' ? oneOf('code', wish.code, CODES) : ensureAbsent('code', wish.code, kind)
  const after = row?.wants === 'after' ? waitOf(wish.after, row) : ensureAbsent('after', wish.after, kind)
  if (typeof times !== 'number' || !Number.isInteger(times) || times < 1 || times > MOST_TIMES)
    throw new WishError('times', `is ${told(times)}: give a whole number from 1 to ${MOST_TIMES}.`)
  return {
    kind,
    times,
    ...(done === undefined ? {} : { done }),
    ...(code === undefined ? {} : { code }),
    ...(after === undefined ? {} : { after }),
  }
}

const KINDS = [...new Set(FAULTS.map(row => row.kind))]
const CODES: readonly ProviderCode[] = PROVIDER_CODES.map(row => row.code)

/** A member that is one of a few words. */
export const oneOf = <const Word extends string>(member: string, word: unknown, words: readonly Word[]): Word => {
  const found = words.find(known => known === word)
  if (found !== undefined) return found
  throw new WishError(member, `is ${told(word)}: give one of ${words.join(', ')}.`)
}

const waitOf = (text: unknown, row: FaultRow): number => {
  const { shortest, longest, want, unlessGiven } = waitFor(row)
  if (text === undefined && unlessGiven !== undefined) return unlessGiven
  const milliseconds = typeof text === 'string' ? parseDuration(text) : undefined
  const fits = milliseconds !== undefined && milliseconds > 0 && milliseconds % shortest === 0
  if (fits && milliseconds <= longest) return milliseconds
  throw new WishError('after', `is ${told(text)}: give ${want}.`)
}

const ensureAbsent = (member: string, value: unknown, kind: string): undefined => {
  if (value !== undefined) throw new WishError(member, `says nothing of the kind ${kind} as asked for: leave it out.`)
}

export const told = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value).slice(0, 60))
