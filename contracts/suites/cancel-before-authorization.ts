import { isServed } from '../client/http-exchange.ts'
import { choiceOf } from '../dialect/decision-choices.ts'
import { assumed, type Check, type CheckScenario } from '../harness/judge/check.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { isUnsupported } from './evidence/unsupported-operation.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { createApprovedPayment, initiate, readTransactionId } from './given/create-payments.ts'
import { readStatusUntil } from './given/read-until.ts'

const isCancelable = (profile: Profile): boolean => choiceOf(profile, 'D-39') === 'waiting'

type Step = 'cancel' | 'status'

/**
 * Creates a scenario with the check that what is not authorized yet is canceled, or its cancel refused by choice (D-39) or as
 * one that the method does not support (1, 7.1).
 */
const cancelBefore = (
  { id, title, stage, needs }: Pick<Check<Step>, 'id' | 'title'> & { stage: string; needs: readonly string[] },
  create: (context: CheckContext) => Promise<string>,
): CheckScenario<CheckContext, Step> => ({
  name: title,
  tier: 3,
  needs,
  play: async (context, keep) => {
    const { profile } = context
    const transactionId = await create(context)
    const payment = operationsOn(context, transactionId)
    const cancel = await keep('cancel', payment.cancel())
    const read = isServed(cancel) ? readStatusUntil(profile, context, transactionId, ['canceled']) : payment.status()
    await keep('status', read)
  },
  checks: [
    {
      id,
      clause: 'R1, R2',
      title,
      ...assumed('D-39'),
      control: 'LIF-09',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        const [cancel, status] = [evidence.of('cancel'), evidence.of('status')]
        expect.response(cancel)
        const isLacked = isUnsupported(expect.profile, cancel)
        if (isCancelable(expect.profile) && !isLacked) {
          expect.served(cancel)
          return expect.inCategory(status, 'canceled')
        }
        if (!isLacked) expect.refused(cancel, { status: 422, or: 409, code: '5' })
        expect.inCategory(status, stage)
      },
    },
  ],
})

/** Scenarios with the checks of cancels before the authorization, by what is waited for (R1, R2, D-39). */
export const cancelBeforeAuthorization = [
  cancelBefore(
    {
      id: 'IRS-15',
      title: 'a cancel of a payment of IRIS while the shopper has not decided',
      stage: 'waiting',
      needs: ['fields.initiate.transactionId'],
    },
    async context => readTransactionId(context.profile, await initiate(context, { will: 'wait', method: 'IRIS' })),
  ),
  cancelBefore(
    {
      id: 'LIF-30',
      title: 'a cancel while the shopper has not decided',
      stage: 'waiting',
      needs: ['fields.initiate.transactionId'],
    },
    async context => readTransactionId(context.profile, await initiate(context, { will: 'wait' })),
  ),
  cancelBefore(
    {
      id: 'LIF-31',
      title: 'a cancel of a consent that is not finalized',
      stage: 'authenticated',
      needs: PAYMENT_NEEDS,
    },
    context => createApprovedPayment(context.profile, context, false),
  ),
]
