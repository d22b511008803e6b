import type { Exchange } from '../client/http-exchange.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { EmptyCell } from '../harness/judge/judge-grid-cells.ts'
import { Untestable } from '../harness/judge/verdict-errors.ts'
import { findField } from '../harness/profile/response-fields-and-line-advice.ts'
import { PROVIDER_CODES } from '../protocol/provider-codes.ts'
import { type IsolatedCheck, isolatedScenario } from './check-builders/checks-with-own-calls.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { armProviderCode } from './drivers/arm-provider-code.ts'
import { findStep } from './evidence/expect-refused-or-declined.ts'
import { expectOutcomeCode, expectOutcomeResponses, findOutcomeCode } from './evidence/outcome-reason-code.ts'
import { preparePayment } from './given/create-payments.ts'
import { ENDED, readInitiateOutcome } from './given/read-failed-payment-outcome.ts'
import { readStatusUntil } from './given/read-until.ts'
import { blikPayment, irisPayment, uniqueReference, withMember } from './given/request-bodies.ts'

const CODES = PROVIDER_CODES.map((row, index) => ({ ...row, id: `MAP-${String(index + 1).padStart(2, '0')}` }))

type Row = (typeof CODES)[number]

const NO_MANDATES = '3004'

/** A code of the right form, for a payment of which no provider hears (E3, E4). */
const ANY_CODE = '123456'

/** Returns the body of a payment of this method; its shopper never comes to act, so a MOCK needs no code of theirs. */
const usualBody = async (context: CheckContext, method: Row['provider']) => {
  if (context.profile.control) return preparePayment(context, { method })
  return method === 'BLIK' ? blikPayment(context.account, ANY_CODE) : irisPayment(context)
}

/** Returns the body of a payment to which a provider can answer so: one that asks for a mandate, where it has none. */
const bodyFor = async (context: CheckContext, { provider, code }: Row) => {
  const body = await usualBody(context, provider)
  if (code !== NO_MANDATES) return body
  return withMember(withMember(body, 'transactionType', 'RECURRING'), 'payerDetails.payerId', uniqueReference())
}

/** Throws Untestable where a mock was to tell the code and nothing came of it: services ignore members that they do not know. */
const ensureMockTaken = (places: readonly Exchange[], expect: Expect): void => {
  const { profile } = expect
  expectOutcomeResponses(places, expect)
  if (profile.control || places.some(place => findOutcomeCode(profile, place) !== undefined)) return
  const question = `does mocks.providerCode of ${profile.file} point where mock/set takes a provider's code?`
  throw new Untestable(`the payment went on as if there were no code: ${question}`, places[0], 'mocks.providerCode')
}

/** Codes by which a shopper ended a payment, which is terminal (7.4.1), by the number of the check of its end. */
const ENDS = { 'MAP-15': '3002', 'MAP-16': 'AUTHORISINGPARTYABORTED' } as const

/** Creates the check that a payment which initiate told as declined has ended. */
const endedAtOnce = ([id, code]: [string, string]): IsolatedCheck => {
  const row = CODES.find(it => it.code === code) as Row
  return {
    id,
    clause: '3, 7.4.1',
    title: `a payment of ${row.provider} that was declined when it began has ended`,
    control: row.id,
    needs: [...WITH_STATES.needs, 'fields.initiate.transactionId'],
    play: async (context, keep) => {
      const { profile } = context
      const json = await bodyFor(context, row)
      await armProviderCode(context, profile, json, code)
      const initiated = await keep('initiate', context.merchant.request('initiate', { json }))
      const transactionId = findField(profile, initiated, 'initiate.transactionId')
      if (transactionId !== undefined)
        await keep('status', readStatusUntil(profile, context, String(transactionId), ENDED))
    },
    judge: (evidence, expect) => {
      const initiated = evidence.of('initiate')
      expectOutcomeResponses([initiated], expect)
      const status = findStep(evidence, 'status')
      if (!status || status.response?.status === 404) throw new EmptyCell('what was declined left no payment to read')
      expect.inCategory(status, ...ENDED)
    },
  }
}

/**
 * Scenario with checks that each provider decline at initiate has its reasonCode, in a response or a refusal, status
 * or events (7.5, S44).
 */
export const providerCodeMapping = isolatedScenario(
  {
    name: 'what providers say when a payment begins',
    tier: 3,
    needs: ['provider.codes', 'fields.initiate.reasonCode'],
  },
  [...CODES.map(toldAs), ...Object.entries(ENDS).map(endedAtOnce)],
)

/** Creates the check that a code comes as the reasonCode to which it is mapped. */
function toldAs(row: Row): IsolatedCheck {
  return {
    id: row.id,
    clause: '7.5',
    title: `the code ${row.code} of ${row.provider} comes as ${row.reasonCode}`,
    control: row.provider === 'BLIK' ? 'VAL-01' : 'VAL-02',
    play: async (context, keep) => {
      const json = await bodyFor(context, row)
      await armProviderCode(context, context.profile, json, row.code)
      const initiated = await keep('initiate', context.merchant.request('initiate', { json }))
      await keep('outcome', readInitiateOutcome(context.profile, context, initiated))
    },
    judge: (evidence, expect) => {
      const places = [evidence.of('initiate'), evidence.of('outcome')]
      ensureMockTaken(places, expect)
      expectOutcomeCode(places, row.reasonCode, expect)
    },
  }
}
