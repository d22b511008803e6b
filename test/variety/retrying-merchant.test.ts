import { expect, onTestFinished, test } from 'vitest'
import { credentialsFromKit } from '../../contracts/client/credentials.ts'
import { createMerchant, type Merchant } from '../../contracts/client/merchant-client.ts'
import { BUSY_STATUSES } from '../../contracts/client/retry-policy.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { storeOptionFor } from '../support/open-test-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Number of data folders in parallel; the seeds of each run in sequence. */
const LANES = 5
const SEEDS_EACH = 10

/** Runs a payment from initiate to refund; returns the statuses and the final state. */
const wholePayment = async (merchant: Merchant, { controlPlane: operator, kit }: Simulator): Promise<string> => {
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
      ...(await storeOptionFor(dataDir)),
      dataDir,
      apiPort: 0,
      pagesPort: 0,
      variety: `${lane}-${turn}`,
    })
    const merchant = createMerchant(credentialsFromKit(simulator.kit), {
      retry: BUSY_STATUSES,
      now: () => simulator.controlPlane.now(simulator.kit.organizationId),
      onExchange: ({ response }) => BUSY_STATUSES.includes(response?.status ?? 0) && onHeld(),
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

test('7.1, 9: a merchant that retries as the contract allows completes its payment under every seed', async () => {
  let held = 0
  const onHeld = () => {
    held += 1
  }
  const lanes = Array.from({ length: LANES }, (_, lane) => playLane(lane, onHeld))
  const stories = (await Promise.all(lanes)).flat()
  expect(stories).toEqual(Array(LANES * SEEDS_EACH).fill('200,200,200,200,200 REFUNDED'))
  expect(held).toBeGreaterThan(5)
}, 90_000)

test('7.1: a merchant without retries gets 423 and 429', async () => {
  const dataDir = temporaryFolder()
  const simulator = await startSimulator({
    dataDir,
    ...(await storeOptionFor(dataDir)),
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
    const retryAfter = answer.exchange.response?.headers['retry-after']
    seen.set(answer.status, { reasonCode: answer.refusal?.statusInfo?.reasonCode, retryAfter })
  }
  expect(Object.fromEntries(seen)).toEqual({
    404: { reasonCode: '4001', retryAfter: undefined },
    423: { reasonCode: '5003', retryAfter: undefined },
    429: { reasonCode: '3000', retryAfter: '1' },
  })
})
