import type { ProviderOperation } from '../../contracts/operations.ts'
import { DECLINES } from '../../contracts/protocol/decline-reasons.ts'
import { PROVIDER_CODES, type ProviderId } from '../../contracts/protocol/provider-codes.ts'
import { PROVIDER_IDS } from '../../contracts/protocol/providers-and-capabilities.ts'
import { REASON_CODE_FAMILIES } from '../../contracts/protocol/reason-codes.ts'
import { DELIVERY_DEVIATIONS } from '../payments/delivery-plan-rule.ts'
import { NOTIFICATION_TYPES } from '../payments/notification-types.ts'
import { FAULTS } from '../providers/fault-kinds.ts'
import { MAX_FAULT_TIMES } from '../providers/read-fault-input.ts'
import { A_DURATION } from '../support/duration.ts'

/** Outcomes that a step of each operation may have in a scenario, after the statuses of a mock's step (2.7). */
// biome-ignore format: a table reads by its columns
const STEPS: Readonly<Record<ProviderOperation, { outcomes: readonly string[]; description: string }>> = {
  initiate: { outcomes: ['accepted', 'pending', 'declined'],  description: 'Outcome of initiate at the provider.' },
  finalize: { outcomes: ['pending', 'approved', 'declined'],  description: 'Outcome of the authorization after the shopper has consented.' },
  charge:   { outcomes: ['approved', 'declined'],             description: 'Outcome of a payment without the shopper.' },
  capture:  { outcomes: ['approved', 'declined'],             description: 'Outcome of the call capture, which takes autoCapture: false.' },
  cancel:   { outcomes: ['approved', 'declined'],             description: 'Outcome of a cancellation.' },
  refund:   { outcomes: ['accepted', 'approved', 'declined'], description: 'Outcome of a refund.' },
}

/** Kinds of faults that a scenario may inject: all but `decline`, which a scenario gives as an outcome. */
export const SCENARIO_FAULT_KINDS = [...new Set(FAULTS.map(row => row.kind))].filter(kind => kind !== 'decline')
const DONE = [...new Set(FAULTS.flatMap(({ done }) => done ?? []))]

export const refTo = (name: string, description?: string) => ({
  ...(description ? { description } : {}),
  $ref: `#/$defs/${name}`,
})

export const objectSchema = (
  description: string,
  properties: Record<string, object>,
  required: readonly string[] = [],
) => ({
  type: 'object',
  description,
  properties,
  additionalProperties: false,
  ...(required.length > 0 ? { required } : { minProperties: 1 }),
})

const oneOf = (description: string, words: readonly string[]) => ({ type: 'string', description, enum: words })

export const textSchema = (title: string, description: string, example: string, maxLength = 200) => ({
  type: 'string',
  title,
  description,
  minLength: 1,
  maxLength,
  examples: [example],
})

export const patternSchema = (title: string, pattern: string, ...examples: string[]) => ({
  type: 'string',
  title,
  pattern,
  examples,
})

const codesOf = (provider: ProviderId) => PROVIDER_CODES.filter(row => row.provider === provider).map(row => row.code)

const declineReason = { code: refTo('code'), decline: refTo('decline'), statusInfo: refTo('statusInfo') }

export const stepSchema = (call: ProviderOperation) =>
  objectSchema(STEPS[call].description, {
    outcome: oneOf('The outcome; a code or a decline implies declined.', STEPS[call].outcomes),
    ...declineReason,
    providerDetails: refTo(MOVES.includes(call) ? 'movementDetails' : 'providerDetails'),
    fault: refTo('fault'),
    ...(call === 'refund' ? { later: refTo('later') } : {}),
  })

/** Operations whose provider details are those of a capture or refund, not of the payment. */
const MOVES: readonly ProviderOperation[] = ['capture', 'refund']

const families = Object.keys(REASON_CODE_FAMILIES)

