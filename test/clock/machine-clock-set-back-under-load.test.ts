import { expect, test } from 'vitest'
import type { Merchant } from '../../contracts/client/merchant-client.ts'
import { createClock, stopwatch } from '../../simulator/support/clock.ts'
import { HOUR, MINUTE, SECOND } from '../../simulator/support/duration.ts'
import { blikRequest } from '../support/payment-requests.ts'
import { pollUntil } from '../support/poll-until.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import {
  firstAccountOf,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

const DEMO = 'demo-merchant'
const [SHOPPERS, PURCHASES] = [4, 5]

/** A clock whose machine time can be set back by a random amount, and moved on. */
const restlessMachine = () => {
  const chance = seededRandom(1)
  const elapsed = stopwatch()
  let [ahead, passed] = [0, 0]
  return {
    clock: createClock(
      () => Date.now() + ahead,
      () => elapsed() + passed,
    ),
    putBack: () => {
      ahead -= MINUTE + chance.below(HOUR)
    },
    pass: (milliseconds: number) => {
      ahead += milliseconds
      passed += milliseconds
    },
  }
}
type Machine = ReturnType<typeof restlessMachine>

/** Starts a simulator without the signature layer, since a client's signatures follow the machine's clock. */
const opened = ({ clock }: Machine, dataDir = temporaryFolder()) =>
  startScopedSimulator({ layers: ['certificate', 'token'], settleAfter: 20, dataDir }, { clock })

/** Makes captured payments in sequence, setting the clock back in each; returns their ids in order. */
const shopping = async (
  { controlPlane: operator }: ScopedSimulator,
  merchant: Merchant,
  { putBack }: Machine,
): Promise<string[]> => {
  const bought: string[] = []
  const processingAccountId = firstAccountOf(merchant)
  for (let count = 0; count < PURCHASES; count += 1) {
    const { code } = await operator.shopper.createCode(DEMO)
    const begun = await merchant.initiate({ ...blikRequest(code), processingAccountId })
    putBack()
    const { transactionId } = begun.ok ? begun.body : { transactionId: '' }
    await operator.shopper.act(DEMO, transactionId, 'approve')
    const finalized = await merchant.finalize({ processingAccountId, transactionId })
    expect([begun.status, finalized.status]).toEqual([200, 200])
    bought.push(transactionId)
  }
  return bought
}

/** Ids of all payments by paged searches, newest first. */
const paged = async (merchant: Merchant, meanwhile: () => void): Promise<string[]> => {
  const ids: string[] = []
  for (let cursor = {}; ; ) {
    const { exchange, ...answer } = await merchant.search({ limit: 3, ...cursor })
    if (!answer.ok) throw new Error(`A search was answered with ${exchange.response?.status}.`)
    ids.push(...answer.body.payments.map(({ transactionId }) => transactionId))
    if (answer.body.nextCursor === undefined) return ids
    cursor = { cursor: answer.body.nextCursor }
    meanwhile()
  }
}

test('R4, R5, D-111: setting the clock back repeatedly under load loses no job and keeps the order of payments', async () => {
  const machine = restlessMachine()
  const simulator = await opened(machine)
  const merchant = merchantOf(simulator)
  const bought = await Promise.all(Array.from({ length: SHOPPERS }, () => shopping(simulator, merchant, machine)))

  const told = await paged(merchant, machine.putBack)
  expect(told.toSorted()).toEqual(bought.flat().toSorted())
  for (const one of bought) expect(told.filter(id => one.includes(id)).toReversed()).toEqual(one)

  await simulator.stop()
  machine.putBack()
  const again = await opened(machine, simulator.dataDir)
  const later = merchantOf(again)
  const timeline = async (transactionId: string) => {
    const answer = await later.events(transactionId)
    return (answer.ok && answer.body.timeline) || []
  }
  for (const transactionId of bought.flat()) {
    const entries = await pollUntil(
      () => timeline(transactionId),
      seen => seen.at(-1)?.lifecycle?.state === 'SETTLED',
    )
    const times = entries.map(({ at }) => at)
    expect(times).toEqual(times.toSorted())
  }
  const captured = await again.controlPlane.inbox.list(DEMO, { type: 'PAYMENT_CAPTURE' }, 100)
  expect(captured.map(({ message: sending }) => sending.transactionId).toSorted()).toEqual(bought.flat().toSorted())
})

test('5.3, D-111: a token expires after two hours, however often the clock is set back', async () => {
  const machine = restlessMachine()
  const simulator = await opened(machine)
  const merchant = merchantOf(simulator)
  const token = await merchant.tokenFor()
  const ask = async () => (await merchant.request('search', { json: {} }, { token })).response?.status
  const passed = 2 * HOUR - MINUTE // the test itself takes less than the minute
  for (let part = 0; part < 4; part += 1) {
    machine.putBack()
    machine.pass(passed / 4)
    expect(await ask()).toBe(200)
  }
  machine.putBack()
  machine.pass(MINUTE + SECOND)
  expect(await ask()).toBe(401)
})
