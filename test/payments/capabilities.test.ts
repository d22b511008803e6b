import { describe, expect, test } from 'vitest'
import { createIds } from '../../simulator/ids.ts'
import { capture } from '../../simulator/operations/capture.ts'
import type { PaymentContext } from '../../simulator/operations/operation.ts'
import { refund } from '../../simulator/operations/refund.ts'
import { CAPABILITIES, supportsOn } from '../../simulator/payments/capabilities.ts'
import type { Movement, Payment } from '../../simulator/payments/payment.ts'
import { askUnder } from '../../simulator/providers/asking.ts'
import { act } from '../support/payments.ts'

const MOVEMENT: Movement = { transactionId: 'm', clientTransactionId: 'm', amount: 400, at: 0 }

const supports = supportsOn({})
const on = (providerId: 'BLIK' | 'IRIS') => ({ processingAccountId: 'a', providerId })

/** An IRIS payment in a state that its own calls do not lead to, because it captures with finalize. */
const iris = (more: Partial<Payment>): PaymentContext =>
  ({
    now: 1,
    supports,
    ids: createIds(),
    ask: askUnder([], { answer: () => undefined, fault: undefined }).ask,
    rules: { settleAfter: 1, irisValidity: 1_800_000, showLifecycle: true },
    events: [],
    payment: { providerId: 'IRIS', createdAt: 0, amount: 1000, captured: 0, captures: [], refunds: [], ...more },
  }) as unknown as PaymentContext

const UNSUPPORTED = expect.objectContaining({ refusal: 'OPERATION_UNSUPPORTED' })

describe('7.1: what a method does not support is 501, decided by the table alone', () => {
  test('BLIK does all but raise an authorization, IRIS refunds once', () => {
    const names = Object.keys(CAPABILITIES) as (keyof typeof CAPABILITIES)[]
    expect(names.filter(name => !supports(on('BLIK'), name))).toEqual(['incrementalAuthorization'])
    expect(names.filter(name => supports(on('IRIS'), name))).toEqual(['refund', 'partialRefund'])
  })

  test('IRIS captures in full and once', () => {
    const authorized = iris({ state: 'AUTHORIZED' })
    expect(() => capture(act('t', 400) as never, authorized)).toThrow(UNSUPPORTED)
    expect(capture(act('t', 1000) as never, authorized).change?.payment).toMatchObject({ state: 'CAPTURED' })
    const partly = iris({ state: 'PARTIALLY_CAPTURED', captured: 400, captures: [MOVEMENT] })
    expect(() => capture(act('t') as never, partly)).toThrow(UNSUPPORTED)
  })

  test('R5: the life cycle and the sum are judged before the method', () => {
    const NOT_ALLOWED = expect.objectContaining({ refusal: 'TRANSITION_NOT_ALLOWED' })
    expect(() => capture(act('t', 1) as never, iris({ state: 'DECLINED' }))).toThrow(NOT_ALLOWED)
    expect(() => capture(act('t', 1001) as never, iris({ state: 'AUTHORIZED' }))).toThrow(NOT_ALLOWED)
    const refunded = iris({ state: 'PARTIALLY_REFUNDED', settled: 1000, refunded: 400, refunds: [MOVEMENT] })
    expect(() => refund(act('t', 601) as never, refunded)).toThrow(NOT_ALLOWED)
    expect(() => refund(act('t', 600) as never, refunded)).toThrow(UNSUPPORTED)
  })
})
