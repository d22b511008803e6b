import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import type { KeepStep } from '../harness/judge/scenario-evidence.ts'
import { offersMethod } from '../harness/profile/missing-capability-reason.ts'
import { PAYMENT_NEEDS, WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { operationsOn } from './given/payment-operations.ts'
import { createApprovedPayment, initiate, readTransactionId, stagesAfterFinalize } from './given/payments.ts'
import { blikPayment, irisPayment } from './given/request-bodies.ts'

const WITH_REASON = { needs: ['fields.status.state', 'fields.status.reasonCode', 'states'] }

/** State categories of a payment that its shopper declined: declined (D-43) or canceled; the document leaves it open (3). */
const ENDED = ['declined', 'canceled'] as const

type Step =
  | 'finalize'
  | 'authorized'
  | 'declined'
  | 'used code'
  | 'used code status'
  | 'iris declined'
  | 'iris approved'

const decideOnBlik = async (context: CheckContext, keep: KeepStep<Step>): Promise<void> => {
  const { merchant, driver, account, profile } = context
  const approved = operationsOn(context, await createApprovedPayment(profile, context, false))
  await keep('finalize', approved.finalize())
  await keep('authorized', approved.status())
  const declined = readTransactionId(profile, await initiate(context))
  await driver.shopper(declined, 'decline')
  await keep('declined', operationsOn(context, declined).status())
  const code = await driver.oneTimeCode()
  await merchant.request('initiate', { json: blikPayment(account, code) })
  await keep('used code', merchant.request('initiate', { json: blikPayment(account, code) }))
}

/** Checks of shopper decisions on BLIK and IRIS payments, and of used BLIK codes (R6, 7.5, E5). */
export const shopperDecisions: CheckScenario<CheckContext, Step> = {
  name: 'what shoppers decide',
  tier: 3,
  needs: PAYMENT_NEEDS,
  play: async (context, keep) => {
    const { merchant, driver, account, profile } = context
    if (offersMethod(profile, 'BLIK')) await decideOnBlik(context, keep)
    if (!offersMethod(profile, 'IRIS')) return
    for (const [step, action] of [
      ['iris declined', 'decline'],
      ['iris approved', 'approve'],
    ] as const) {
      const id = readTransactionId(profile, await merchant.request('initiate', { json: irisPayment(account) }))
      await driver.shopper(id, action)
      await keep(step, operationsOn(context, id).status())
    }
  },
  checks: [
    {
      id: 'BLK-01',
      clause: 'R6',
      title: 'a code confirmed in time authorizes',
      control: 'LIF-01',
      ...WITH_STATES,
      judge: (evidence, expect) => {
        expect.served(evidence.of('finalize'))
        expect.inCategory(evidence.of('authorized'), ...stagesAfterFinalize(expect.profile))
      },
    },
    {
      id: 'BLK-02',
      clause: '7.5',
      title: 'a shopper who declines in the app: 2001',
      control: 'BLK-01',
      ...WITH_REASON,
      judge: (evidence, expect) => {
        expect.inCategory(evidence.of('declined'), ...ENDED)
        const reason = expect.field(evidence.of('declined'), 'status.reasonCode')
        expect.equalText('reasonCode', reason, '2001', evidence.of('declined'))
      },
    },
    {
      id: 'BLK-06',
      clause: 'R6',
      title: 'a code used before is no good: 4000',
      ...assumed('D-42'),
      control: 'VAL-01',
      needs: ['fields.initiate.reasonCode'],
      judge: (evidence, expect) => {
        expect.code(evidence.of('used code'), 'initiate.reasonCode', '4000')
      },
    },
    {
      id: 'IRS-04',
      clause: '7.5',
      title: 'a shopper who cancels on the page of IRIS: 2001',
      control: 'VAL-02',
      ...WITH_REASON,
      judge: (evidence, expect) => {
        expect.inCategory(evidence.of('iris declined'), ...ENDED)
        const reason = expect.field(evidence.of('iris declined'), 'status.reasonCode')
        expect.equalText('reasonCode', reason, '2001', evidence.of('iris declined'))
      },
    },
    {
      id: 'IRS-05',
      clause: 'E5',
      title: 'the outcome is seen by polling',
      control: 'VAL-02',
      ...WITH_STATES,
      judge: (evidence, expect) =>
        expect.inCategory(evidence.of('iris approved'), 'authenticated', 'authorized', 'captured', 'settled'),
    },
  ],
}
