import { createMerchant } from '../../contracts/client/merchant.ts'
import { codePath } from '../../hosted-pages/blik/code-path.ts'
import { paths } from '../../hosted-pages/paths.ts'
import { startTestSimulator } from './simulator.ts'

const GOODS = 'Two tickets to the opera'
const PRICE = 12_999

/** A sandbox in which a shop sells opera tickets while the clock stands still: for pictures, and for measuring pages. */
export async function openShopScene() {
  const simulator = await startTestSimulator()
  const { operator, pagesUrl, kit } = simulator
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
    throw new Error(`The scene cannot be set: ${answer.refusal?.statusInfo?.message}`)
  }

  /** A payment pushed to the phone: its id, and the path of its code. */
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
    /** A code that no shop has used, by its path. */
    code: async () => codePath(await operator.shopper.createCode(organizationId, { phoneId })),
    pushed,
    /** A payment that went all the way, the clock moved on in between: its id. */
    settled: async () => {
      const { transactionId } = await pushed()
      await operator.clock.advance(organizationId, 12_000)
      await operator.shopper.act(organizationId, transactionId, 'approve')
      await merchant.finalize({ processingAccountId, transactionId })
      await operator.clock.drain(organizationId)
      await merchant.status(transactionId)
      return transactionId
    },
    /** A payment that waits for the choice of a bank: its id, and the path of its page. */
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

export type ShopScene = Awaited<ReturnType<typeof openShopScene>>
