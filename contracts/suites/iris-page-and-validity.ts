import type { Exchange } from '../client/http-exchange.ts'
import { stopwatch } from '../client/wall-clock.ts'
import { assumed, OBSERVING } from '../harness/judge/check.ts'
import { Blocked } from '../harness/judge/verdict-errors.ts'
import { findField } from '../harness/profile/response-fields-and-line-advice.ts'
import { type IsolatedCheck, isolatedScenario } from './check-builders/checks-with-own-calls.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectPremise } from './evidence/expect-premise.ts'
import { expectRefusedOrDeclined, findStep, readLaterOutcome } from './evidence/expect-refused-or-declined.ts'
import { initiate, letShopper, ON_PAGE } from './given/create-payments.ts'
import { irisPayment, RETURN_URL } from './given/request-bodies.ts'

const MINUTE = 60

/** Initiates an IRIS payment with a validity in minutes; the profile says which member holds it (S38). */
const lasting = (context: CheckContext, minutes: number): Promise<Exchange> =>
  context.merchant.request('initiate', { json: { ...irisPayment(context), validitySeconds: minutes * MINUTE } })

const WITH_VALIDITY = { control: 'VAL-02', needs: ['requests.initiate.validitySeconds'] }
const DECLINED = { slot: 'initiate.reasonCode', code: '4000' }
const UNCLEAR = [5, 7, 31, 33] as const

/** Most bytes of a page that are read: a redirect is told in its beginning. */
const MOST_BYTES = 1024 * 1024

const readBeginning = async ({ body }: Response): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let read = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    read += chunk.length
    if (read >= MOST_BYTES) break
  }
  return Buffer.concat(chunks)
}

/** Fetches the page to which the shopper is redirected, as an exchange; throws Blocked where it is not reachable. */
const open = async (url: string): Promise<Exchange> => {
  const elapsed = stopwatch()
  const signal = AbortSignal.timeout(10_000)
  const response = await fetch(url, { redirect: 'manual', signal }).catch(() => undefined)
  const body = response && (await readBeginning(response).catch(() => undefined))
  if (!response || !body) throw new Blocked(`GET ${url} got no response: can this machine reach the shopper's pages?`)
  const location = response.headers.get('location')
  const headers = { 'content-type': response.headers.get('content-type') ?? '', ...(location && { location }) }
  const request = { method: 'GET', url, headers: {} }
  return { request, response: { status: response.status, headers, body }, durationMs: elapsed() }
}

/** Returns a text with the usual escapes of an address in a page or in a query undone. */
const spellings = (text: string): string =>
  text
    .replaceAll('\\/', '/')
    .replaceAll('&#x2F;', '/')
    .replaceAll('&#47;', '/')
    .replaceAll(/%3A/gi, ':')
    .replaceAll(/%2F/gi, '/')

const CHECKS: IsolatedCheck[] = [
  {
    id: 'IRS-02',
    clause: '2.1, E4',
    title: 'after paying, the shopper finds the way to returnUrl',
    tier: 4,
    ...assumed('D-108'),
    control: 'VAL-02',
    needs: ['iris.page', 'fields.initiate.transactionId', 'fields.initiate.redirectUrl'],
    play: async (context, keep) => {
      const { profile } = context
      const initiated = await keep('initiated', initiate(context, ON_PAGE))
      await letShopper(profile, context, initiated, ON_PAGE)
      await keep('page', open(String(findField(profile, initiated, 'initiate.redirectUrl'))))
    },
    judge: (evidence, expect) => {
      const { returnUrl = RETURN_URL } = expect.profile.target
      const page = evidence.of('page')
      const { headers, body } = expect.response(page)
      const leads = [headers.location ?? '', body.toString('utf8')].some(text => spellings(text).includes(returnUrl))
      expect.holds(leads, `a redirect or a link to ${returnUrl}`, expect.describeJudged(page), page)
    },
  },
  {
    id: 'IRS-06',
    clause: '7.5, 8',
    title: 'a validity of less than 8 or more than 33 minutes is refused with 4xxx or declined with 4000',
    ...WITH_VALIDITY,
    play: async (context, keep) => {
      await keep('fine', lasting(context, 20))
      for (const [step, minutes] of [
        ['short', 2],
        ['long', 40],
      ] as const) {
        const sent = await keep(step, lasting(context, minutes))
        const later = await readLaterOutcome(context, sent, 'initiate.transactionId')
        if (later) await keep(`${step} later`, Promise.resolve(later))
      }
    },
    judge: (evidence, expect) => {
      expectPremise(evidence.of('fine'), 'a validity of 20 minutes', expect)
      for (const step of ['short', 'long']) {
        const later = findStep(evidence, `${step} later`)
        expectRefusedOrDeclined(evidence.of(step), expect, { code: '4' }, { declined: DECLINED, later })
      }
    },
  },
  {
    id: 'IRS-08',
    clause: 'R7, 7.5, 8',
    title: 'a validity of 5, 7, 31 and 33 minutes, on which the document is ambiguous',
    ...OBSERVING,
    ...WITH_VALIDITY,
    play: async (context, keep) => {
      for (const minutes of UNCLEAR) await keep(`${minutes}`, lasting(context, minutes))
    },
    judge: (evidence, expect) =>
      UNCLEAR.map(it => `${it} min: ${expect.describeJudged(evidence.of(`${it}`))}`).join('; '),
  },
]

/**
 * Scenario with checks of IRIS payments: the return from the bank's page to returnUrl, and the validity in minutes
 * (E4, R7).
 */
export const iris = isolatedScenario({ name: 'the page and the validity of IRIS', tier: 3 }, CHECKS)
