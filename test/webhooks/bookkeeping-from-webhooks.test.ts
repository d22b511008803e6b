import { expect, test } from 'vitest'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { DAY } from '../../simulator/support/duration.ts'
import { createPaymentIn } from '../support/create-test-payments.ts'
import { actionRequest, passthroughMock } from '../support/payment-requests.ts'
import type { SimulatorCore } from '../support/simulator-core.ts'
import { openWebhookCore, type WebhookCore } from './simulator-core-with-webhooks.ts'

type Chosen = Parameters<typeof decisionChoices>[0]

const declined = async (core: SimulatorCore, operation: string, id: string) => {
  await core.arm({ operation, kind: 'decline', code: '3003' })
  await core.call(operation, actionRequest(id))
}

/** Payments whose money moves in every way: the walk, and the decisions that it needs. */
const WALKS: readonly (readonly [string, (core: WebhookCore) => Promise<string>, Chosen])[] = [
  ['captured, settled and refunded at once', core => createPaymentIn(core, 'REFUNDED'), {}],
  [
    'in parts, the rest released',
    async core => {
      const id = await createPaymentIn(core, 'PARTIALLY_CAPTURED')
      await core.call('capture', actionRequest(id, 100))
      core.pass(2_000)
      await core.call('refund', actionRequest(id, 50))
      core.pass(7 * DAY)
      await core.call('refund', actionRequest(id))
      return id
    },
    {},
  ],
  [
    'with declines on the way',
    async core => {
      const id = await createPaymentIn(core, 'AUTHORIZED')
      for (const operation of ['cancel', 'capture']) await declined(core, operation, id)
      await core.call('capture', actionRequest(id))
      core.pass(2_000)
      await declined(core, 'refund', id)
      await core.call('refund', actionRequest(id, 300))
      return id
    },
    {},
  ],
  [
    'refunds that are accepted first',
    async core => {
      const id = await createPaymentIn(core, 'SETTLED')
      await core.call('refund', actionRequest(id, 300))
      core.pass(2_000)
      await core.call('refund', actionRequest(id))
      core.pass(2_000)
      return id
    },
    { 'D-41': 'accepted-first' },
  ],
  [
    'a dispute that is lost',
    async core => {
      await core.call('mockSet', passthroughMock('DISPUTE_LOST'))
      const id = await createPaymentIn(core, 'SETTLED')
      core.pass(90 * DAY)
      return id
    },
    {},
  ],
]

/** A shop that books every amount of a webhook unless it is DECLINED, and ships at each approved finalize. */
const bookAll = (notifications: readonly { body: WebhookBody }[]) => {
  const booked = { captured: 0, refunded: 0, shipped: 0, dropped: 0 }
  for (const { body } of notifications) {
    const { notificationType, status, amount = 0 } = body
    if (notificationType === 'PAYMENT_FINALIZE') {
      if (status === 'APPROVED') booked.shipped += 1
      if (status === 'DECLINED') booked.dropped += 1
    } else if (status !== 'DECLINED') booked[notificationType === 'PAYMENT_CAPTURE' ? 'captured' : 'refunded'] += amount
  }
  return booked
}
type WebhookBody = { notificationType: string; status: string; amount?: number }

const walk = async (go: (core: WebhookCore) => Promise<string>, chosen: Chosen) => {
  const core = await openWebhookCore({ choices: decisionChoices(chosen) })
  const id = await go(core)
  const {
    capturedAmount: captured,
    refundedAmount: refunded,
    captures,
    refunds,
  } = (await core.events(id)).body.paymentDetails
  return {
    told: await core.told(),
    wanted: { captured, refunded, shipped: 1, dropped: 0 },
    steps: [...captures, ...refunds],
  }
}

test.each(WALKS)('D-99, D-116: who books each webhook books right: %s', async (_name, go, chosen) => {
  const { told, wanted } = await walk(go, chosen)
  expect(bookAll(told)).toEqual(wanted)
})

test('D-116: who books every event books twice', async () => {
  const booked = WALKS.map(async ([, go, chosen]) => {
    const { told, wanted } = await walk(go, { ...chosen, 'D-99': 'initiate', 'D-116': 'every-event' })
    const { captured, refunded, shipped, dropped } = bookAll(told)
    return captured > wanted.captured || refunded > wanted.refunded || shipped > 1 || dropped > 0
  })
  expect(await Promise.all(booked)).not.toContain(false)
})

test.each(WALKS)(
  'D-99: each capture and refund is named once, by its id and reference: %s',
  async (_name, go, chosen) => {
    const { told, steps } = await walk(go, chosen)
    const named = told.flatMap(({ body }) => body.capture ?? body.refund ?? [])
    const listed = steps.map(({ transactionId, clientTransactionId }) => ({ transactionId, clientTransactionId }))
    expect(named.sort(byId)).toEqual(listed.sort(byId))
    for (const { body } of told)
      if (body.capture || body.refund) expect(body.amount).toBe(steps.find(isNamedIn(body))?.paymentDetails.amount)
  },
)

type Named = { transactionId: string }
const byId = (one: Named, other: Named): number => one.transactionId.localeCompare(other.transactionId)
const isNamedIn =
  ({ capture, refund }: { capture?: Named; refund?: Named }) =>
  ({ transactionId }: Named): boolean =>
    transactionId === (capture ?? refund)?.transactionId
