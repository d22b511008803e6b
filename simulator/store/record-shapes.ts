import { PROVIDER_CODES } from '../../contracts/protocol/provider-codes.ts'
import { PLAN_DEEDS, type PlanRule } from '../payments/delivery-plan.ts'
import { STATES } from '../payments/lifecycle.ts'
import type {
  Arranged,
  Later,
  Movement,
  Payment,
  PaymentEvent,
  ProviderRecord,
  StatusInfo,
} from '../payments/payment.ts'
import { FAULTS, type Fault, PROVIDER_CALLS } from '../providers/faults.ts'
import type { Mock, MockOverrides, MockStep, StepFault } from '../providers/mock.ts'
import {
  type ArmedPlan,
  type Attempt,
  type Endpoint,
  NOTIFICATION_TYPES,
  type Secret,
  type Variant,
} from '../webhooks/notification.ts'
import type { ClockMove, ShopperClick } from './deeds-port.ts'
import { count, either, listOf, mapOf, objectOf, oneOf, text, yesOrNo } from './shape.ts'

/** Beyond all that clocks show and durations last, and so far within what dates can hold that they may be added. */
const LAST = 1e15

export const instant = { ...count, maximum: LAST }
const duration = instant
/** What a mock says may be of any time. */
const date = { type: 'integer', minimum: -8.64e15, maximum: 8.64e15 }
export const provider = oneOf(PROVIDER_CODES.map(row => row.provider))
export const providerCall = oneOf(PROVIDER_CALLS)
export const state = oneOf(Object.keys(STATES))
const CODES = PROVIDER_CODES.map(row => row.code)
const code = oneOf(CODES)
const kind = oneOf(FAULTS.map(row => row.kind))
const done = oneOf(['yes', 'no', 'late'])
const mocking = oneOf(['MOCK', 'PASSTHROUGH'])

const STATUS_INFO = objectOf<StatusInfo>({ reasonCode: text, message: text })
const AFTER = objectOf<{ after: number }>({ after: duration })
const DO = { do: oneOf(PLAN_DEEDS) }
const ON_AND_AFTER = { on: oneOf(NOTIFICATION_TYPES), after: duration }

const LATER = objectOf<Later>(
  { outcome: oneOf(['approved', 'declined']), after: duration },
  { statusInfo: STATUS_INFO },
)

const MOVEMENT = objectOf<Movement>(
  { transactionId: text, clientTransactionId: text, amount: count, at: instant },
  {
    description: text,
    settled: yesOrNo,
    declined: oneOf([...CODES, true]),
    statusInfo: STATUS_INFO,
    accepted: either(LATER, oneOf([true])),
  },
)

const ARRANGED = objectOf<Arranged>(
  { by: oneOf(['mock', 'code', 'amount']), type: mocking },
  {
    scenario: text,
    shopper: objectOf<NonNullable<Arranged['shopper']>>(
      { outcome: oneOf(['approved', 'declined', 'lapsed']) },
      { after: duration, code, statusInfo: STATUS_INFO },
    ),
    settlement: AFTER,
    dispute: objectOf<NonNullable<Arranged['dispute']>>(
      { after: duration },
      { outcome: oneOf(['won', 'lost']), decidedAfter: duration },
    ),
    mandate: objectOf<NonNullable<Arranged['mandate']>>({ revokedAfter: duration }),
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
    transactionType: oneOf(['ONE_TIME', 'RECURRING', 'TOKEN_ONLY']),
    providerId: provider,
    provider: PROVIDER,
    amount: count,
    currency: { ...text, pattern: '^[A-Z]{3}$' },
    country: text,
    description: text,
    autoCapture: yesOrNo,
    state,
    statusInfo: STATUS_INFO,
    captured: count,
    settled: count,
    refunded: count,
    captures: listOf(MOVEMENT),
    refunds: listOf(MOVEMENT),
    createdAt: instant,
  },
  {
    payerId: text,
    paymentToken: text,
    refusesKeeping: yesOrNo,
    returnUrl: text,
    locale: text,
    metadata: mapOf(text),
    confirmedAt: instant,
    arranged: ARRANGED,
    plan: listOf(objectOf<PlanRule>(DO, ON_AND_AFTER)),
  },
)

export const EVENT = objectOf<PaymentEvent>(
  { type: text, cause: text, at: instant, state, statusInfo: STATUS_INFO },
  { amount: count, real: instant },
)

export const FAULT = objectOf<Omit<Fault, 'faultId' | 'left'>>(
  { operation: providerCall, kind },
  { done, code, after: duration, match: mapOf(text) },
)

const OVERRIDES = objectOf<MockOverrides>(
  {},
  { providerTransactionId: text, redirectUrl: text, registeredAt: date, expiresAt: date, qrCode: text },
)

const STEP = objectOf<MockStep>(
  {},
  {
    status: text,
    statusInfo: STATUS_INFO,
    providerDetails: OVERRIDES,
    fault: objectOf<StepFault>({ kind, times: count }, { done, after: duration }),
  },
)

export const MOCK = objectOf<Mock>(
  {
    processingAccountId: text,
    key: objectOf<Mock['key']>({ type: oneOf(['PAYER_ID', 'CLIENT_TRANSACTION_ID']), value: text }),
    type: mocking,
    oneTime: yesOrNo,
    steps: mapOf(STEP),
    setAt: instant,
    expiresAt: instant,
  },
  { scenario: text, data: OVERRIDES, mockId: count, used: listOf(providerCall) },
)

const SECRET = objectOf<Secret>({ secret: { ...text, pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$' } }, { until: instant })

export const ENDPOINT = objectOf<Endpoint>(
  { endpointId: text, url: { ...text, format: 'url' }, secrets: listOf(SECRET), createdAt: instant },
  {
    types: listOf(oneOf(NOTIFICATION_TYPES)),
    disabled: objectOf<NonNullable<Endpoint['disabled']>>({ at: instant, reason: text }),
  },
)

export const ATTEMPT = objectOf<Attempt>(
  {
    at: instant,
    durationMilliseconds: duration,
    request: objectOf<Attempt['request']>({ method: text, url: text, headers: mapOf(text) }),
  },
  {
    real: instant,
    answer: objectOf<NonNullable<Attempt['answer']>>({ status: count, headers: mapOf(text), body: text }),
    error: text,
  },
)

export const PLAN = objectOf<Omit<ArmedPlan, 'left'>>({ ...DO, planId: text, match: mapOf(text) }, ON_AND_AFTER)

export const VARIANT = objectOf<Variant>({}, { wrongKey: yesOrNo, staleBy: duration, deeds: listOf(oneOf(PLAN_DEEDS)) })

export const DEED = either(
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
    { late: yesOrNo },
  ),
)

/** By account and method. */
export const CAPABILITIES = mapOf(mapOf(mapOf(yesOrNo)))

/** What the operations keep of a call whose answer is late. */
export const LATE_CALL = objectOf<
  Record<'organizationId' | 'accountIds' | 'operation' | 'request' | 'capabilities', unknown>
>({
  organizationId: text,
  accountIds: listOf(text),
  operation: providerCall,
  request: { type: 'object' },
  capabilities: CAPABILITIES,
})
