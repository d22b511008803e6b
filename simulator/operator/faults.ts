import { PROVIDER_CODES, type ProviderCode } from '../../contracts/protocol/provider-codes.ts'
import { DAY, parseDuration } from '../duration.ts'
import { FAULTS, type Fault, faultRow, PROVIDER_CALLS } from '../providers/faults.ts'
import type { Store } from '../store/port.ts'
import { OperatorError } from './operator-error.ts'

/** A fault as people ask for it; `after` is an ISO 8601 duration. */
export type FaultWish = Partial<Record<'operation' | 'kind' | 'done' | 'code' | 'after' | 'times', unknown>>

const MOST_TIMES = 1000
/** A clock that runs on to the late action stays within the dates that there are. */
const LONGEST_WAIT = 365 * DAY

/** Arms what the provider does wrong on the next calls of an operation (7.1, 7.4, 7.5). */
export const createFaults = ({ store }: { store: Store }) => ({
  arm: (organizationId: string, wish: FaultWish): Promise<Fault> => store.addFault(organizationId, faultOf(wish)),
  list: (organizationId: string): Promise<readonly Fault[]> => store.faults(organizationId),
  clear: (organizationId: string): Promise<number> => store.clearFaults(organizationId),
})

const faultOf = ({ operation: call, kind: word, done, code: name, after: duration, times = 1 }: FaultWish) => {
  const operation = oneOf('operation', call, PROVIDER_CALLS)
  const kinds = [...new Set(FAULTS.map(row => row.kind))]
  const kind = oneOf('kind', word, kinds)
  const dones = FAULTS.flatMap(row => (row.kind === kind && row.done !== undefined ? [row.done] : []))
  const [only] = dones
  const row = faultRow(kind, only === undefined ? ensureAbsent('done', done, kind) : oneOf('done', done, dones))
  const code = row?.wants === 'code' ? codeOf(name) : ensureAbsent('code', name, kind)
  const after = row?.wants === 'after' ? durationOf(duration) : ensureAbsent('after', duration, kind)
  if (typeof times !== 'number' || !Number.isInteger(times) || times < 1 || times > MOST_TIMES)
    throw new OperatorError('invalid', `times is ${told(times)}: give a whole number from 1 to ${MOST_TIMES}.`)
  return {
    operation,
    kind,
    left: times,
    ...(row?.done === undefined ? {} : { done: row.done }),
    ...(code === undefined ? {} : { code }),
    ...(after === undefined ? {} : { after }),
  }
}

const oneOf = <const Word extends string>(member: string, word: unknown, words: readonly Word[]): Word => {
  const found = words.find(known => known === word)
  if (found !== undefined) return found
  throw new OperatorError('invalid', `${member} is ${told(word)}: give one of ${words.join(', ')}.`)
}

const codeOf = (name: unknown): ProviderCode =>
  oneOf(
    'code',
    name,
    PROVIDER_CODES.map(row => row.code),
  )

const durationOf = (text: unknown): number => {
  const milliseconds = typeof text === 'string' ? parseDuration(text) : undefined
  if (milliseconds !== undefined && milliseconds > 0 && milliseconds <= LONGEST_WAIT) return milliseconds
  throw new OperatorError('invalid', `after is ${told(text)}: give an ISO 8601 duration such as PT30S, up to P365D.`)
}

const ensureAbsent = (member: string, value: unknown, kind: string): undefined => {
  if (value !== undefined)
    throw new OperatorError('invalid', `${member} says nothing of the kind ${kind} as asked for: leave it out.`)
}

const told = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value).slice(0, 60))
