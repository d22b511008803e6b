import { expect, test } from 'vitest'
import type { Merchant } from '../../contracts/client/merchant.ts'
import { createClock, stopwatch } from '../../simulator/clock.ts'
import { HOUR, MINUTE, SECOND } from '../../simulator/duration.ts'
import { seededChance } from '../support/chance.ts'
import { blikRequest } from '../support/payments.ts'
import { until } from '../support/poll.ts'
import { accountOf, merchantOf, type Running, runningSimulator } from '../support/running.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const DEMO = 'demo-merchant'
const [SHOPPERS, PURCHASES] = [4, 5]

/** A machine whose clock is put back, by minutes or an hour, and time that passes there at once. */
const restlessMachine = () => {
  const chance = seededChance(Number(process.env.ASSAY_LOT ?? 1))
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

/** Without signatures: those of a client follow its machine's clock wherever that goes. */
const opened = ({ clock }: Machine, dataDir = temporaryFolder()) =>
  runningSimulator({ layers: ['certificate', 'token'], settleAfter: 20, dataDir }, { clock })

/** One payment after the other up to the capture; the clock is put back in each. Their ids, in this order. */
const shopping = async ({ operator }: Running, merchant: Merchant, { putBack }: Machine): Promise<string[]> => {
  const bought: string[] = []
  const processingAccountId = accountOf(merchant)
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

/** All ids as search tells them, a few at a time, the newest first. */
const paged = async (merchant: Merchant, meanwhile: () => void): Promise<string[]> => {
  const ids: string[] = []
  for (let cursor = {}; ; ) {
    const { exchange, ...answer } = await merchant.search({ limit: 3, ...cursor })
    if (!answer.ok) throw new Error(`A search was answered with ${exchange.answer?.status}.`)
    ids.push(...answer.body.payments.map(({ transactionId }) => transactionId))
    if (answer.body.nextCursor === undefined) return ids
    cursor = { cursor: answer.body.nextCursor }
    meanwhile()
  }
}

test('R4, R5, D-111: a clock that is put back again and again under load loses no job, and payments keep their order', async () => {
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
    const entries = await until(
      () => timeline(transactionId),
      seen => seen.at(-1)?.lifecycle?.state === 'SETTLED',
    )
    const times = entries.map(({ at }) => at)
    expect(times).toEqual(times.toSorted())
  }
  const captured = await again.operator.inbox.list(DEMO, { type: 'PAYMENT_CAPTURE' }, 100)
  const once = bought.flat().flatMap(id => [id, id]) // told of the capture, and of its settlement
  expect(captured.map(({ sending }) => sending.transactionId).toSorted()).toEqual(once.toSorted())
})

test('5.3, D-111: a token ends after its two hours, however often the clock is put back meanwhile', async () => {
  const machine = restlessMachine()
  const simulator = await opened(machine)
  const merchant = merchantOf(simulator)
  const token = await merchant.tokenFor()
  const ask = async () => (await merchant.request('search', { json: {} }, { token })).answer?.status
  const passed = 2 * HOUR - MINUTE // whatever the test itself takes is less
  for (let part = 0; part < 4; part += 1) {
    machine.putBack()
    machine.pass(passed / 4)
    expect(await ask()).toBe(200)
  }
  machine.putBack()
  machine.pass(MINUTE + SECOND)
  expect(await ask()).toBe(401)
})