/** JSON schemas of values that several members of a scenario share, by their `$defs` name. */
export const SHARED_VALUE_SCHEMAS = {
  duration: patternSchema(
    A_DURATION,
    '^P(?=[0-9T])([0-9]{1,4}D)?(T(?=[0-9])([0-9]{1,5}H)?([0-9]{1,6}M)?([0-9]{1,8}([.][0-9]{1,3})?S)?)?$',
    'PT2S',
    'P1D',
  ),
  instant: {
    ...patternSchema(
      'an existing time in UTC as ISO 8601',
      '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,3})?Z$',
      '2030-01-31T12:00:00Z',
    ),
    format: 'date-time',
  },
  reasonCode: patternSchema(
    `-1, or four digits of a family of 7.2: ${families.map(digit => `${digit}xxx`).join(', ')}`,
    `^(-1|[${families.join('')}][0-9]{3})$`,
    '1001',
  ),
  code: {
    title: 'a code of a provider (7.5)',
    description: 'The code of the provider (7.5): one, or one for each provider.',
    anyOf: [
      oneOf(
        'A code of the one provider that the scenario serves.',
        PROVIDER_CODES.map(row => row.code),
      ),
      objectSchema(
        'A code for each provider.',
        Object.fromEntries(
          PROVIDER_IDS.map(provider => [provider, oneOf(`A code of ${provider}.`, codesOf(provider))]),
        ),
      ),
    ],
    examples: ['3001', { BLIK: '3002', IRIS: 'AUTHORISINGPARTYABORTED' }],
  },
  decline: oneOf('A decline without a code in 7.5, by its name in docs/errors.md.', Object.keys(DECLINES)),
}

/** JSON schemas of the parts of a scenario, by their `$defs` name. */
export const SCENARIO_PART_SCHEMAS = {
  statusInfo: objectSchema(
    'statusInfo of the response, instead of that of the code.',
    {
      reasonCode: refTo('reasonCode', 'The machine-readable code (7.2).'),
      message: textSchema('a text', 'The text for people.', 'There is not enough money on the account'),
    },
    ['reasonCode', 'message'],
  ),
  providerDetails: objectSchema(
    'providerDetails of the response, instead of those of the provider (2.7); for MOCK only.',
    {
      providerTransactionId: textSchema('a text', "The provider's own id of the payment.", 'PROVIDER-0001'),
      redirectUrl: textSchema('an address', 'Where the shopper is sent.', 'https://bank.example/pay', 2048),
      registeredAt: refTo('instant', 'When the provider accepted the payment.'),
      expiresAt: refTo('instant', "When the shopper's time ends."),
      qrCode: textSchema('a text', 'Text of a QR code.', 'https://bank.example/pay', 2048),
    },
  ),
  movementDetails: objectSchema(
    'providerDetails of the capture or refund, instead of those of the provider (2.7); for MOCK only.',
    {
      providerTransactionId: textSchema('a text', "The provider's own id of it.", 'PROVIDER-0002'),
      registeredAt: refTo('instant', 'When the provider registered it.'),
    },
  ),
  fault: objectSchema(
    'Fault of the call (7.4); docs/faults.md describes each kind.',
    {
      kind: oneOf('The kind of fault.', SCENARIO_FAULT_KINDS),
      done: oneOf('Whether the action is carried out; timeout and reset need it.', DONE),
      after: refTo('duration', 'The delay; required by kinds with a delay.'),
      times: {
        type: 'integer',
        title: `a whole number from 1 to ${MAX_FAULT_TIMES}`,
        minimum: 1,
        maximum: MAX_FAULT_TIMES,
        default: 1,
        description: 'How many calls under one key trigger it.',
      },
    },
    ['kind'],
  ),
  later: objectSchema(
    'Later outcome of a refund that was only accepted.',
    {
      outcome: oneOf('The outcome; a decline implies declined.', ['approved', 'declined']),
      after: refTo('duration', 'How long after it was accepted.'),
      decline: refTo('decline'),
    },
    ['after'],
  ),
  shopper: objectSchema(
    "Outcome of the shopper's consent: after the shopper's decision on the pages, or by the clock.",
    {
      outcome: oneOf('The decision; lapsed means that no decision ever arrives.', ['approved', 'declined', 'lapsed']),
      ...declineReason,
      after: refTo('duration', 'How long after initiate the decision arrives.'),
    },
  ),
  settlement: objectSchema(
    'When captures settle (R4), in place of the configured time.',
    { after: refTo('duration') },
    ['after'],
  ),
  dispute: objectSchema(
    'The payer disputes the payment once it is settled.',
    {
      after: refTo('duration', 'How long after the settlement.'),
      outcome: oneOf('The result for the merchant; the dispute stays open by default.', ['won', 'lost']),
      decidedAfter: refTo('duration', 'How long after the dispute was opened it is decided.'),
    },
    ['after'],
  ),
  mandate: objectSchema(
    'The payer takes the consent to later charges back in the bank app.',
    { revokedAfter: refTo('duration', 'How long after it was given.') },
    ['revokedAfter'],
  ),
  webhook: objectSchema(
    'One deviation in how notifications are delivered.',
    {
      on: oneOf('Notification types that it applies to; all by default.', NOTIFICATION_TYPES),
      do: oneOf('The deviation.', DELIVERY_DEVIATIONS),
      after: refTo('duration', 'How long: until the second of two, until it arrives, or how old it says it is.'),
    },
    ['do'],
  ),
}
