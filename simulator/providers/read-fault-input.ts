import { PROVIDER_CODES, type ProviderCode } from '../../contracts/protocol/provider-codes.ts'
import { A_DURATION, DAY, MINUTE, parseDuration, SECOND } from '../support/duration.ts'
import { describeValue, InvalidMemberError, readOneOf } from '../support/invalid-member-error.ts'
import { FAULTS, type Fault, type FaultKind, type FaultRow, findFaultRow } from './fault-kinds.ts'

/** Unvalidated request for a fault, from control, a mock or a scenario file; `after` is an ISO 8601 duration. */
export type FaultInput = Partial<Record<(typeof FAULT_INPUT_MEMBERS)[number], unknown>>
export const FAULT_INPUT_MEMBERS = ['kind', 'done', 'code', 'after', 'times'] as const

/** A validated request for a fault; `after` in milliseconds. */
type RequestedFault = Pick<Fault, 'kind' | 'done' | 'code' | 'after'> & { times: number }

export const MAX_FAULT_TIMES = 1000

type Wait = { shortest: number; longest: number; want: string; unlessGiven?: number }

/** Permitted `after` of a late action (organization's clock), of a Retry-After, and of a slow response (real time). */
// biome-ignore format: a table reads by its columns
const WAITS: Readonly<Record<'action' | 'retry' | 'wire', Wait>> = {
  action: { shortest: 1,      longest: 365 * DAY, want: `${A_DURATION} such as PT30S, up to P365D` },
  retry:  { shortest: SECOND, longest: DAY,       want: `whole seconds as ${A_DURATION} such as PT2S, up to P1D`, unlessGiven: SECOND },
  wire:   { shortest: 1,      longest: MINUTE,    want: 'an ISO 8601 duration of real time such as PT2S, up to PT1M' },
}

/** Returns the permitted range of a fault's `after` for a row of the fault table that needs this member. */
export const permittedAfter = ({ action, wire }: FaultRow): Wait =>
  WAITS[wire ? 'wire' : action === 'later' ? 'action' : 'retry']

/** Validates a fault request by the table of faults; throws for the first invalid member. */
export const readFault = (wish: FaultInput, kinds: readonly FaultKind[] = KINDS): RequestedFault => {
  const { times = 1 } = wish
  const kind = readOneOf('kind', wish.kind, kinds)
  const dones = FAULTS.flatMap(row => (row.kind === kind && row.done !== undefined ? [row.done] : []))
  const done = dones.length > 0 ? readOneOf('done', wish.done, dones) : ensureAbsent('done', wish.done, kind)
  const row = findFaultRow(kind, done)
  const code = row?.wants === 'code' ? readOneOf('code', wish.code, CODES) : ensureAbsent('code', wish.code, kind)
  const after = row?.wants === 'after' ? readAfter(wish.after, row) : ensureAbsent('after', wish.after, kind)
  if (typeof times !== 'number' || !Number.isInteger(times) || times < 1 || times > MAX_FAULT_TIMES)
    throw new InvalidMemberError(
      'times',
      `is ${describeValue(times)}: give a whole number from 1 to ${MAX_FAULT_TIMES}.`,
    )
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

const readAfter = (text: unknown, row: FaultRow): number => {
  const { shortest, longest, want, unlessGiven } = permittedAfter(row)
  if (text === undefined && unlessGiven !== undefined) return unlessGiven
  const milliseconds = typeof text === 'string' ? parseDuration(text) : undefined
  const fits = milliseconds !== undefined && milliseconds > 0 && milliseconds % shortest === 0
  if (fits && milliseconds <= longest) return milliseconds
  throw new InvalidMemberError('after', `is ${describeValue(text)}: give ${want}.`)
}

const ensureAbsent = (member: string, value: unknown, kind: string): undefined => {
  if (value !== undefined) throw new InvalidMemberError(member, `does not apply to the kind ${kind}: leave it out.`)
}
