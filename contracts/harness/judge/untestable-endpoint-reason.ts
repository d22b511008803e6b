import { describeExchange, type Exchange } from '../../client/http-exchange.ts'
import { hasRequestMembers, type OperationName } from '../../operations.ts'
import type { Profile } from '../profile/profile.ts'
import type { LineAdvice } from '../profile/response-fields-and-line-advice.ts'
import { refusalMessage } from './refusal-message.ts'

/** Statuses of a service that does not understand a call, has nothing at its address, or cannot identify the caller. */
const NOT_UNDERSTOOD: readonly number[] = [400, 401, 404, 405, 415]

/** Status for a caller without permission, who is refused before the request is parsed. */
const FORBIDDEN = 403
/** Statuses of an address, or a report, at which nothing is, or not by this method. */
const [NOT_FOUND, NOT_BY_METHOD] = [404, 405]
const ADDRESS_STATUSES: readonly number[] = [NOT_FOUND, NOT_BY_METHOD]

/**
 * Returns the reason why an unexpected response is untestable, not a failure: no call to its endpoint was understood in
 * the whole run, so that the profile may be wrong (rule 11); undefined once one was.
 */
export const untestableEndpointReason = (
  profile: Profile,
  exchange: Exchange | undefined,
  transcript: readonly Exchange[],
): (Partial<LineAdvice> & Pick<LineAdvice, 'reason'>) | undefined => {
  const { endpoint } = exchange?.request ?? {}
  const status = exchange?.response?.status ?? 0
  if (!exchange || endpoint === undefined || !NOT_UNDERSTOOD.includes(status)) return undefined
  const understood = (it: Exchange) => it.response !== undefined && !NOT_UNDERSTOOD.includes(it.response.status)
  if (status === 401 && endpoint !== 'keySet')
    return transcript.some(it => it.request.endpoint !== 'keySet' && understood(it))
      ? undefined
      : {
          line: 'dialect',
          reason: `${describeExchange(exchange)}, and no call at all was let in: is dialect of ${profile.file} right?`,
        }
  const isRead = ({ response }: Exchange) => response?.status !== FORBIDDEN || ADDRESS_STATUSES.includes(status)
  if (transcript.some(it => it.request.endpoint === endpoint && understood(it) && isRead(it))) return undefined
  const message = refusalMessage(exchange)
  const said = message === '' ? '' : `, ${JSON.stringify(message)}`
  const told = `${describeExchange(exchange)}${said}, and no call to ${endpoint} was understood`
  const advice = (line: string, cure: string) => ({ line, reason: `${told}: ${cure} of ${profile.file} right?` })
  if (endpoint !== 'downloadReport' || status === NOT_BY_METHOD) {
    const isOfPath = ADDRESS_STATUSES.includes(status) || !hasRequestMembers(endpoint)
    return advice(`${isOfPath ? 'paths' : 'requests'}.${endpoint}`, cureFor(endpoint))
  }
  if (status === NOT_FOUND) return { reason: `${told}, as of a report that is not there` }
  return advice(`requests.${endpoint}`, `is requests.${endpoint}`)
}

/** Endpoints whose calls may have to repeat the reference of their payment (D-48). */
const WITH_REFERENCE: readonly OperationName[] = ['capture', 'cancel', 'refund']

const cureFor = (endpoint: OperationName): string => {
  if (!hasRequestMembers(endpoint)) return `is paths.${endpoint}`
  return WITH_REFERENCE.includes(endpoint)
    ? `are paths.${endpoint}, requests.${endpoint} and decisions.D-48`
    : `are paths.${endpoint} and requests.${endpoint}`
}
