import type { Exchange } from '../../client/http-exchange.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import type { ShopperOutcome } from '../drivers/shopper-driver-types.ts'
import { letShopper } from './create-payments.ts'
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
    const body = blikMandatePayment(account, '', payerId, type)
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
