import { PROVIDER_OPERATIONS } from '../../../contracts/operations.ts'
import { PROVIDER_CODES } from '../../../contracts/protocol/provider-codes.ts'
import { TRANSACTION_TYPES } from '../../../contracts/protocol/providers-and-capabilities.ts'
import { DELIVERY_DEVIATIONS, type DeliveryRule } from '../../payments/delivery-plan-rule.ts'
import { STATES } from '../../payments/lifecycle.ts'
import { NOTIFICATION_TYPES } from '../../payments/notification-types.ts'
import type {
  AcceptedRefundOutcome,
  CaptureOrRefund,
  Payment,
  PaymentEvent,
  Phone,
  ProviderRecord,
  ScriptedOutcome,
  StatusInfo,
} from '../../payments/payment.ts'
import { FAULTS, type Fault } from '../../providers/fault-kinds.ts'
import {
  MOCK_KEY_TYPES,
  MOCK_TYPES,
  type Mock,
  type MockData,
  type MockOverrides,
  type MockStep,
  type StepFault,
} from '../../providers/provider-mock.ts'
import type { ClockMove, ShopperClick } from '../shopper-click-and-clock-move-store.ts'
import { anyOf, count, flag, listOf, mapOf, objectOf, oneOf, text } from './json-schema-builders.ts'

/** Greatest valid instant or duration, in milliseconds: beyond any clock, yet the sum of two is still a valid date. */
const MAX_MILLISECONDS = 1e15

export const instant = { ...count, maximum: MAX_MILLISECONDS }
export const duration = instant
/** JSON schema of a time in a mock: any that a JavaScript Date can hold. */
const date = { type: 'integer', minimum: -8.64e15, maximum: 8.64e15 }
export const provider = oneOf(PROVIDER_CODES.map(row => row.provider))
export const providerCall = oneOf(PROVIDER_OPERATIONS)
/**
 * JSON schema of the store column `used_steps`: names of the steps for which a oneTime mock is used, each followed by a
 * space.
 */
export const usedSteps = { ...text, pattern: `^((${PROVIDER_OPERATIONS.join('|')}) )*$` }
export const state = oneOf(Object.keys(STATES))
const CODES = PROVIDER_CODES.map(row => row.code)
const code = oneOf(CODES)
const kind = oneOf(FAULTS.map(row => row.kind))
const done = oneOf(FAULTS.flatMap(row => row.done ?? []))
const mocking = oneOf(MOCK_TYPES)

const STATUS_INFO = objectOf<StatusInfo>({ reasonCode: text, message: text })
const AFTER = objectOf<{ after: number }>({ after: duration })
export const DO = { do: oneOf(DELIVERY_DEVIATIONS) }
export const ON_AND_AFTER = { on: oneOf(NOTIFICATION_TYPES), after: duration }

const LATER = objectOf<AcceptedRefundOutcome>(
  { outcome: oneOf(['approved', 'declined']), after: duration },
  { statusInfo: STATUS_INFO },
)

const CAPTURE_OR_REFUND = objectOf<CaptureOrRefund>(
  { transactionId: text, clientTransactionId: text, amount: count, at: instant },
  {
    description: text,
    settled: flag,
    declined: oneOf([...CODES, true]),
    statusInfo: STATUS_INFO,
    provider: objectOf<NonNullable<CaptureOrRefund['provider']>>({ providerTransactionId: text, registeredAt: date }),
    accepted: anyOf(LATER, oneOf([true])),
  },
)

const SCRIPTED_OUTCOME = objectOf<ScriptedOutcome>(
  { by: oneOf(['mock', 'code', 'amount', 'mandate']), type: mocking },
  {
    scenario: text,
    shopper: objectOf<NonNullable<ScriptedOutcome['shopper']>>(
      { outcome: oneOf(['approved', 'declined', 'lapsed']) },
      { after: duration, code, statusInfo: STATUS_INFO },
    ),
    settlement: AFTER,
    dispute: objectOf<NonNullable<ScriptedOutcome['dispute']>>(
      { after: duration },
      { outcome: oneOf(['won', 'lost']), decidedAfter: duration },
    ),
    mandate: objectOf<NonNullable<ScriptedOutcome['mandate']>>({ revokedAfter: duration }),
  },
)

