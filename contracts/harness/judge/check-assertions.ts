import { isDeepStrictEqual } from 'node:util'
import {
  describeExchange,
  type Exchange,
  isSuccess,
  responseJson,
  unreadCoding,
  type WireResponse,
} from '../../client/http-exchange.ts'
import type { SwitchedDecision } from '../../dialect/decision-choices.ts'
import { isProviderOperation } from '../../operations.ts'
import { LONGEST_WAIT_SECONDS, patienceSeconds } from '../profile/abilities-from-profile-lines.ts'
import { comesBefore, readLifecycleStages } from '../profile/lifecycle-stages-of-status-response.ts'
import type { Profile } from '../profile/profile.ts'
import {
  findField,
  findReasonCode,
  findRefusalCode,
  isDecline,
  readField,
  readItems,
} from '../profile/response-fields-and-line-advice.ts'
import { amountOf, sameAsText } from './compare-scalars.ts'
import { jsonAgrees } from './compare-shared-json-members.ts'
import { Blocked, Inconclusive, Mismatch, Untestable } from './verdict-errors.ts'

/** Statuses by which a service may refuse an incorrect call (7.1). A 429 is no judgment of the call. */
const REFUSAL_STATUSES = [400, 401, 403, 404, 409, 413, 422, 501]

/** Statuses by which a service, or a gateway before it, puts a call off: repeated later, it may be served (7.1). */
export const PUT_OFF: readonly number[] = [423, 429, 502, 503, 504]

/** Whether a status refuses a call: any 4xx, or 501; a 429 is no judgment of the call, and 500 no answer to it. */
const isRefusal = (status: number): boolean => (status >= 400 && status < 500) || status === 501

/** What a check expects of a call that must be refused. */
export type ExpectedRefusal = {
  /** Accepted status or statuses; any refusal status of 7.1 when left out. */
  status?: number | readonly number[]
  /** Another HTTP status that is accepted, for an error that 7.1 does not list. */
  or?: number
  /** The decision whose value begins with the one status to expect, where the profile chooses it. */
  decidedBy?: SwitchedDecision
  /** First digits of the reasonCode, as far as the document states them: `4970`, or a family such as `4`. */
  code?: string | readonly string[]
  /** A response field that would show that something was created after all. */
  without?: string
  /** The document itself requires a refusal, or a decline: only its status and code may rest on the decisions of the check. */
  core?: true
}

export type Expect = ReturnType<typeof createExpect>

