import { type Exchange, lineOf } from '../client/exchange.ts'
import type { Profile } from './profile.ts'

/** What somebody answers who does not understand a call, has nothing at its address, or cannot tell who calls. */
const NOT_UNDERSTOOD: readonly number[] = [400, 401, 404, 405, 415]

/** Who may not do a thing is told so before anybody reads how it was spelt. */
const FORBIDDEN = 403
const FOR_THE_ADDRESS: readonly number[] = [404, 405]

/**
 * Why an answer condemns nobody: no call to its endpoint was understood in the whole run, so that the address or the
 * spelling of the profile may be what is wrong (rule 11). Who is understood once has no such excuse.
 */
export const notUnderstood = (
  profile: Profile,
  exchange: Exchange | undefined,
  transcript: readonly Exchange[],
): string | undefined => {
  const { endpoint } = exchange?.request ?? {}
  const status = exchange?.answer?.status ?? 0
  if (!exchange || endpoint === undefined || !NOT_UNDERSTOOD.includes(status)) return undefined
  const understood = (it: Exchange) => it.answer !== undefined && !NOT_UNDERSTOOD.includes(it.answer.status)
  if (status === 401 && endpoint !== 'keySet')
    return transcript.some(it => it.request.endpoint !== 'keySet' && understood(it))
      ? undefined
      : `${lineOf(exchange)}, and no call at all was let in: is dialect of ${profile.file} right?`
  const isRead = ({ answer }: Exchange) => answer?.status !== FORBIDDEN || FOR_THE_ADDRESS.includes(status)
  return transcript.some(it => it.request.endpoint === endpoint && understood(it) && isRead(it))
    ? undefined
    : `${lineOf(exchange)}, and no call to ${endpoint} was understood: ${cureFor(endpoint)} of ${profile.file} right?`
}

const cureFor = (endpoint: string): string =>
  ['token', 'keySet', 'status', 'events'].includes(endpoint)
    ? `is paths.${endpoint}`
    : `are paths.${endpoint} and requests.${endpoint}`
