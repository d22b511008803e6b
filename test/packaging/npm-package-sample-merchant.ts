// Sample merchant program that makes a payment with the npm package; run and type-checked against the packed tarball.
import { startSimulator } from '@assay-sandbox/assay'
import { createMerchant, credentialsFromKit, RETRYABLE_STATUSES } from '@assay-sandbox/assay/merchant'
import { connectSandbox } from '@assay-sandbox/assay/sandbox'

const simulator = await startSimulator({ settleAfter: 1_000 })
const { blik, clock, kit } = await connectSandbox({ url: simulator.pagesUrl }).create()
const merchant = createMerchant(credentialsFromKit(kit), { retry: RETRYABLE_STATUSES })
const [processingAccountId = ''] = kit.processingAccountIds

const begun = await merchant.initiate({
  processingAccountId,
  clientTransactionId: 'order-1',
  transactionType: 'ONE_TIME',
  paymentDetails: { amount: 1999, currency: 'PLN', country: 'PL', description: 'A first payment' },
  providerDetails: { providerId: 'BLIK' },
  payerDetails: { oneTimeCode: await blik.code() },
})
if (!begun.ok) throw new Error(begun.refusal?.statusInfo?.message)
const transactionId: string = await blik.approve(begun.body.transactionId)
await merchant.finalize({ processingAccountId, transactionId })
await clock.drain()
const status = await merchant.status(transactionId)
console.log(status.ok ? status.body.lifecycle?.state : status.refusal)
merchant.close()
await simulator.close()
