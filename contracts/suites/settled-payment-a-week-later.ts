import { assumed, type Check } from '../harness/judge/check.ts'
import type { KeepStep } from '../harness/judge/scenario-evidence.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import type { TestOrganization } from './context/test-organization.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { letShopper, preparePayment, waitForSettlement } from './given/create-payments.ts'
import { fetchToken, searchFor } from './given/harmless-calls.ts'
import { readStatusUntil } from './given/read-until.ts'
import { FOUND_NEEDS, idsIn } from './grid/search-rows.ts'

/** Id of the check of a settled payment that is looked at after a long time. */
export const OF_SETTLED = 'RDS-23'

export type SettledStep = 'settled before' | `settled ${'initiated' | 'status' | 'events' | 'search' | 'refund'}`

/** A settled payment: its id and its reference. */
type Settled = { transactionId: string; clientTransactionId: string }

type Scene = { context: CheckContext; organization: TestOrganization; keep: KeepStep<SettledStep> }

/** Pays, captures and settles a payment for checks that look at it later. */
export const settlePayment = async ({ context, organization, keep }: Scene): Promise<Settled> => {
  const { profile } = context
  const json = await preparePayment(organization, { autoCapture: true })
  const initiated = await keep('settled initiated', organization.merchant.request('initiate', { json }))
  const transactionId = await letShopper(profile, organization, initiated)
  await operationsOn(organization, transactionId).finalize()
  await readStatusUntil(profile, organization, transactionId, ['captured', 'settled', 'declined'])
  await waitForSettlement(profile, organization, transactionId)
  await keep('settled before', operationsOn(organization, transactionId).status())
  return { transactionId, clientTransactionId: json.clientTransactionId }
}

/** Reads a settled payment after a long time, and refunds it. */
export const lookAtSettled = async (
  { organization, keep }: Scene,
  { transactionId, clientTransactionId }: Settled,
): Promise<void> => {
  const { merchant } = organization
  const path = { transactionId }
  const token = await fetchToken(organization)
  await keep('settled status', merchant.request('status', { path }, token))
  await keep('settled events', merchant.request('events', { path }, token))
  await keep('settled search', searchFor(organization, clientTransactionId, token))
  await keep('settled refund', operationsOn(organization, transactionId).refund())
}

const NOT_FOUND = 404

/** Checks of a settled payment a long time later: it is what it was (2.1, 3). */
export const SETTLED_CHECKS: readonly Check<SettledStep>[] = [
  {
    id: OF_SETTLED,
    clause: '2.1, 3, 4',
    title: 'a settled payment stays settled, is found and can be refunded after authorizations have expired',
    ...assumed('D-74'),
    control: 'LIF-05',
    needs: [...WITH_STATES.needs, ...FOUND_NEEDS],
    judge: (evidence, expect) => {
      expect.inCategory(evidence.of('settled before'), 'settled')
      expect.inCategory(evidence.of('settled status'), 'settled')
      expect.served(evidence.of('settled events'))
      const id = String(expect.field(evidence.of('settled initiated'), 'initiate.transactionId'))
      const ids = idsIn(evidence.of('settled search'), expect)
      expect.holds(ids.includes(id), `the payment ${id}`, ids, evidence.of('settled search'))
      const refund = evidence.of('settled refund')
      expect.holds(expect.response(refund).status !== NOT_FOUND, 'a payment', expect.describeJudged(refund), refund)
    },
  },
]
