import type { Exchange } from '../../client/http-exchange.ts'
import { type Expect, PUT_OFF } from '../../harness/judge/check-assertions.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField, findReasonCode } from '../../harness/profile/response-fields-and-line-advice.ts'

/** What stands for "no reason" where a service always writes the member. */
const NO_REASON = ['-1', '0', '0000', '']

/**
 * Whether a webhook or an event list gives a reasonCode that names a reason, not a placeholder such as 0; a success
 * needs none (2.9).
 */
export const hasReason = (profile: Profile, exchange: Exchange, where: 'webhook' | 'events'): boolean => {
  const code = findField(profile, exchange, `${where}.reasonCode`)
  return code !== undefined && !NO_REASON.includes(String(code))
}

const fieldOf = ({ request }: Exchange): string => `${request.endpoint}.reasonCode`

/** Finds the reasonCode of a payment's outcome in a refusal, a response, its status or its events (7.5, S44); undefined if none. */
export const findOutcomeCode = (profile: Profile, exchange: Exchange): string | undefined => {
  const code = findReasonCode(profile, exchange, fieldOf(exchange))
  return code === undefined || NO_REASON.includes(code) ? undefined : code
}

/** Expects responses; one that tells the outcome of a payment may have the status of a provider's failure (7.3, D-82). */
export const expectOutcomeResponses = (places: readonly Exchange[], expect: Expect): void => {
  for (const place of places)
    expect.response(place, findOutcomeCode(expect.profile, place) === undefined ? [] : PUT_OFF)
}

/** Expects a reasonCode in any of the places where an outcome can show (7.5, S44); each exchange is of another place. */
export const expectOutcomeCode = (places: readonly Exchange[], code: string, expect: Expect): void => {
  const shown = places.filter(place => findOutcomeCode(expect.profile, place) !== undefined)
  expectOutcomeResponses(places, expect)
  if (shown.some(place => findOutcomeCode(expect.profile, place) === code)) return
  const judged = shown[0] ?? places[0]
  if (shown.length === 0 && judged) expect.maybeLater('no reasonCode of an outcome', judged)
  if (judged) expect.code(judged, fieldOf(judged), code)
}
