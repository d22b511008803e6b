import { expect, test } from 'vitest'
import { organizationControl } from '../support/control-client.ts'
import {
  firstAccountOf,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'
import { createShopVisitor, stateIn } from './shop-visitor.ts'

/** Pays an order of the demo shop by BLIK and has a part of it paid back by a call of the API. */
const payBackPart = async (simulator: ScopedSimulator) => {
  const control = organizationControl(simulator)
  const visitor = createShopVisitor(simulator)
  const { path, order } = await visitor.checkout(await visitor.open())
  const { code } = (await control.post('blik/codes')).body
  const { location } = await visitor.post(path, { method: 'BLIK', order, code })
  const [{ transactionId, amount }] = (await control.get('payments')).body.payments
  await control.post(`payments/${transactionId}/shopper`, { action: 'approve' })
  await visitor.orderIn(location, 'paid')
  await control.advance('PT1H')
  const merchant = merchantOf(simulator)
  const payBack = async (minorUnits: number, clientTransactionId: string) => {
    const paymentDetails = { amount: minorUnits, description: 'Part' }
    const request = {
      processingAccountId: firstAccountOf(merchant),
      clientTransactionId,
      transactionId,
      paymentDetails,
    }
    const done = await merchant.refund(request)
    expect(done.ok && done.body.status).toBe('APPROVED')
  }
  await payBack(500, 'part-1')
  return { visitor, location, amount, transactionId, payBack }
}

const refundedOf = async (simulator: ScopedSimulator, transactionId: string) => {
  const read = await merchantOf(simulator).events(transactionId)
  return read.ok ? read.body.paymentDetails.refundedAmount : undefined
}

test('an order of which a part was paid back is still paid, and the rest can be sent back', async () => {
  const simulator = await startScopedSimulator()
  const { visitor, location, transactionId, amount } = await payBackPart(simulator)
  const back = `${location}?from=bank`
  expect(stateIn(await visitor.visit(back))).toBe('paid')
  expect((await visitor.visit(location)).text).toContain('data-testid="shop-refund"')
  await visitor.post(`${location}/refund`, {})
  expect(stateIn(await visitor.visit(location))).toBe('refunded')
  expect(await refundedOf(simulator, transactionId)).toBe(amount)
})

test('an order of which a part was paid back is still paid after a restart, and refunded once the rest is', async () => {
  const first = await startScopedSimulator()
  const { location } = await payBackPart(first)
  await first.stop()
  const second = await startScopedSimulator({ dataDir: first.dataDir })
  const again = createShopVisitor(second)
  await again.open()
  expect(stateIn(await again.visit(location))).toBe('paid')
  await again.post(`${location}/refund`, {})
  expect(stateIn(await again.visit(location))).toBe('refunded')
})

test('an order of which all was paid back in parts, elsewhere, is refunded', async () => {
  const simulator = await startScopedSimulator()
  const { visitor, location, amount, payBack } = await payBackPart(simulator)
  await payBack(amount - 500, 'part-2')
  expect(stateIn(await visitor.visit(`${location}?from=bank`))).toBe('refunded')
})
