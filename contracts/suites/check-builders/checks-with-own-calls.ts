import type { Check, CheckScenario } from '../../harness/judge/check.ts'
import type { Evidence, KeepStep } from '../../harness/judge/scenario-evidence.ts'
import type { CheckContext } from '../context/check-context.ts'

/** A check with its own sequence of calls, which no other check shares. */
export type IsolatedCheck = Check & { play(context: CheckContext, keep: KeepStep<string>): Promise<unknown> }

/** Creates a scenario of isolated checks: each chosen one makes its calls, whether or not others failed. */
export const isolatedScenario = (
  frame: Omit<CheckScenario<CheckContext>, 'play' | 'checks'>,
  checks: readonly IsolatedCheck[],
): CheckScenario<CheckContext> => ({
  ...frame,
  play: async (context, keep, chosen) => {
    for (const { id, play } of checks) {
      if (!chosen.has(id)) continue
      const played = play(context, (step, exchange) => keep(`${id} ${step}`, exchange))
      await played.catch(why => keep(endOf(id), Promise.reject(why)).catch(() => undefined))
    }
  },
  checks: checks.map(({ play: _, judge, ...check }) => ({
    ...check,
    judge: (evidence, expect) => judge(evidenceOfCheck(check.id, evidence), expect),
  })),
})

const endOf = (id: string): string => `${id} ended early`

/** Returns the evidence of one isolated check; a step that was not reached throws what ended the sequence. */
const evidenceOfCheck = (id: string, evidence: Evidence<string>): Evidence<string> => ({
  ...evidence,
  of: step => {
    try {
      return evidence.of(`${id} ${step}`)
    } catch {
      return evidence.of(endOf(id))
    }
  },
})
