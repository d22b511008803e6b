import type { Exchange } from '../client/http-exchange.ts'
import { findField } from '../harness/profile/response-fields.ts'
import { PROVIDER_CODES } from '../protocol/provider-codes.ts'
import { isolatedScenario } from './check-builders/isolated-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectOutcomeCode, findOutcomeCode } from './evidence/outcome-code.ts'
import { preparePayment } from './given/payments.ts'
import { readOutcome } from './given/read-outcome.ts'
import { withMember } from './given/request-bodies.ts'

const CODES = PROVIDER_CODES.map((row, index) => ({ ...row, id: `MAP-${String(index + 1).padStart(2, '0')}` }))

type Row = (typeof CODES)[number]

const NO_MANDATES = '3004'

/** Returns the body of a payment to which a provider can answer so: one that asks for a mandate, where it has none. */
const bodyFor = async (context: CheckContext, { provider, code }: Row) => {
  const body = await preparePayment(context, { method: provider })
  if (code !== NO_MANDATES) return body
  return withMember(withMember(body, 'transactionType', 'RECURRING'), 'payerDetails.payerId', 'payer-1')
}

/** Returns the response that shows how an initiated payment ended: that of initiate, else its status or events (S44). */
const outcomeOf = async (context: CheckContext, initiated: Exchange): Promise<Exchange> => {
  const { profile } = context
  const transactionId = findField(profile, initiated, 'initiate.transactionId')
  if (findOutcomeCode(profile, initiated) !== undefined || transactionId === undefined) return initiated
  return (await readOutcome(profile, context, String(transactionId))).reason
}

/** Checks that each provider decline at initiate has its reasonCode, in a response or a refusal, status or events (7.5, S44). */
export const providerCodeMapping = isolatedScenario(
  {
    name: 'what providers say when a payment begins',
    tier: 3,
    needs: ['faults', 'fields.initiate.reasonCode'],
  },
  CODES.map(row => ({
    id: row.id,
    clause: '7.5',
    title: `the code ${row.code} of ${row.provider} comes as ${row.reasonCode}`,
    control: row.provider === 'BLIK' ? 'VAL-01' : 'VAL-02',
    play: async (context, keep) => {
      const json = await bodyFor(context, row)
      await context.control.arm({ operation: 'initiate', kind: 'decline', code: row.code })
      const initiated = await keep('initiate', context.merchant.request('initiate', { json }))
      await keep('outcome', outcomeOf(context, initiated))
    },
    judge: (evidence, expect) =>
      expectOutcomeCode([evidence.of('initiate'), evidence.of('outcome')], row.reasonCode, expect),
  })),
)
