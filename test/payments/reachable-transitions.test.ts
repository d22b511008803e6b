import { expect, test } from 'vitest'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { TRANSITIONS } from '../../simulator/payments/lifecycle.ts'
import { DAY } from '../../simulator/support/duration.ts'
import { authorizeBlik, createPaymentIn, startBlik, startIris } from '../support/create-test-payments.ts'
import { actionRequest, blikRequest, chargeRequest, passthroughMock } from '../support/payment-requests.ts'
import { openCore, type SimulatorCore } from '../support/simulator-core.ts'

type Row = (typeof TRANSITIONS)[number]

/** Name of a transition as the events of a payment show it: from, to and event type. */
const nameOf = ([from, , , to, event]: Row | readonly [string, '', '', string, string]) => `${from} → ${to} ${event}`

const walked = async (core: SimulatorCore, id: string): Promise<string[]> => {
  const { timeline } = (await core.events(id)).body
  return timeline.map((event: { type: string; lifecycle: { state: string } }, index: number) =>
    nameOf([timeline[index - 1]?.lifecycle.state ?? 'NEW', '', '', event.lifecycle.state, event.type]),
  )
}

const declined = async (core: SimulatorCore, operation: string, id: string): Promise<void> => {
  await core.arm({ operation, kind: 'decline', code: '3003' })
  await core.call(operation, actionRequest(id))
}

/** Captures a part, refunds some of it once it has settled (D-120), and goes on. */
const refundPart = async (core: SimulatorCore, amount: number | undefined, then: (id: string) => unknown) => {
  const id = await createPaymentIn(core, 'PARTIALLY_CAPTURED')
  core.pass(2_000)
  await core.call('refund', actionRequest(id, amount))
  await then(id)
  return id
}

/** Settlement after the end of the hold. */
const SLOW = { settleAfter: 8 * DAY }

// biome-ignore format: a table reads by its columns
const WALKS: readonly [string, (core: SimulatorCore) => Promise<string>, object?][] = [
  ['a wrong code',            async core => (await core.call('initiate', blikRequest('000000'))).body.transactionId],
  ['a shopper who declines',  core => createPaymentIn(core, 'DECLINED')],
  ['a shopper whose decline is shown as a cancel', core => createPaymentIn(core, 'DECLINED'), { choices: decisionChoices({ 'D-43': 'canceled' }) }],
  ['a shopper who is absent', async core => { const id = await startIris(core); core.pass(DAY); return id }],
  ['a cancel',                core => createPaymentIn(core, 'CANCELED')],
  ['a hold that passes',      core => createPaymentIn(core, 'EXPIRED')],
  ['a cancel while the shopper is asked', async core => {
    const id = await startBlik(core)
    await declined(core, 'cancel', id)
    await core.call('cancel', actionRequest(id))
    return id
  }],
  ['a cancel after the consent', async core => {
    const id = await createPaymentIn(core, 'AUTHENTICATED')
    await declined(core, 'cancel', id)
    await core.call('cancel', actionRequest(id))
    return id
  }],
  ['a consent that nobody finalizes', async core => {
    const id = await createPaymentIn(core, 'AUTHENTICATED')
    core.pass(DAY)
    return id
  }],
  ['a refund of a settled part, up to the end of the hold', core => refundPart(core, 100, () => core.pass(7 * DAY))],
  ['a refund of the whole settled part', core => refundPart(core, undefined, () => core.pass(7 * DAY))],
  ['refunds that are accepted first', core => refundPart(core, 100, async id => {
    core.pass(2_000)
    await core.call('capture', actionRequest(id))
    await core.call('refund', actionRequest(id, 100))
    await declined(core, 'refund', id)
    core.pass(2_000)
  }), { choices: decisionChoices({ 'D-41': 'accepted-first' }) }],
  ['refunds between the last capture and its settlement', core => refundPart(core, 100, async id => {
    await declined(core, 'refund', id)
    await core.call('capture', actionRequest(id))
    await core.call('refund', actionRequest(id, 100))
    core.pass(2_000)
  })],
  ['one capture, one refund', core => createPaymentIn(core, 'REFUNDED')],
  ['many captures and refunds', async core => {
    const id = await createPaymentIn(core, 'PARTIALLY_CAPTURED')
    core.pass(2_000)
    await core.call('capture', actionRequest(id, 100))
    core.pass(1)
    await core.call('capture', actionRequest(id))
    core.pass(2_000)
    for (const amount of [1, 1, undefined]) await core.call('refund', actionRequest(id, amount))
    return id
  }],
  ['a hold that passes after a settled part', async core => {
    const id = await createPaymentIn(core, 'PARTIALLY_CAPTURED')
    core.pass(7 * DAY)
    return id
  }],
  ['a hold that passes before a part settles', async core => {
    const id = await authorizeBlik(core)
    await core.call('capture', actionRequest(id, 400))
    core.pass(9 * DAY)
    return id
  }, SLOW],
  ['a mock without a shopper', async core => { await core.call('mockSet', passthroughMock('OK', { type: 'MOCK' })); return (await core.call('initiate', blikRequest('000000'))).body.transactionId }],
  ['refunds that overlap', async core => {
    await core.call('mockSet', passthroughMock('REFUND_APPROVED_LATER'))
    const id = await createPaymentIn(core, 'SETTLED')
    await core.call('refund', actionRequest(id, 300))
    core.pass(DAY - 10_000)
    await core.call('refund', actionRequest(id, 200))
    await core.call('mockSet', passthroughMock('REFUND_APPROVED_LATER'))
    core.pass(10_000)
    await core.call('refund', actionRequest(id, 100))
    core.pass(DAY)
    return id
  }],
  ['a dispute that is lost', async core => { await core.call('mockSet', passthroughMock('DISPUTE_LOST')); const id = await createPaymentIn(core, 'SETTLED'); core.pass(90 * DAY); return id }],
  ['a dispute that is won',  async core => { await core.call('mockSet', passthroughMock('DISPUTE_WON')); const id = await createPaymentIn(core, 'SETTLED'); core.pass(90 * DAY); return id }],
  ['a shop that is only kept', core => createPaymentIn(core, 'TOKENIZED')],
  ['a charge',                 async core => { await createPaymentIn(core, 'TOKENIZED'); return (await core.call('charge', chargeRequest())).body.transactionId }],
  ['a provider that declines finalize', async core => {
    const id = await createPaymentIn(core, 'AUTHENTICATED')
    await declined(core, 'finalize', id)
    return id
  }],
  ['a provider that declines act after act', async core => {
    const id = await createPaymentIn(core, 'AUTHORIZED')
    for (const operation of ['cancel', 'capture']) await declined(core, operation, id)
    await core.call('capture', actionRequest(id, 400))
    await declined(core, 'capture', id)
    await core.call('capture', actionRequest(id))
    core.pass(2_000)
    await declined(core, 'refund', id)
    await core.call('refund', actionRequest(id, 400))
    await declined(core, 'refund', id)
    return id
  }],
  ['autoCapture', async core => {
    const id = await startBlik(core)
    await core.decide(id, 'approve')
    await core.call('finalize', actionRequest(id))
    return id
  }],
]

test('R1 to R7: calls, shoppers and the clock reach every transition of the table and no other', async () => {
  const rows = [...new Set(TRANSITIONS.map(nameOf))]
  const seen = new Set<string>()
  for (const [, walk, rules] of WALKS) {
    const core = await openCore(rules)
    const id = await walk(core)
    for (const name of await walked(core, id)) seen.add(name)
  }
  expect([...seen].sort()).toEqual(rows.sort())
})
