import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { codePath } from '../../hosted-pages/blik/code-stage-and-screen-paths.ts'
import { paths } from '../../hosted-pages/shopper-paths.ts'
import { startTestSimulator } from './caller-stopped-simulator.ts'

const GOODS = 'Two tickets to the opera'
const PRICE = 12_999

/**
 * Opens a sandbox with a frozen clock for screenshots and page measurements, with functions that create the codes and
 * payments to show.
 */
export async function openScreenshotSandbox() {
  const simulator = await startTestSimulator()
  const { controlPlane: operator, pagesUrl, kit } = simulator
  const { organizationId } = kit
  const merchant = createMerchant(simulator.credentials)
  const [processingAccountId = ''] = kit.processingAccountIds
  await operator.clock.freeze(organizationId, true)
  const { phoneId } = await operator.phones.create(organizationId, operator.phones.banks[0].id)
  let orders = 0

  const order = () => {
    orders += 1
    const transactionType = 'ONE_TIME' as const
    return { processingAccountId, clientTransactionId: `opera-${orders}`, transactionType }
  }
  const started = async (asked: ReturnType<typeof merchant.initiate>) => {
    const answer = await asked
    if (answer.ok) return answer.body
    throw new Error(`The payment cannot be initiated: ${answer.refusal?.statusInfo?.message}`)
  }

  /** Initiates a BLIK payment; returns its id and the path of the code's page. */
  const pushed = async () => {
    const code = await operator.shopper.createCode(organizationId, { phoneId })
    const { transactionId } = await started(
      merchant.initiate({
        ...order(),
        paymentDetails: { amount: PRICE, currency: 'PLN', country: 'PL', description: GOODS },
        providerDetails: { providerId: 'BLIK' },
        payerDetails: { oneTimeCode: code.code },
      }),
    )
    return { transactionId, path: codePath(code) }
  }

  return {
    pagesUrl,
    organizationId,
    processingAccountId,
    operator,
    merchant,
    phone: paths.phone(organizationId, phoneId),
    /** Creates an unused BLIK code; returns the path of its page. */
    code: async () => codePath(await operator.shopper.createCode(organizationId, { phoneId })),
    pushed,
    /** Creates a settled BLIK payment, moving the clock on; returns its id. */
    settled: async () => {
      const { transactionId } = await pushed()
      await operator.clock.advance(organizationId, 12_000)
      await operator.shopper.act(organizationId, transactionId, 'approve')
      await merchant.finalize({ processingAccountId, transactionId })
      await operator.clock.drain(organizationId)
      await merchant.status(transactionId)
      return transactionId
    },
    /** Initiates an IRIS payment that waits for the choice of a bank; returns its id and the path of its page. */
    redirected: async () => {
      const { transactionId, providerDetails } = await started(
        merchant.initiate({
          ...order(),
          returnUrl: `${pagesUrl}/`,
          paymentDetails: { amount: PRICE, currency: 'EUR', country: 'GR', description: GOODS },
          providerDetails: { providerId: 'IRIS' },
          payerDetails: { payerId: 'opera-lover' },
        }),
      )
      return { transactionId, path: new URL(providerDetails.redirectUrl ?? '', pagesUrl).pathname }
    },
    close: async () => {
      await merchant.close()
      await simulator.stop()
    },
  }
}

export type ScreenshotSandbox = Awaited<ReturnType<typeof openScreenshotSandbox>>