/** Creates the assertions of a check; each throws a verdict error with the exchange where the assertion fails. */
export const createExpect = (profile: Profile, check: { id: string; control?: string }) => {
  const received = (exchange: Exchange): WireResponse => {
    const { response, transportError } = exchange
    if (!response) throw new Inconclusive(`no response: ${transportError?.code} ${transportError?.message}`, exchange)
    const coding = unreadCoding(response)
    if (coding !== undefined)
      throw new Inconclusive(
        `the response is encoded by ${coding}, which is not read: the request asks for identity (RFC 9110 12.5.3)`,
        exchange,
      )
    return response
  }
  const response = (exchange: Exchange, expected: readonly number[] = []): WireResponse => {
    const { status, headers, body } = received(exchange)
    if (PUT_OFF.includes(status) && !expected.includes(status))
      throw new Inconclusive(putOffText(status, headers['retry-after']), exchange)
    return { status, headers, body }
  }
  const holds = (condition: boolean, expected: string, got: unknown, exchange?: Exchange): void => {
    if (!condition) throw new Mismatch(expected, typeof got === 'string' ? got : JSON.stringify(got), exchange)
  }
  /** Throws Inconclusive where an effect that does not show may only be slower: no time is stated, here or in the profile (1, E5). */
  const maybeLater = (shown: string, exchange: Exchange): void => {
    const { control, patience, file } = profile
    const longest = LONGEST_WAIT_SECONDS
    const seconds = Math.min(patienceSeconds(profile), longest)
    if (control || (patience !== undefined && patienceSeconds(profile) <= seconds)) return
    const line = patience === undefined ? 'patience' : `a patience of at most ${longest} seconds`
    throw new Inconclusive(
      `after ${seconds} seconds there is still ${shown}: say by ${line} in ${file} how long it may take, and it fails then`,
      exchange,
    )
  }
  const describeAny = (exchange: Exchange) => statusText(received(exchange), findRefusalCode(profile, exchange))
  const describeJudged = (exchange: Exchange) => statusText(response(exchange), findRefusalCode(profile, exchange))

  return {
    profile,
    /** The response; throws Inconclusive where there is none, or one of `PUT_OFF` that is not expected. */
    response,
    holds,
    /** Runs assertions of what the document itself states: a violation fails, whatever decisions the check names. */
    specified: <Value>(assert: () => Value): Value => {
      try {
        return assert()
      } catch (error) {
        if (!(error instanceof Mismatch)) throw error
        throw new Mismatch(error.expected, error.got, error.exchange, true)
      }
    },
    /** Expects deep equality. */
    equal: (what: string, got: unknown, expected: unknown, exchange?: Exchange) =>
      holds(isDeepStrictEqual(got, expected), `${what} ${JSON.stringify(expected)}`, got ?? 'nothing', exchange),
    /** Expects the same code, id or word, whether each is a number or a text. */
    equalText: (what: string, got: unknown, expected: unknown, exchange?: Exchange) =>
      holds(sameAsText(got, expected), `${what} ${JSON.stringify(expected)}`, got ?? 'nothing', exchange),
    /** Expects an amount, be it a number or a text. */
    equalAmount: (what: string, got: unknown, expected: number, exchange?: Exchange) =>
      holds(amountOf(profile, got) === expected, `${what} ${expected}`, got ?? 'nothing', exchange),
    /** Expects two ids of different things, whether each is a number or a text. */
    differ: (what: string, [one, other]: readonly unknown[], exchange?: Exchange) =>
      holds(!sameAsText(one, other), what, `${other} again`, exchange),
    /** Expects equality of all members that both sides have: either may have further, optional ones (9). */
    agreesWith: (what: string, got: unknown, expected: unknown, exchange?: Exchange) =>
      holds(jsonAgrees(got, expected), `${what} ${JSON.stringify(expected)}`, got ?? 'nothing', exchange),
    /**
     * Expects a 2xx response, and one of the statuses that the profile lists under `success`, where it lists any; a status
     * of `judged` fails also where it puts the call off. Throws Blocked where it tells a decline, which any call to a
     * provider may meet (7.2).
     */
    served: (exchange: Exchange, judged: readonly number[] = []): void => {
      const { status } = response(exchange, judged)
      if (isProviderOperation(exchange.request.endpoint) && isDecline(profile, exchange))
        throw new Blocked(`it was declined, so that nothing shows: ${describeExchange(exchange)}`, exchange)
      holds(isSuccess(status), 'the call to be served', describeAny(exchange), exchange)
      const statuses = profile.success?.[exchange.request.endpoint ?? '']
      holds(statuses?.includes(status) ?? true, `HTTP ${list(statuses)}`, describeJudged(exchange), exchange)
    },
    /** Expects a refusal as stated, and that nothing was created; the check must name a control (rule 2). */
    refused: (
      exchange: Exchange,
      { status = REFUSAL_STATUSES, or, code, without, core, decidedBy }: ExpectedRefusal = {},
    ): void => {
      if (!check.control) throw new Error(`${check.id} expects a refusal and names no control: give it one.`)
      const made = without === undefined ? undefined : findField(profile, exchange, without)
      if (core && !isRefusal(response(exchange).status) && !isDecline(profile, exchange))
        throw new Mismatch('a refusal', describeJudged(exchange), exchange, true)
      if (core && made !== undefined) throw new Mismatch('nothing left behind', `${without} ${made}`, exchange, true)
      const chosen = decidedBy && profile.decisions?.[decidedBy]
      const accepted = chosen ? [Number.parseInt(chosen, 10)] : [status, or ?? []].flat()
      const stated = chosen ? accepted : [status === REFUSAL_STATUSES ? 'a status of 7.1' : status, or ?? []].flat()
      const wanted = `a refusal with ${list(stated)}`
      holds(accepted.includes(response(exchange).status), wanted, describeJudged(exchange), exchange)
      judgeCode(profile, exchange, code, describeJudged)
      holds(made === undefined, 'nothing left behind', `${without} ${made}`, exchange)
    },
    maybeLater,
    /** Expects a 429, which in other assertions is inconclusive. */
    rateLimited: (exchange: Exchange): void => {
      holds(received(exchange).status === 429, 'HTTP 429', describeAny(exchange), exchange)
    },
    /** The response body; expects a JSON object, also of a status of `judged` that puts the call off. */
    json: (exchange: Exchange, judged: readonly number[] = []): Record<string, unknown> => {
      response(exchange, judged)
      const json = responseJson(exchange)
      holds(typeof json === 'object' && json !== null, 'a JSON object', describeAny(exchange), exchange)
      return json as Record<string, unknown>
    },
    /** Value of a response field; inconclusive, not untestable, where there is no response. */
    field: (exchange: Exchange, field: string): unknown => {
      response(exchange)
      return readField(profile, exchange, field)
    },
    /** Expects the reasonCode of a refusal, or of a decline in a successful response where this field stands (7, S44). */
    code: (exchange: Exchange, field: string, code: string): void => {
      const found = findReasonCode(profile, exchange, field)
      response(exchange, found === undefined ? [] : PUT_OFF)
      const got = found ?? readField(profile, exchange, field)
      holds(String(got) === code, `reasonCode ${code}`, String(got), exchange)
    },
    /** Values of one member of each item of a response list. */
    items: (exchange: Exchange, list: string, member: string) => {
      response(exchange)
      return readItems(profile, exchange, list, member)
    },
    /** Expects the payment to be in one of these lifecycle categories, as far as its state tells them apart. */
    inCategory: (exchange: Exchange, ...expected: string[]): void => {
      holds(isSuccess(response(exchange).status), 'the call to be served', describeJudged(exchange), exchange)
      const { stages, shown } = readLifecycleStages(profile, exchange)
      const isAnyOf = stages.some(stage => expected.includes(stage))
      if (!isAnyOf && comesBefore(stages, expected)) maybeLater(shown, exchange)
      holds(isAnyOf, `the payment ${list(expected)}`, shown, exchange)
    },
    /** Status and reasonCode of a response as text; throws Inconclusive as `response` does. */
    describeJudged,
    /** Status and reasonCode of any response as text, also of one that puts the call off. */
    describeAny,
  }
}

