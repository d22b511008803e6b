import type { Rules } from './decided-rules-of-deployment.ts'
import type { Call, JudgedResponse } from './model-call-and-judged-response.ts'
import type { ModelState } from './model-state.ts'
import { statesAfter } from './permitted-outcomes-of-call.ts'

/** A call with its response; both carry the interval in which it took effect at one instant. */
export type CompletedCall = { call: Call; response: JudgedResponse }

/**
 * Returns the model states after calls that were made at once: those that some order of the calls explains, in which
 * no call comes before one that had its response when it was sent (Wing and Gong, over sets of calls). None where no
 * order does: the calls are not linearizable.
 */
export const statesAfterAll = (
  states: readonly ModelState[],
  history: readonly CompletedCall[],
  rules: Rules,
): ModelState[] => {
  const all = 2 ** history.length - 1
  const reached = new Map<number, ModelState[]>([[0, [...states]]])
  for (let taken = 0; taken < all; taken += 1) {
    const here = reached.get(taken)
    if (!here || here.length === 0) continue
    history.forEach(({ call, response }, index) => {
      const bit = 2 ** index
      const isBefore = ({ call: other }: CompletedCall, place: number) =>
        (taken & (2 ** place)) === 0 && other.receivedAt < call.sentAt
      if ((taken & bit) !== 0 || history.some(isBefore)) return
      const next = statesAfter(here, call, response, rules)
      const idle = isRaceLost(history, { call, response }, rules) ? here : []
      reached.set(taken | bit, [...(reached.get(taken | bit) ?? []), ...next, ...idle])
    })
  }
  return reached.get(all) ?? []
}

/** Whether a call was refused as in conflict with one that was under way, under its key or on its payment (7.1); D-83 has other words for that. */
const isRaceLost = (history: readonly CompletedCall[], { call, response }: CompletedCall, rules: Rules): boolean =>
  response.http === 409 &&
  !rules.isConfirmed('D-83') &&
  history.some(
    ({ call: other }) =>
      other !== call &&
      other.by === call.by &&
      (other.key === call.key || (other.payment !== undefined && other.payment === call.payment)) &&
      other.sentAt <= call.receivedAt &&
      call.sentAt <= other.receivedAt,
  )
