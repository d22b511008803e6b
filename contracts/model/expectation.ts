import { statesTheSame } from './bodies-mean-the-same.ts'
import type { BrokenRule, Details, JudgedResponse } from './model-call-and-judged-response.ts'

/** One response that the contract permits, in words and as a test. */
export type Expectation = {
  text: string
  allows(response: JudgedResponse): boolean /** The response that is to be repeated. */
  of?: unknown
}

/**
 * Something that a served response must show, in words and as a test of the model; the test also passes where the
 * deployment does not show it.
 */
export type Shown = { text: string; holds(response: JudgedResponse): boolean }

const isServed = ({ http, declined }: JudgedResponse): boolean => http >= 200 && http < 300 && !declined

/** Whether a response tells nothing of whether the call was carried out (7.1, 7.4). */
export const isUnclear = ({ http }: JudgedResponse): boolean => http === 0 || (http >= 500 && http !== 501)

export const served = (...shown: readonly Shown[]): Expectation => ({
  text: ['served', ...shown.map(({ text }) => text)].join(', '),
  allows: response => isServed(response) && shown.every(({ holds }) => holds(response)),
})

export const declined = (code?: string): Expectation => ({
  text: code === undefined ? 'declined' : `declined with ${code}`,
  allows: response =>
    response.declined === true && (code === undefined || response.code === undefined || response.code === code),
})

export const refused = (status: readonly number[], family?: string): Expectation => ({
  text: `refused with ${status.join(' or ')}${family === undefined ? '' : ` and a ${family}xxx code`}`,
  allows: ({ http, code, declined = false }) =>
    !declined && status.includes(http) && (family === undefined || code === undefined || code.startsWith(family)),
})

/** Returns the expectation of the model that a call which breaks a rule on purpose is refused as that rule says. */
export const refusedBy = ({ status, family, orDeclined = false }: BrokenRule): Expectation => {
  const refusal = refused(status, family)
  if (!orDeclined) return refusal
  return {
    text: `${refusal.text}, or declined`,
    allows: response => refusal.allows(response) || response.declined === true,
  }
}

/** Expectation of the model that a call is refused with any status of 7.1 that blames the call. */
export const REFUSED = refused([400, 403, 404, 409, 410, 422, 501])

/** Returns the expectation of the model that a call repeated under its key gets its first response again (I3). */
export const replayOf = (first: JudgedResponse): Expectation => ({
  text: `the first response again: HTTP ${first.http}`,
  of: first.json,
  allows: response => response.http === first.http && statesTheSame(first.json, response.json),
})

/** What stands for "no reason" where a service always writes the member. */
const NO_REASON = ['-1', '0', '0000', '']

/** Creators of what the model demands that a served response shows, each in words and with its test. */
export const shows = {
  newPayment: (known: readonly string[]): Shown => ({
    text: 'with a transactionId of its own',
    holds: ({ transactionId }) => transactionId === undefined || !known.includes(transactionId),
  }),
  stage: (...stages: readonly string[]): Shown => ({
    text: `the payment ${stages.join(' or ')}`,
    holds: ({ stages: shown }) => shown === undefined || shown.some(stage => stages.includes(stage)),
  }),
  reason: (wanted: string): Shown => ({
    text: `reasonCode ${wanted}`,
    holds: ({ code = '-1' }) => code === wanted || NO_REASON.includes(code),
  }),
  /** What is captured, and what is refunded with or without the refunds that are accepted and not yet made (D-41). */
  sums: (captured: number, least: number, most = least): Shown => ({
    text: `captured ${captured}, refunded ${least}${most > least ? ` to ${most}` : ''}`,
    holds: ({ captured: shown = captured, refunded = least }) =>
      shown === captured && refunded >= least && refunded <= most,
  }),
  /** The events that were read before, in a row at the end where new ones come: the document does not say which (6). */
  history: (before: readonly string[], isLonger: boolean): Shown => ({
    text: `the ${before.length} earlier events${isLonger ? ', and new ones' : ''}`,
    holds: ({ history }) => {
      if (history === undefined) return true
      const more = history.length - before.length
      const stand = [0, more].some(from => before.every((event, place) => history[from + place] === event))
      return more >= (isLonger ? 1 : 0) && stand
    },
  }),
  found: (id: string | undefined, isFound: boolean): Shown => ({
    text: isFound ? 'the payment found' : 'the payment not found',
    holds: ({ found }) => found === undefined || id === undefined || found.includes(id) === isFound,
  }),
  /** The values that a mock sets (2.7). */
  mocked: (wanted: Details): Shown => ({
    text: `mocked: ${JSON.stringify(wanted)}`,
    holds: ({ details = {} }) => members(wanted).every(([name, value]) => sameValue(details[name] ?? value, value)),
  }),
  /** None of the values that mocks set: the default flow (E2). */
  notMocked: (others: readonly Details[]): Shown => ({
    text: 'not mocked',
    holds: ({ details = {} }) => {
      const marks = others.map(({ providerTransactionId }) => providerTransactionId)
      return details.providerTransactionId === undefined || !marks.includes(details.providerTransactionId)
    },
  }),
  redirect: (isThere: boolean): Shown => ({
    text: isThere ? 'with a redirect' : 'without a redirect',
    holds: ({ details }) => details?.redirectUrl === undefined || (details.redirectUrl !== '') === isThere,
  }),
} as const

const members = (details: Details) => Object.entries(details) as [keyof Details, string][]

/** Whether two texts are the same value: the same instant, where both are times. */
const sameValue = (one: string, other: string): boolean =>
  one === other || (/^\d{4}-\d\d/.test(other) && Date.parse(one) === Date.parse(other))
