import type { Rules } from '../model/decided-rules-of-deployment.ts'
import { statesAfterAll } from '../model/linearize.ts'
import type { ModelState } from '../model/model-state.ts'
import { OPERATIONS } from '../operations.ts'
import { SHOWN_WITHIN_SECONDS, shownWithinSeconds } from '../suites/given/read-until.ts'
import { composeCall } from './compose/compose-call.ts'
import type { Stage } from './organizations-and-values-of-play.ts'
import { type Made, sendAll } from './send-steps.ts'

type Change = { before: readonly ModelState[]; after: readonly ModelState[] }

/**
 * Waits in a patient play until what calls did has taken effect (1, E5): a pause after calls that change something, and
 * for each payment that they changed until its status can be explained by the states after them alone, as long as the
 * profile's patience allows.
 */
export const waitForEffects = async (
  stage: Stage,
  made: readonly Made[],
  { before, after }: Change,
  rules: Rules,
): Promise<void> => {
  if (!made.some(({ call }) => OPERATIONS[call.operation].keyed)) return
  const { profile, organizations } = stage
  const until = stage.now() + shownWithinSeconds(profile) * 1000
  await organizations.first.clock.pause(SHOWN_WITHIN_SECONDS * 1000)
  for (const name of changedPayments({ before, after })) {
    const owner = stage.payments.get(name)?.owner
    const step = { id: `${name} shows`, do: 'status', on: name, ...(owner === 'second' && { by: owner }) } as const
    const sent = await composeCall(stage, step)
    const withinSeconds = (until - stage.now()) / 1000
    if (!sent || withinSeconds <= 0) continue
    const explains = (states: readonly ModelState[], read: readonly Made[]) =>
      statesAfterAll(states, read, rules).length > 0
    await sendAll(stage, [{ step, sent }], read => explains(after, read) && !explains(before, read), { withinSeconds })
  }
}

/** Names of the payments that are not in all states what they were. */
const changedPayments = ({ before, after }: Change): string[] => {
  const all = [...before, ...after]
  const names = new Set(after.flatMap(({ payments }) => Object.keys(payments)))
  return [...names].filter(name => new Set(all.map(({ payments }) => JSON.stringify(payments[name]))).size > 1)
}
