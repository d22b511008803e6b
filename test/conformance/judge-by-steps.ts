import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { createExpect } from '../../contracts/harness/judge/check-assertions.ts'
import { EmptyCell } from '../../contracts/harness/judge/judge-grid-cells.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { createCheckRegistry } from '../../contracts/harness/run/check-registry.ts'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'

/** Exchanges of a check by the names of its steps, in the order of the run. */
export type Steps = Readonly<Record<string, Exchange>>

export const registry = createCheckRegistry(CHECK_SCENARIOS)

/** Judges a check by the exchanges of its steps, of which others were not made; returns what it threw. */
export const judgeBySteps = async (id: string, steps: Steps, profile: Profile): Promise<unknown> => {
  const check = registry.get(id)
  if (!check) throw new Error(`There is no check ${id}.`)
  const of = (step: string): Exchange => {
    const exchange = steps[step]
    if (!exchange) throw new EmptyCell('no such call was made')
    return exchange
  }
  try {
    await check.judge({ transcript: Object.values(steps), of }, createExpect(profile, check))
  } catch (error) {
    return error
  }
}
