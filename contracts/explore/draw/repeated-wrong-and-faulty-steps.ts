import { ACTS, OPERATIONS, type OperationName } from '../../operations.ts'
import { invalidRequestsOf } from '../invalid-requests.ts'
import { changeableMembers } from '../members-that-repeated-calls-change.ts'
import type { SentCall } from '../organizations-and-values-of-play.ts'
import { FAULT_KINDS, type FaultKind } from '../provider-faults.ts'
import type { Step } from '../step.ts'
import { begun, type Draw, type DrawKind } from './basis-of-drawn-step.ts'
import { act, advance, charge, initiate } from './payment-steps.ts'

const isKeyed = (what: string): boolean => OPERATIONS[what as OperationName]?.keyed === true

const WAYS = ['same', 'same', 'new key', 'changed', 'changed', 'second', 'operation'] as const

/**
 * Creates a random exploration step that repeats an earlier call under its key: as it was, changed, of another
 * organization, of another operation; or under a new key.
 */
export const repeat: DrawKind = draw => {
  const keyed = [...draw.stage.sent].filter(([, { operation, key }]) => isKeyed(operation) && key !== undefined)
  const found = draw.random.pick(keyed)
  return found && repeatOf(draw, found)
}

/** Creates an exploration step that repeats the last call, under its key. */
export const retry: DrawKind = draw => {
  const [again, sent] = [...draw.stage.sent].at(-1) ?? []
  return again !== undefined && sent && isKeyed(sent.operation) ? { do: 'repeat', again, ...asCaller(sent) } : undefined
}

const asCaller = ({ call }: SentCall): Pick<Step, 'by'> => (call.by === 'second' ? { by: 'second' } : {})

const repeatOf = (draw: Draw, [again, first]: [string, SentCall]): Omit<Step, 'id'> | undefined => {
  const { random, abilities } = draw
  const by = asCaller(first)
  const way = random.pick(WAYS)
  if (way === 'changed') {
    const change = random.pick(changeableMembers(draw.stage.profile, first))
    return change === undefined ? undefined : { do: 'repeat', again, change, ...by }
  }
  if (way === 'second')
    return abilities.second ? { do: 'repeat', again, ...(by.by ? {} : { by: 'second' as const }) } : undefined
  if (way === 'new key') return first.call.code === undefined ? { do: 'repeat', again, key: 'new', ...by } : undefined
  if (way === 'same') return { do: 'repeat', again, ...by }
  const on = random.pick(begun(draw).filter(({ payment }) => payment.owner === first.call.by))
  const what = random.pick(ACTS.filter(name => name !== first.operation))
  return on && what ? { do: what, on: on.name, ...by, key: again } : undefined
}

/**
 * Wraps a kind of draw: the call that it draws breaks one rule: an argument, a layer of security, or that it needs a
 * key.
 */
export const wrongOf =
  (kind: DrawKind): DrawKind =>
  draw => {
    const { random, abilities, state } = draw
    const step = abilities.wrongArguments ? kind(draw) : undefined
    if (!step || step.on === 'unknown' || step.account || step.code || !isKeyed(step.do)) return undefined
    if (random.oneIn(8)) return { ...step, key: random.oneIn(2) ? 'none' : 'empty' }
    const on = step.on === undefined ? undefined : state.payments[step.on]
    const what = random.pick(invalidRequestsOf(step.do, step.method ?? on?.method ?? 'BLIK'))
    return what === undefined ? undefined : { ...step, wrong: what }
  }

/** Creates a random exploration step: a call of any kind that breaks one rule. */
export const wrong: DrawKind = draw =>
  wrongOf(draw.random.pick([initiate, charge, charge, advance, act] as const))(draw)

/** Creates a random exploration step: a call that its provider declines, or whose result it leaves open (7.4). */
export const fault: DrawKind = draw => {
  const step = draw.abilities.faults ? draw.random.pick([advance, advance, initiate, charge] as const)(draw) : undefined
  if (!step || !isKeyed(step.do) || step.code || step.account) return undefined
  return { ...step, fault: draw.random.pick(Object.keys(FAULT_KINDS) as FaultKind[]) as FaultKind }
}

/** Creates a random exploration step: a call whose response is thrown away, as if it had been lost (7.4). */
export const lost: DrawKind = draw => {
  const step = draw.random.pick([advance, advance, initiate] as const)(draw)
  return step && isKeyed(step.do) ? { ...step, lost: true } : undefined
}
