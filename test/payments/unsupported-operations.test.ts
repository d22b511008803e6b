import { describe, expect, test } from 'vitest'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { CAPABILITIES } from '../../contracts/protocol/providers-and-capabilities.ts'
import { capture } from '../../simulator/operations/capture.ts'
import type { PaymentOperationContext } from '../../simulator/operations/operation-types.ts'
import { refund } from '../../simulator/operations/refund.ts'
import { createCapabilityCheck } from '../../simulator/payments/capability-check.ts'
import type { CaptureOrRefund, Payment } from '../../simulator/payments/payment.ts'
import { createProviderCall } from '../../simulator/providers/call-provider-with-faults.ts'
import { createIds } from '../../simulator/support/ids.ts'
import { actionRequest } from '../support/payment-requests.ts'

const MOVEMENT: CaptureOrRefund = { transactionId: 'm', clientTransactionId: 'm', amount: 400, at: 0 }

const supports = createCapabilityCheck({})
const on = (providerId: 'BLIK' | 'IRIS') => ({ processingAccountId: 'a', providerId })

/** Context of an IRIS payment in states that its calls never reach, since finalize captures it. */
const iris = (more: Partial<Payment>): PaymentOperationContext =>
  ({
    now: 1,
    supports,
    ids: createIds(),
    callProvider: createProviderCall([], { answer: () => undefined, fault: undefined }).ask,
    rules: { settleAfter: 1, irisValidity: 1_800_000, showLifecycle: true, choices: decisionChoices() },
    events: [],
    payment: { providerId: 'IRIS', createdAt: 0, amount: 1000, captured: 0, captures: [], refunds: [], ...more },
  }) as unknown as PaymentOperationContext

const UNSUPPORTED = expect.objectContaining({ refusal: 'OPERATION_UNSUPPORTED' })

describe('7.1: operations that a method does not support are refused with 501 by the table of capabilities', () => {
  test('BLIK supports all but incremental authorization, IRIS one refund', () => {
    const names = Object.keys(CAPABILITIES) as (keyof typeof CAPABILITIES)[]
    expect(names.filter(name => !supports(on('BLIK'), name))).toEqual(['incrementalAuthorization'])
    expect(names.filter(name => supports(on('IRIS'), name))).toEqual(['refund', 'partialRefund'])
  })

  test('IRIS supports only one capture, of the full amount', () => {
    const authorized = iris({ state: 'AUTHORIZED' })
    expect(() => capture(actionRequest('t', 400) as never, authorized)).toThrow(UNSUPPORTED)
    expect(capture(actionRequest('t', 1000) as never, authorized).change?.payment).toMatchObject({ state: 'CAPTURED' })
    const partly = iris({ state: 'PARTIALLY_CAPTURED', captured: 400, captures: [MOVEMENT] })
    expect(() => capture(actionRequest('t') as never, partly)).toThrow(UNSUPPORTED)
  })

  test('R5: state and amount are checked before capabilities', () => {
    const NOT_ALLOWED = expect.objectContaining({ refusal: 'TRANSITION_NOT_ALLOWED' })
    expect(() => capture(actionRequest('t', 1) as never, iris({ state: 'DECLINED' }))).toThrow(NOT_ALLOWED)
    expect(() => capture(actionRequest('t', 1001) as never, iris({ state: 'AUTHORIZED' }))).toThrow(NOT_ALLOWED)
    const refunded = iris({ state: 'PARTIALLY_REFUNDED', settled: 1000, refunded: 400, refunds: [MOVEMENT] })
    expect(() => refund(actionRequest('t', 601) as never, refunded)).toThrow(NOT_ALLOWED)
    expect(() => refund(actionRequest('t', 600) as never, refunded)).toThrow(UNSUPPORTED)
  })
})
