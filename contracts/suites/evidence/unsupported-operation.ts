import type { Exchange } from '../../client/http-exchange.ts'
import { choiceOf } from '../../dialect/decision-choices.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findRefusalCode } from '../../harness/profile/response-fields-and-line-advice.ts'

/** Whether a call was refused as an operation that the scheme lacks: 501 (7.1), also 422/8003 by choice (D-09). */
export const isUnsupported = (profile: Profile, exchange: Exchange): boolean => {
  const status = exchange.response?.status
  if (status === 501) return true
  return status === 422 && choiceOf(profile, 'D-09') === '422' && findRefusalCode(profile, exchange) === '8003'
}
