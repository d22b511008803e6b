import {
  type Exchange,
  isServed,
  responseJson,
  unreadCoding,
  type WireRequest,
  type WireResponse,
} from '../client/http-exchange.ts'
import { redactorOf } from '../client/redact-secrets.ts'
import { refusalMessage, valueNamed } from '../harness/judge/refusal-message.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { findRefusalCode } from '../harness/profile/response-fields-and-line-advice.ts'
import {
  describeUnreachable,
  isUnreadableResponse,
  transportErrorCure,
  withPlaceToCorrect,
} from '../harness/profile/transport-error-cure.ts'
import { shortenedText } from '../harness/report/exchange-text.ts'
import { hideUserInfo } from '../protocol/user-info.ts'

/**
 * Describes in one sentence how the service refused the last unserved one of a probe's calls, secrets redacted, and
 * which profile line to correct; undefined if all were served.
 */
export const lastWords = (profile: Profile, exchanges: readonly Exchange[], line?: string): string | undefined => {
  const last = exchanges.findLast(exchange => !isServed(exchange))
  if (!last) return undefined
  const redactor = redactorOf(exchanges)
  const { request } = last
  const said = saidBy(profile, redactor.exchange(last))
  const { response, transportError } = last
  const cure = response
    ? (lawfulCure(response, refusalCode(profile, last)) ??
      withPlaceToCorrect(
        profile,
        redirectCure(request, response) ?? (line === undefined ? cureFor(request, response) : `correct ${line}`),
      ))
    : transportErrorCure(profile, transportError?.code)
  return redactor.text(`the service answered ${request.method} ${request.url} with ${said}: ${cure}`)
}

/**
 * Describes in one sentence a token call that was served without an access token that can be sent (5.3), and whether to
 * mend the service or, as one of another kind answers so, which profile line to correct; undefined if there is none.
 */
export const wordsOnMissingToken = (profile: Profile, exchanges: readonly Exchange[]): string | undefined => {
  const served = exchanges.find(isServed)
  if (!served) return undefined
  const { access_token: token } = (responseJson(served) ?? {}) as { access_token?: unknown }
  const coding = served.response && unreadCoding(served.response)
  const what = coding
    ? `a body encoded by ${coding}, which is not read: mend the service, or what compresses in front of it`
    : typeof token === 'string' && token !== ''
      ? 'an access token that no header carries, as it holds more than visible ASCII: mend the service'
      : `no access token, which does not look like the payment API: ${withPlaceToCorrect(profile, 'correct target.baseUrl or paths.token')}`
  return `${served.request.method} ${served.request.url} was answered with HTTP ${served.response?.status} and ${what}`
}

/** Finds the code of a refusal: where the profile points, else in a member named like one. */
export const refusalCode = (profile: Profile, exchange: Exchange): string | undefined =>
  findRefusalCode(profile, exchange) ?? valueNamed(exchange, /code/i) ?? valueNamed(exchange, /error/i)

const saidBy = (profile: Profile, exchange: Exchange): string => {
  const { response, transportError } = exchange
  if (!response && transportError && isUnreadableResponse(transportError))
    return `a response that cannot be read (${transportError.code}: ${transportError.message})`
  if (!response) return transportError ? `nothing: it ${describeUnreachable(transportError)}` : 'nothing'
  const code = refusalCode(profile, exchange)
  const message = refusalMessage(exchange)
  const { location } = response.headers
  const target = isRedirect(response) && location ? ` to ${JSON.stringify(shortenedText(hideUserInfo(location)))}` : ''
  return [
    `HTTP ${response.status}${target}`,
    ...(code === undefined ? [] : [`code ${shortenedText(code, 60)}`]),
    ...(message === '' ? [] : [JSON.stringify(message)]),
  ].join(', ')
}

/** Returns what follows from a refusal that is no fault of the profile (7.1, 7.2). */
const lawfulCure = ({ status }: WireResponse, code = ''): string | undefined => {
  if (status === 429 || (status >= 500 && status !== 501)) return 'try again later, nothing is to be corrected'
  if (status === 501) return 'where it does not offer this, a line of capabilities says so'
  if (/^5\d{3}$/.test(code)) return 'its rules forbid it there, nothing is to be corrected unless the payment allows it'
  return undefined
}

const isRedirect = ({ status }: WireResponse): boolean => status >= 300 && status < 400

/** Returns what to correct where an address leads elsewhere: no call follows, whatever line a probe looked for. */
const redirectCure = ({ endpoint = 'keySet' }: WireRequest, response: WireResponse): string | undefined =>
  isRedirect(response) ? `correct target.baseUrl or paths.${endpoint}` : undefined

/** Returns what to correct in the profile, by the status of a refusal (5.5, 7.1). */
const cureFor = ({ endpoint = 'keySet' }: WireRequest, { status }: WireResponse): string => {
  if (status === 404 || status === 405) return `correct paths.${endpoint}`
  if (status === 401 && endpoint === 'token')
    return 'correct organization, first its certificate and then its signingKeys, or dialect, or paths.token'
  if (status === 401) return 'correct organization or dialect'
  if (status === 403 || endpoint === 'token') return 'correct organization, its certificate, id and clientId'
  return `correct requests.${endpoint} or enums`
}
