import type { Exchange } from '../../client/http-exchange.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import type { ShopperOutcome } from '../drivers/shopper-driver-types.ts'
import { operationsOn } from './calls-on-payment.ts'
import { letShopper } from './create-payments.ts'
import { readUntil } from './read-until.ts'
import { blikMandatePayment, uniqueReference } from './request-bodies.ts'

/** Choice of a payment that makes a mandate: its payer (a new one), what its shopper does (approve), and its capture. */
type MandateChoice = { payerId?: string; will?: ShopperOutcome; autoCapture?: boolean }
type MandateType = 'RECURRING' | 'TOKEN_ONLY'

/**
 * Sends a check's initiate of a payment by BLIK that makes a mandate (1, 2.1), and returns the exchange unjudged. One of
 * TOKEN_ONLY that is refused with 400 is sent without its amount: whether it has one is not stated (2.2).
 */
export const initiateMandate = async (
  { account, shopper, merchant }: Pick<TestOrganization, 'account' | 'shopper' | 'merchant'>,
  type: MandateType,
  { payerId = uniqueReference(), will = 'approve', autoCapture }: MandateChoice = {},
): Promise<Exchange> => {
  const send = async (more: { autoCapture?: boolean; amount?: undefined }): Promise<Exchange> => {
    const body = blikMandatePayment(account, payerId, type)
    const paymentDetails = { ...body.paymentDetails, ...more } as typeof body.paymentDetails
    return merchant.request('initiate', { json: await shopper.prepare({ ...body, paymentDetails }, will) })
  }
  const captured = autoCapture === undefined ? {} : { autoCapture }
  const initiated = await send(captured)
  const isWithoutAmount = type === 'TOKEN_ONLY' && initiated.response?.status === 400
  return isWithoutAmount ? send({ ...captured, amount: undefined }) : initiated
}

/** Creates a payment that makes a mandate and has its shopper act; returns its id. Finalize comes next. */
export const createMandatePayment = async (
  profile: Profile,
  organization: TestOrganization,
  type: MandateType,
  choice: MandateChoice = {},
): Promise<string> =>
  letShopper(profile, organization, await initiateMandate(organization, type, choice), {
    method: 'BLIK',
    will: choice.will ?? 'approve',
  })

const BEFORE_TOKEN = ['waiting', 'authenticated', 'processing']

/** Whether a state is none of a payment that is not finalized; no stage of the profile stands for one that made a token. */
export const isAfterFinalize = ({ states = {} }: Profile, state: unknown): boolean =>
  !BEFORE_TOKEN.some(stage => states[stage]?.includes(String(state)))

/** Reads the status of a payment of TOKEN_ONLY until its finalize shows, which may be carried out later than it is told (E5). */
export const waitForToken = (
  context: TestOrganization & { profile: Profile },
  transactionId: string,
): Promise<Exchange> =>
  readUntil(
    context.profile,
    operationsOn(context, transactionId).status,
    status => isAfterFinalize(context.profile, findField(context.profile, status, 'status.state')),
    context,
  )
