import { assumed } from '../harness/judge/check.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { type SingleCallCheck, singleCallScenario } from './check-builders/single-call-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { preparePayment } from './given/create-payments.ts'
import { irisPayment, uniqueReference, withMember } from './given/request-bodies.ts'

/** Free text beyond ASCII (2.1, 2.2). */
const TEXT = 'Zażółć gęślą jaźń, Ευχαριστώ'

const REQUEST_CONTEXT = { ipAddress: '2001:db8::1', userAgent: 'assay', channel: 'WEB', locale: 'pl-PL' }

/** Whether it is known how a deployment spells `deviceId`, which nothing else of the checks sends. */
const isSpelled = ({ requests, naming }: Profile): boolean =>
  requests?.all === undefined || naming !== undefined || 'requestContext.deviceId' in requests.all

const initiating =
  (more: (context: CheckContext) => object, member: string, value: () => string) => async (context: CheckContext) => {
    const json = withMember(await preparePayment(context, { method: 'BLIK' }), member, value())
    return context.merchant.request('initiate', { json: { ...json, ...more(context) } })
  }

/** How long a text may be and which characters it has is not stated. */
const WANTS = { ...assumed('D-45'), control: 'VAL-01', needs: ['blik.approve'] }

const CHECKS: SingleCallCheck[] = [
  {
    id: 'VAL-58',
    clause: '2.1, 2.2, 5.2',
    title: 'description and metadata may be in Polish and Greek',
    ...WANTS,
    send: initiating(
      () => ({ metadata: { note: TEXT } }),
      'paymentDetails.description',
      () => TEXT,
    ),
  },
  {
    id: 'VAL-59',
    clause: '2.1, 2.3, 2.4',
    title: 'every optional member may be there',
    ...WANTS,
    send: initiating(
      context => ({
        metadata: {},
        returnUrl: irisPayment(context).returnUrl,
        requestContext: { ...REQUEST_CONTEXT, ...(isSpelled(context.profile) && { deviceId: uniqueReference() }) },
      }),
      'payerDetails.payerId',
      uniqueReference,
    ),
  },
]

/** Scenario with checks that initiate accepts free text in any language and all optional members (2.1 to 2.4). */
export const freeTextAndOptionalMembers = singleCallScenario(
  { name: 'free text and optional members', tier: 3 },
  CHECKS,
)
