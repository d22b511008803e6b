import { DELIVERY_DEVIATIONS } from '../../payments/delivery-plan-rule.ts'
import { NOTIFICATION_TYPES } from '../../payments/notification-types.ts'
import type { DeliveryAttempt, DeliveryPlan, Endpoint, EndpointSecret, MessageVariation } from '../webhook-store.ts'
import { count, flag, listOf, mapOf, objectOf, oneOf, text } from './json-schema-builders.ts'
import { DO, duration, instant, ON_AND_AFTER } from './record-shapes.ts'

const SECRET = objectOf<EndpointSecret>(
  { secret: { ...text, pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$' } },
  { until: instant },
)

export const ENDPOINT = objectOf<Endpoint>(
  { endpointId: text, url: { ...text, format: 'url' }, secrets: listOf(SECRET), createdAt: instant },
  {
    types: listOf(oneOf(NOTIFICATION_TYPES)),
    disabled: objectOf<NonNullable<Endpoint['disabled']>>({ at: instant, reason: text }),
    failing: objectOf<NonNullable<Endpoint['failing']>>({ at: instant, deliveryId: text }),
  },
)

export const DELIVERY_ATTEMPT = objectOf<DeliveryAttempt>(
  {
    at: instant,
    durationMilliseconds: duration,
    request: objectOf<DeliveryAttempt['request']>({ method: text, url: text, headers: mapOf(text) }),
  },
  {
    real: instant,
    response: objectOf<NonNullable<DeliveryAttempt['response']>>({ status: count, headers: mapOf(text), body: text }),
    error: text,
    resentAt: instant,
    isExtra: oneOf([true]),
  },
)

export const DELIVERY_PLAN = objectOf<Omit<DeliveryPlan, 'left'>>(
  { ...DO, planId: text, match: mapOf(text) },
  ON_AND_AFTER,
)

export const VARIATION = objectOf<MessageVariation>(
  {},
  { wrongKey: flag, staleBy: duration, deviations: listOf(oneOf(DELIVERY_DEVIATIONS)), traceparent: text },
)
