import type { Exchange } from '../../client/http-exchange.ts'
import { choiceOf } from '../../dialect/decision-choices.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findRefusalCode, profileLine } from '../../harness/profile/response-fields-and-line-advice.ts'

/** Whether a call was refused as an operation that the scheme lacks: 501 (7.1), also 422/8003 by choice (D-09). */
export const isUnsupported = (profile: Profile, exchange: Exchange): boolean => {
  const status = exchange.response?.status
  if (status === 501) return true
  return status === 422 && choiceOf(profile, 'D-09') === '422' && findRefusalCode(profile, exchange) === '8003'
}

const PARTS = { capture: 'capabilities.partialCaptures', refund: 'capabilities.partialRefunds' } as const

/** Profile line by which a deployment says that it does not capture or refund in parts. */
export const partsLine = (act: keyof typeof PARTS): (typeof PARTS)[typeof act] => PARTS[act]

/** Whether a deployment may capture or refund in parts, by its profile. */
export const takesParts = (profile: Profile, act: keyof typeof PARTS): boolean =>
  profileLine(profile, PARTS[act]) !== false

/**
 * Whether a capture or refund of a wrong sum was refused as a part that the scheme lacks, before its sum was looked at (1,
 * 7.1): the profile says that there are no parts, or a lawful `part` was refused so too.
 */
export const isPartUnsupported = (
  profile: Profile,
  act: keyof typeof PARTS,
  wrongSum: Exchange,
  part?: Exchange,
): boolean =>
  isUnsupported(profile, wrongSum) &&
  (!takesParts(profile, act) || (part !== undefined && isUnsupported(profile, part)))
