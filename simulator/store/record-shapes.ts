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
import { count, either, listOf, mapOf, maybe, objectOf, oneOf, text, yesOrNo } from './shape.ts'

/** Beyond all that clocks show and durations last, and so far within what dates can hold that they may be added. */
const LAST = 1e15

export const instant = (value: unknown): boolean => count(value) && (value as number) <= LAST
const duration = instant
/** What a mock says may be of any time. */
const date = (value: unknown): boolean => Number.isSafeInteger(value) && Math.abs(value as number) <= 8.64e15
export const provider = oneOf(PROVIDER_CODES.map(row => row.provider))
export const providerCall = oneOf(PROVIDER_CALLS)
export const state = oneOf(Object.keys(STATES))
const code = oneOf(PROVIDER_CODES.map(row => row.code))
const kind = oneOf(FAULTS.map(row => row.kind))
const done = maybe(oneOf(['yes', 'no', 'late']))
const arrangedBy = oneOf(['mock', 'code', 'amount'])
const mocking = oneOf(['MOCK', 'PASSTHROUGH'])
const pattern = (written: RegExp) => (value: unknown) => typeof value === 'string' && written.test(value)

const STATUS_INFO = objectOf<StatusInfo>({ reasonCode: text, message: text })
const AFTER = objectOf<{ after: number }>({ after: duration })
const PLAN_RULE = { on: maybe(oneOf(NOTIFICATION_TYPES)), do: oneOf(PLAN_DEEDS), after: maybe(duration) }

const LATER = objectOf<Later>({
  outcome: oneOf(['approved', 'declined']),
  after: duration,
  statusInfo: maybe(STATUS_INFO),
})

const MOVEMENT = objectOf<Movement>({
  transactionId: text,
  clientTransactionId: text,
  amount: count,
  at: instant,
  description: maybe(text),
  settled: maybe(yesOrNo),
  declined: maybe(either(code, oneOf([true]))),
  statusInfo: maybe(STATUS_INFO),
  accepted: maybe(either(LATER, oneOf([true]))),
})

const ARRANGED = objectOf<Arranged>({
  scenario: maybe(text),
  by: arrangedBy,
  type: mocking,
  shopper: maybe(
    objectOf<NonNullable<Arranged['shopper']>>({
      outcome: oneOf(['approved', 'declined', 'lapsed']),
      after: maybe(duration),
      code: maybe(code),
      statusInfo: maybe(STATUS_INFO),
    }),
  ),
  settlement: maybe(AFTER),
  dispute: maybe(
    objectOf<NonNullable<Arranged['dispute']>>({
      after: duration,
      outcome: maybe(oneOf(['won', 'lost'])),
      decidedAfter: maybe(duration),
    }),
  ),
  mandate: maybe(objectOf<NonNullable<Arranged['mandate']>>({ revokedAfter: duration })),
})

const PROVIDER = objectOf<ProviderRecord>({
  providerTransactionId: text,
  registeredAt: date,
  expiresAt: maybe(date),
  redirectId: maybe(text),
  redirectUrl: maybe(text),
  qrCode: maybe(text),
  phoneId: maybe(text),
  code: maybe(code),
})

export const PAYMENT = objectOf<Payment>({
  transactionId: text,
  organizationId: text,
  processingAccountId: text,
  clientTransactionId: text,
  transactionType: oneOf(['ONE_TIME', 'RECURRING', 'TOKEN_ONLY']),
  providerId: provider,
  provider: PROVIDER,
  amount: maybe(count),
  currency: maybe(pattern(/^[A-Z]{3}$/)),
  country: maybe(text),
  description: maybe(text),
  autoCapture: maybe(yesOrNo),
  payerId: maybe(text),
  paymentToken: maybe(text),
  refusesKeeping: maybe(yesOrNo),
  returnUrl: maybe(text),
  locale: maybe(text),
  metadata: maybe(mapOf(text)),
  state,
  statusInfo: STATUS_INFO,
  captured: count,
  settled: count,
  refunded: count,
  captures: listOf(MOVEMENT),
  refunds: listOf(MOVEMENT),
  createdAt: instant,
  confirmedAt: maybe(instant),
  arranged: maybe(ARRANGED),
  plan: maybe(listOf(objectOf<PlanRule>(PLAN_RULE))),
})

export const EVENT = objectOf<PaymentEvent>({
  type: text,
  cause: text,
  at: instant,
  state,
  statusInfo: STATUS_INFO,
  amount: maybe(count),
  real: maybe(instant),
})

export const FAULT = objectOf<Omit<Fault, 'faultId' | 'left'>>({
  operation: providerCall,
  kind,
  done,
  code: maybe(code),
  after: maybe(duration),
  match: maybe(mapOf(text)),
})

const OVERRIDES = objectOf<MockOverrides>({
  providerTransactionId: maybe(text),
  redirectUrl: maybe(text),
  registeredAt: maybe(date),
  expiresAt: maybe(date),
  qrCode: maybe(text),
})

const STEP = objectOf<MockStep>({
  status: maybe(text),
  statusInfo: maybe(STATUS_INFO),
  providerDetails: maybe(OVERRIDES),
  fault: maybe(objectOf<StepFault>({ kind, done, after: maybe(duration), times: count })),
})

export const MOCK = objectOf<Mock>({
  processingAccountId: text,
  key: objectOf<Mock['key']>({ type: oneOf(['PAYER_ID', 'CLIENT_TRANSACTION_ID']), value: text }),
  type: mocking,
  scenario: maybe(text),
  oneTime: yesOrNo,
  steps: mapOf(STEP),
  data: maybe(OVERRIDES),
  setAt: instant,
  expiresAt: instant,
  mockId: maybe(count),
  used: maybe(listOf(providerCall)),
})

export const ENDPOINT = objectOf<Endpoint>({
  endpointId: text,
  url: value => typeof value === 'string' && URL.canParse(value),
  types: maybe(listOf(oneOf(NOTIFICATION_TYPES))),
  secrets: listOf(objectOf<Secret>({ secret: pattern(/^whsec_[A-Za-z0-9+/]+={0,2}$/), until: maybe(instant) })),
  createdAt: instant,
  disabled: maybe(objectOf<NonNullable<Endpoint['disabled']>>({ at: instant, reason: text })),
})

export const ATTEMPT = objectOf<Attempt>({
  at: instant,
  real: maybe(instant),
  durationMilliseconds: duration,
  request: objectOf<Attempt['request']>({ method: text, url: text, headers: mapOf(text) }),
  answer: maybe(objectOf<NonNullable<Attempt['answer']>>({ status: count, headers: mapOf(text), body: text })),
  error: maybe(text),
})

export const PLAN = objectOf<Omit<ArmedPlan, 'left'>>({ ...PLAN_RULE, planId: text, match: mapOf(text) })

export const VARIANT = objectOf<Variant>({
  wrongKey: maybe(yesOrNo),
  staleBy: maybe(duration),
  deeds: maybe(listOf(oneOf(PLAN_DEEDS))),
})

export const DEED = either(
  objectOf<ClockMove>({
    kind: oneOf(['clock']),
    at: instant,
    until: instant,
    way: oneOf(['advance', 'next', 'to', 'drain', 'freeze', 'real', 'scale']),
    rate: value => typeof value === 'number' && value >= 0,
    ran: count,
    real: instant,
  }),
  objectOf<ShopperClick>({
    kind: oneOf(['shopper']),
    at: instant,
    transactionId: text,
    action: text,
    late: maybe(yesOrNo),
    real: instant,
  }),
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
  request: mapOf(() => true),
  capabilities: CAPABILITIES,
})
