import { mayBe, type Rules } from '../model/decided-rules-of-deployment.ts'
import { type Stage, stageOf, TRANSITIONS, transitionOf } from '../model/lifecycle.ts'
import type { ModelState } from '../model/model-state.ts'
import type { Abilities } from './abilities.ts'
import type { Step } from './step.ts'

type Transition = (typeof TRANSITIONS)[number]

/** Coverage of explored sequences: the transitions of the lifecycle and the situations of steps that they visited. */
export type Coverage = ReturnType<typeof createCoverage>

/** Creates the coverage of an exploration, of which transitions that its target cannot show are no part. */
export const createCoverage = (isReachable: (row: Transition) => boolean = () => true) => {
  const transitions = new Map<Transition, number>()
  const situations = new Map<string, number>()
  return {
    transitions: transitions as ReadonlyMap<Transition, number>,
    situations: situations as ReadonlyMap<string, number>,
    /** Notes a step by the states before and after it, as far as they agree. */
    note: (before: readonly ModelState[], after: readonly ModelState[], step: Step, situation?: string): void => {
      if (situation !== undefined) situations.set(situation, (situations.get(situation) ?? 0) + 1)
      const [was, is] = [before[0], after[0]]
      if (!was || !is) return
      for (const [name, payment] of Object.entries(is.payments)) {
        const old = was.payments[name]
        if (old === payment) continue
        const from: Stage | 'none' = old ? stageOf(old) : 'none'
        const to = stageOf(payment)
        if (from === to && old?.captures === payment.captures && old?.refunds === payment.refunds) continue
        for (const row of rowsBetween(from, step.do, to)) transitions.set(row, (transitions.get(row) ?? 0) + 1)
      }
    },
    /** Transitions that no sequence has visited, although the target can show them. */
    unvisited: (): Transition[] => TRANSITIONS.filter(row => !transitions.has(row) && isReachable(row)),
    /** How many transitions were visited, of how many that the target can show. */
    counts: () => ({
      visited: transitions.size,
      transitions: TRANSITIONS.filter(row => transitions.has(row) || isReachable(row)).length,
    }),
  }
}

/** Rows by which a payment came from one stage to another: one, or two where shopper or time moved it before the step. */
const rowsBetween = (from: Stage | 'none', cause: Step['do'], to: Stage): readonly Transition[] => {
  const row = transitionOf(from, cause, to) ?? transitionOf(from, 'time', to) ?? transitionOf(from, undefined, to)
  if (row) return [row]
  const pairs = TRANSITIONS.filter(([start, by]) => start === from && (by === 'shopper' || by === 'time')).map(
    first => [first, transitionOf(first[3], cause, to)] as const,
  )
  const [first, second] = pairs.find(([, then]) => then) ?? []
  return first && second ? [first, second] : []
}

/** Whether a target can show a transition: by its abilities, and by what its profile has decided. */
export const reachableOn =
  ({ abilities, rules }: { abilities: Abilities; rules: Rules }) =>
  ([from, cause, outcome, to, clause]: Transition): boolean => {
    const stages: readonly string[] = [from, to]
    if (!abilities.control && ['lapsed', 'released', 'declined'].includes(outcome)) return false
    if (!abilities.mocks && outcome === 'mocked') return false
    if (!abilities.recurring && (cause === 'charge' || to === 'tokenized')) return false
    if (from === 'partly captured' && cause === 'cancel' && rules.choice('D-39') !== undefined) return false
    if (rules.supports('partialCapture', 'BLIK') === false && stages.includes('partly captured')) return false
    if (rules.supports('partialRefund', 'BLIK') === false && stages.includes('partly refunded')) return false
    return !clause.includes('D-120') || mayBe(rules, 'D-120', 'settled-part')
  }
