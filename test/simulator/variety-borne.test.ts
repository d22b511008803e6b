import { expect, onTestFinished, test } from 'vitest'
import { credentialsFromKit } from '../../contracts/client/credentials.ts'
import { createMerchant, type Merchant } from '../../contracts/client/merchant.ts'
import { WORTH_RETRYING } from '../../contracts/client/patience.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { storeFor } from '../support/open-test-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Seeds are tried on so many folders at once, one after the other in each. */
const LANES = 5
const SEEDS_EACH = 10

/** All that a merchant does about one payment; every step must be served in the end. */
const wholePayment = async (merchant: Merchant, { operator, kit }: Simulator): Promise<string> => {
  const [processingAccountId = ''] = kit.processingAccountIds
  const { code } = await operator.shopper.createCode(kit.organizationId)
  const started = await merchant.initiate({
    processingAccountId,
    clientTransactionId: 'order',
    transactionType: 'ONE_TIME',
    paymentDetails: { amount: 1000, currency: 'PLN', country: 'PL', description: 'Honey', autoCapture: false },
    providerDetails: { providerId: 'BLIK' },
    payerDetails: { oneTimeCode: code },
  })
  if (!started.ok) throw new Error(`initiate: ${started.status}`)
  const { transactionId } = started.body
  await operator.shopper.act(kit.organizationId, transactionId, 'approve')
  const act = { processingAccountId, transactionId, clientTransactionId: 'act' }
  const finalized = await merchant.finalize({ processingAccountId, transactionId })
  const captured = await merchant.capture({ ...act, paymentDetails: { amount: 1000 } })
  await operator.clock.advance(kit.organizationId, 10_000)
  const refunded = await merchant.refund({ ...act, paymentDetails: { description: 'It broke' } })
  const events = await merchant.events(transactionId)
  const status = await merchant.status(transactionId)
  const steps = [finalized, captured, refunded, events, status].map(answer => answer.status)
  return `${steps.join()} ${status.ok ? status.body.lifecycle?.state : ''}`
}

const playLane = async (lane: number, onHeld: () => void): Promise<string[]> => {
  const dataDir = temporaryFolder()
  const stories: string[] = []
  for (let turn = 0; turn < SEEDS_EACH; turn += 1) {
    const simulator = await startSimulator({
      ...(await storeFor(dataDir)),
      dataDir,
      apiPort: 0,
      pagesPort: 0,
      variety: `${lane}-${turn}`,
    })
    const merchant = createMerchant(credentialsFromKit(simulator.kit), {
      retry: WORTH_RETRYING,
      now: () => simulator.operator.now(simulator.kit.organizationId),
      onExchange: ({ answer }) => WORTH_RETRYING.includes(answer?.status ?? 0) && onHeld(),
    })
    try {
      stories.push(await wholePayment(merchant, simulator))
    } finally {
      merchant.close()
      await simulator.close()
    }
  }
  return stories
}

test('7.1, 9: a merchant that bears what the contract allows gets its payment through under every seed', async () => {
  let held = 0
  const onHeld = () => {
    held += 1
  }
  const lanes = Array.from({ length: LANES }, (_, lane) => playLane(lane, onHeld))
  const stories = (await Promise.all(lanes)).flat()
  expect(stories).toEqual(Array(LANES * SEEDS_EACH).fill('200,200,200,200,200 REFUNDED'))
  expect(held).toBeGreaterThan(5)
}, 90_000)

test('7.1: a merchant without patience is told of what it was asked to retry', async () => {
  const dataDir = temporaryFolder()
  const simulator = await startSimulator({
    dataDir,
    ...(await storeFor(dataDir)),
    apiPort: 0,
    pagesPort: 0,
    variety: '4711',
  })
  onTestFinished(() => simulator.close())
  const merchant = createMerchant(credentialsFromKit(simulator.kit))
  onTestFinished(() => merchant.close())
  const seen = new Map<number, { reasonCode: unknown; retryAfter: string | undefined }>()
  for (let call = 0; call < 150; call += 1) {
    const answer = await merchant.cancel({
      processingAccountId: simulator.kit.processingAccountIds[0] ?? '',
      clientTransactionId: 'act',
      transactionId: 'nobody',
    })
    if (answer.ok) throw new Error('a payment that is not there was canceled')
    const retryAfter = answer.exchange.answer?.headers['retry-after']
    seen.set(answer.status, { reasonCode: answer.refusal?.statusInfo?.reasonCode, retryAfter })
  }
  expect(Object.fromEntries(seen)).toEqual({
    404: { reasonCode: '4001', retryAfter: undefined },
    423: { reasonCode: '5003', retryAfter: undefined },
    429: { reasonCode: '3000', retryAfter: '1' },
  })
})
