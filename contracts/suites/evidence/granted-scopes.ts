import { type Exchange, responseJson } from '../../client/http-exchange.ts'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { REPORTS_SCOPE } from '../../operations.ts'

/** Returns the scopes of this interface that a token response grants; other words in `scope` have nothing to do with it. */
export const scopesIn = (exchange: Exchange): string[] => {
  const { scope } = (responseJson(exchange) ?? {}) as { scope?: unknown }
  return String(scope ?? '')
    .split(' ')
    .filter(word => /^(payments|data):/.test(word))
}

/** Returns the error of an organization that is granted no token for reports: it may not be entitled to them. */
export const reportsNotGranted = ({ file }: Profile, exchange: Exchange): Untestable =>
  new Untestable(
    `${REPORTS_SCOPE} was asked for and not granted: if there are no reports, add to ${file} the line capabilities.reports: false`,
    exchange,
    'capabilities.reports',
  )
