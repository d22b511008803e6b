import { type Exchange, isServed } from '../../client/http-exchange.ts'
import type { Expect, ExpectedRefusal } from '../../harness/judge/check-assertions.ts'
import type { Evidence } from '../../harness/judge/scenario-evidence.ts'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import { readLifecycleStages } from '../../harness/profile/lifecycle-stages-of-status-response.ts'
import { findField, isDecline } from '../../harness/profile/response-fields-and-line-advice.ts'
import type { CheckContext } from '../context/check-context.ts'
import { readStatusUntil, showsCategory } from '../given/read-until.ts'

/**
 * A decline that a check accepts: the field that holds its code, and the expected code; any code where none is given.
 */
export type AcceptedDecline = { slot: string; code?: string }

const ENDED = ['declined', 'expired', 'canceled'] as const
const NOT_FOUND = 404

/** Reads what becomes of a payment that a call should not have made, where its response names one; else undefined (E5). */
export const readLaterOutcome = async (
  context: CheckContext,
  exchange: Exchange,
  idField: string,
): Promise<Exchange | undefined> => {
  const transactionId = findField(context.profile, exchange, idField)
  if (transactionId === undefined || isDecline(context.profile, exchange)) return undefined
  return readStatusUntil(context.profile, context, String(transactionId), ENDED)
}

/** Finds the evidence of a scenario step that may not have been played. */
export const findStep = <Step extends string>(evidence: Evidence<Step>, step: Step): Exchange | undefined => {
  try {
    return evidence.of(step)
  } catch {
    return undefined
  }
}

/**
 * Expects a refusal, or a decline where the provider itself rejects the payment: in the response, or in its status read
 * later (7.5, E5, S44). Throws Untestable where the profile could not tell a decline from an acceptance.
 */
export const expectRefusedOrDeclined = (
  exchange: Exchange,
  expect: Expect,
  { without, ...refused }: ExpectedRefusal,
  { declined, later }: { declined?: AcceptedDecline | undefined; later?: Exchange | undefined } = {},
): void => {
  const { profile } = expect
  if (isDecline(profile, exchange)) {
    if (declined?.code !== undefined) expect.code(exchange, declined.slot, declined.code)
    return
  }
  const hasEnded = later !== undefined && showsCategory(profile, later, ...ENDED)
  if (!isServed(exchange)) {
    expect.refused(exchange, refused)
    const isGone = hasEnded === true || later?.response?.status === NOT_FOUND
    if (without === undefined || isGone) return
    if (later) expectNotUnderWay(exchange, later, expect)
    expect.refused(exchange, { ...refused, without })
  } else if (hasEnded === true && later) {
    if (declined?.code !== undefined) expect.code(later, 'status.reasonCode', declined.code)
  } else {
    if (profile.errors?.declined === undefined && hasEnded !== false)
      throw new Untestable(
        `whether it was declined is unknown: add to ${profile.file} the line errors.declined`,
        exchange,
      )
    if (later) expectNotUnderWay(exchange, later, expect)
    expect.refused(exchange, refused)
  }
}

/** Throws Inconclusive where a payment may still be declined; one that waits for its shopper was accepted (1, E5). */
const expectNotUnderWay = (exchange: Exchange, later: Exchange, expect: Expect): void => {
  expect.response(later)
  const stages = exchange.request.endpoint === 'initiate' ? ['processing'] : ['processing', 'waiting']
  if (showsCategory(expect.profile, later, ...stages))
    expect.maybeLater(readLifecycleStages(expect.profile, later).shown, later)
}
