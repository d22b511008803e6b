import { type Stage, stageOf, TRANSITIONS, transitionOf } from '../model/lifecycle.ts'
import type { World } from '../model/world.ts'
import type { Step } from './step.ts'

type Transition = (typeof TRANSITIONS)[number]

/** What sequences have visited: transitions of the lifecycle, and situations of steps. */
export type Coverage = ReturnType<typeof createCoverage>

export const createCoverage = () => {
  const transitions = new Map<Transition, number>()
  const situations = new Map<string, number>()
  return {
    transitions: transitions as ReadonlyMap<Transition, number>,
    situations: situations as ReadonlyMap<string, number>,
    /** Notes a step by the worlds before and after it, as far as they agree. */
    note: (before: readonly World[], after: readonly World[], step: Step, situation?: string): void => {
      if (situation !== undefined) situations.set(situation, (situations.get(situation) ?? 0) + 1)
      const [was, is] = [before[0], after[0]]
      if (!was || !is) return
      for (const [name, payment] of Object.entries(is.payments)) {
        const old = was.payments[name]
        if (old === payment) continue
        const from: Stage | 'none' = old ? stageOf(old) : 'none'
        const to = stageOf(payment)
        const row =
          transitionOf(from, step.do, to) ?? transitionOf(from, 'time', to) ?? transitionOf(from, undefined, to)
        if (row && (from !== to || old?.captures !== payment.captures || old?.refunds !== payment.refunds))
          transitions.set(row, (transitions.get(row) ?? 0) + 1)
      }
    },
    /** Transitions that no sequence has visited. */
    unvisited: (): Transition[] => TRANSITIONS.filter(row => !transitions.has(row)),
  }
}