const judgeCode = (
  profile: Profile,
  exchange: Exchange,
  code: ExpectedRefusal['code'],
  describe: (exchange: Exchange) => string,
): void => {
  if (code === undefined) return
  const got = findRefusalCode(profile, exchange)
  if (got === undefined) {
    const pointer = profile.errors?.reasonCode
    const cure = pointer === undefined ? 'add' : `${pointer} points at nothing: correct`
    throw new Untestable(
      `the status is right, the reasonCode unknown; ${cure} errors.reasonCode in ${profile.file}`,
      exchange,
      'errors.reasonCode',
    )
  }
  if ([code].flat().some(start => got.startsWith(start) && got.length === 4)) return
  throw new Mismatch(
    `reasonCode ${list(code)}${'xxx'.slice(0, 4 - String([code].flat()[0]).length)}`,
    describe(exchange),
    exchange,
  )
}

const putOffText = (status: number, retryAfter: string | undefined): string =>
  status === 429
    ? `too many requests, retry after ${retryAfter}`
    : `the call was put off by HTTP ${status}, as a passing failure may: run the check again`

const statusText = ({ status }: WireResponse, reasonCode: string | undefined): string =>
  reasonCode === undefined ? `HTTP ${status}` : `HTTP ${status} with reasonCode ${reasonCode}`

const list = (values: unknown): string => [values].flat().join(' or ')
