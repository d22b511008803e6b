import { isDeepStrictEqual } from 'node:util'
import { type Exchange, jsonOf, type WireAnswer } from '../client/exchange.ts'
import { agree } from './agree.ts'
import type { Profile } from './profile.ts'
import { Inconclusive, Mismatch, Open } from './signals.ts'
import { categoryOf, findField, readField, readItems, reasonCodeOf, toldCode } from './slots.ts'

/** Statuses by which a service may say no to a call that is wrong (7.1). 429 is no judgment on the call. */
const REFUSING = [400, 401, 403, 404, 409, 413, 422, 501]

export type Refusal = {
  /** Status or statuses that will do; any refusing status of 7.1 when left out. */
  status?: number | readonly number[]
  /** One of HTTP that will do as well, for a fault that 7.1 has none for. */
  or?: number
  /** First digits of the reasonCode, as much as the document states: `4970`, or a family such as `4`. */
  code?: string | readonly string[]
  /** A field that would show that something was made after all. */
  without?: string
}

export type Expect = ReturnType<typeof createExpect>

/** What a check may ask of its evidence. Whatever does not hold is thrown, with the exchange that shows it. */
export const createExpect = (profile: Profile, check: { id: string; control?: string }) => {
  const heard = (exchange: Exchange): WireAnswer => {
    const { answer, fault } = exchange
    if (!answer) throw new Inconclusive(`no answer: ${fault?.code} ${fault?.message}`, exchange)
    return answer
  }
  const answered = (exchange: Exchange): WireAnswer => {
    const answer = heard(exchange)
    if (answer.status === 429)
      throw new Inconclusive(`too many requests, retry after ${answer.headers['retry-after']}`, exchange)
    return answer
  }
  const holds = (condition: boolean, expected: string, got: unknown, exchange?: Exchange): void => {
    if (!condition) throw new Mismatch(expected, typeof got === 'string' ? got : JSON.stringify(got), exchange)
  }
  const described = (exchange: Exchange) => describe(heard(exchange), reasonCodeOf(profile, exchange))
  const told = (exchange: Exchange) => describe(answered(exchange), reasonCodeOf(profile, exchange))

  return {
    profile,
    answered,
    holds,
    /** The same meaning, member by member. */
    equal: (what: string, got: unknown, expected: unknown, exchange?: Exchange) =>
      holds(isDeepStrictEqual(got, expected), `${what} ${JSON.stringify(expected)}`, got ?? 'nothing', exchange),
    /** The same wherever both tell: either may have optional members beside (9). */
    agrees: (what: string, got: unknown, expected: unknown, exchange?: Exchange) =>
      holds(agree(got, expected), `${what} ${JSON.stringify(expected)}`, got ?? 'nothing', exchange),
    /** A 2xx; no deployment has to use the same one. */
    served: (exchange: Exchange): void => {
      holds(isServed(answered(exchange)), 'the call to be served', told(exchange), exchange)
      const statuses = profile.success?.[exchange.request.endpoint ?? '']
      const { status } = answered(exchange)
      holds(statuses?.includes(status) ?? true, `HTTP ${list(statuses)}`, told(exchange), exchange)
    },
    /** Rule 2: refused as stated, by a check that has a control, and with nothing left behind. */
    refused: (exchange: Exchange, { status = REFUSING, or, code, without }: Refusal = {}): void => {
      if (!check.control) throw new Error(`${check.id} expects a refusal and names no control: give it one.`)
      const more = or === undefined ? [] : [or]
      const wanted = `a refusal with ${list([status === REFUSING ? 'a status of 7.1' : status, ...more].flat())}`
      holds([status, ...more].flat().includes(answered(exchange).status), wanted, told(exchange), exchange)
      judgeCode(profile, exchange, code, told)
      const made = without === undefined ? undefined : findField(profile, exchange, without)
      holds(made === undefined, 'nothing left behind', `${without} ${made}`, exchange)
    },
    /** A 429 that was asked for; to every other expectation it tells nothing. */
    limited: (exchange: Exchange): void => {
      holds(heard(exchange).status === 429, 'HTTP 429', described(exchange), exchange)
    },
    json: (exchange: Exchange): Record<string, unknown> => {
      const json = jsonOf(exchange)
      holds(typeof json === 'object' && json !== null, 'a JSON object', told(exchange), exchange)
      return json as Record<string, unknown>
    },
    /** What no answer tells is no fault of a pointer. */
    field: (exchange: Exchange, slot: string): unknown => {
      answered(exchange)
      return readField(profile, exchange, slot)
    },
    /** The code of a refusal, or that of a decline in a success, where this slot points (7, S44). */
    code: (exchange: Exchange, slot: string, code: string): void => {
      answered(exchange)
      const got = toldCode(profile, exchange, slot) ?? readField(profile, exchange, slot)
      holds(got === code, `reasonCode ${code}`, String(got), exchange)
    },
    items: (exchange: Exchange, list: string, member: string) => {
      answered(exchange)
      return readItems(profile, exchange, list, member)
    },
    /** The payment is at one of these stages of its life. */
    category: (exchange: Exchange, ...expected: string[]): void => {
      holds(isServed(answered(exchange)), 'the call to be served', told(exchange), exchange)
      const got = categoryOf(profile, exchange, 'status.state')
      holds(expected.includes(got), `the payment ${list(expected)}`, got, exchange)
    },
    told,
    /** The same of any answer, a 429 among them. */
    described,
  }
}

const judgeCode = (
  profile: Profile,
  exchange: Exchange,
  code: Refusal['code'],
  told: (exchange: Exchange) => string,
): void => {
  if (code === undefined) return
  const got = reasonCodeOf(profile, exchange)
  if (got === undefined) {
    const pointer = profile.errors?.reasonCode
    const cure = pointer === undefined ? 'add' : `${pointer} points at nothing: correct`
    throw new Open(
      `the status is right, the reasonCode unknown; ${cure} errors.reasonCode in ${profile.file}`,
      exchange,
    )
  }
  if ([code].flat().some(start => got.startsWith(start) && got.length === 4)) return
  throw new Mismatch(
    `reasonCode ${list(code)}${'xxx'.slice(0, 4 - String([code].flat()[0]).length)}`,
    told(exchange),
    exchange,
  )
}

const isServed = ({ status }: WireAnswer): boolean => status >= 200 && status < 300

const describe = ({ status }: WireAnswer, reasonCode: string | undefined): string =>
  reasonCode === undefined ? `HTTP ${status}` : `HTTP ${status} with reasonCode ${reasonCode}`

const list = (values: unknown): string => [values].flat().join(' or ')