const PROVIDER = objectOf<ProviderRecord>(
  { providerTransactionId: text, registeredAt: date },
  { expiresAt: date, redirectId: text, redirectUrl: text, qrCode: text, phoneId: text, code },
)

export const PAYMENT = objectOf<Payment>(
  {
    transactionId: text,
    organizationId: text,
    processingAccountId: text,
    clientTransactionId: text,
    transactionType: oneOf(TRANSACTION_TYPES),
    providerId: provider,
    provider: PROVIDER,
    amount: count,
    currency: { ...text, pattern: '^[A-Z]{3}$' },
    country: text,
    description: text,
    autoCapture: flag,
    state,
    statusInfo: STATUS_INFO,
    captured: count,
    settled: count,
    refunded: count,
    captures: listOf(CAPTURE_OR_REFUND),
    refunds: listOf(CAPTURE_OR_REFUND),
    createdAt: instant,
  },
  {
    payerId: text,
    phone: objectOf<Phone>({ countryCode: text, number: text }),
    paymentToken: text,
    refusesKeeping: flag,
    calledOff: flag,
    returnUrl: text,
    locale: text,
    traceparent: text,
    metadata: mapOf(text),
    confirmedAt: instant,
    arranged: SCRIPTED_OUTCOME,
    plan: listOf(objectOf<DeliveryRule>(DO, ON_AND_AFTER)),
  },
)

export const PAYMENT_EVENT = objectOf<PaymentEvent>(
  { type: text, cause: text, at: instant, state, statusInfo: STATUS_INFO },
  {
    amount: count,
    captureOrRefund: objectOf<NonNullable<PaymentEvent['captureOrRefund']>>({
      transactionId: text,
      clientTransactionId: text,
    }),
    real: instant,
  },
)

export const FAULT = objectOf<Omit<Fault, 'faultId' | 'left'>>(
  { operation: providerCall, kind },
  { done, code, after: duration, match: mapOf(text) },
)

const OVERRIDE_MEMBERS = {
  providerTransactionId: text,
  redirectUrl: text,
  registeredAt: date,
  expiresAt: date,
  qrCode: text,
}
const OVERRIDES = objectOf<MockOverrides>({}, OVERRIDE_MEMBERS)
const MOCK_DATA = objectOf<MockData>({}, { ...OVERRIDE_MEMBERS, status: text, statusInfo: STATUS_INFO })

const STEP = objectOf<MockStep>(
  {},
  {
    status: text,
    statusInfo: STATUS_INFO,
    providerDetails: OVERRIDES,
    fault: objectOf<StepFault>({ kind, times: count }, { done, after: duration }),
    providerCode: code,
  },
)

export const MOCK = objectOf<Omit<Mock, 'mockId' | 'used'>>(
  {
    processingAccountId: text,
    key: objectOf<Mock['key']>({ type: oneOf(MOCK_KEY_TYPES), value: text }),
    type: mocking,
    oneTime: flag,
    steps: mapOf(STEP),
    setAt: instant,
    expiresAt: instant,
  },
  { scenario: text, data: MOCK_DATA },
)

export const ACTIVITY = anyOf(
  objectOf<ClockMove>({
    kind: oneOf(['clock']),
    at: instant,
    until: instant,
    way: oneOf(['advance', 'next', 'to', 'drain', 'freeze', 'real', 'scale']),
    rate: { type: 'number', minimum: 0 },
    ran: count,
    real: instant,
  }),
  objectOf<ShopperClick>(
    { kind: oneOf(['shopper']), at: instant, transactionId: text, action: text, real: instant },
    { late: flag },
  ),
)

/** JSON schema of an imported snapshot's capability overrides by account, method and capability. */
export const CAPABILITIES = mapOf(mapOf(mapOf(flag)))

/** JSON schema of a late provider call in an imported snapshot, as operations/late-provider-call serialises it. */
export const LATE_CALL = objectOf<
  Record<'organizationId' | 'accountIds' | 'operation' | 'request' | 'capabilities', unknown>
>({
  organizationId: text,
  accountIds: listOf(text),
  operation: providerCall,
  request: { type: 'object' },
  capabilities: CAPABILITIES,
})
