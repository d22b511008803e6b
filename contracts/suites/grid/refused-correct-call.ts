import { describeExchange, type Exchange } from '../../client/http-exchange.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { hasRequestMembers } from '../../operations.ts'

/** Statuses of an address at which nothing is, or not by this method. */
const NOTHING_THERE: readonly number[] = [404, 405]
/** Statuses of a request that was not understood. */
const NOT_UNDERSTOOD: readonly number[] = [400, 415, 422]

/**
 * Creates the error of a grid cell whose correct call was refused as well: verdict blocked, with the profile line that
 * may cure it (rule 11).
 */
export const refusedCorrectCall = (what: string, exchange: Exchange, { file }: Profile): Blocked => {
  const line = curingLine(exchange)
  const cure = line === undefined ? '' : `: is ${line} of ${file} right?`
  return new Blocked(`${what}, ${describeExchange(exchange)}${cure}`, exchange)
}

const curingLine = ({ request, response }: Exchange): string | undefined => {
  const { endpoint } = request
  const status = response?.status ?? 0
  if (endpoint === undefined) return undefined
  if (NOTHING_THERE.includes(status)) return `paths.${endpoint}`
  if (!NOT_UNDERSTOOD.includes(status)) return undefined
  return `${hasRequestMembers(endpoint) ? 'requests' : 'paths'}.${endpoint}`
}
