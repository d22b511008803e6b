import { DECLINES } from '../../contracts/protocol/declines.ts'
import { PROVIDER_CODES, type ProviderId } from '../../contracts/protocol/provider-codes.ts'
import { FAMILIES } from '../../contracts/protocol/reason-codes.ts'
import { PLAN_DEEDS } from '../payments/delivery-plan.ts'
import { MOST_TIMES } from '../providers/fault-wish.ts'
import { FAULTS, type ProviderCall } from '../providers/faults.ts'
import { NOTIFICATION_TYPES } from '../webhooks/notification.ts'

export const PROVIDERS: readonly ProviderId[] = [...new Set(PROVIDER_CODES.map(row => row.provider))]

/** What each call can answer: the statuses that a mocked step may have (2.7), in the words of scenarios. */
// biome-ignore format: a table reads by its columns
const STEPS: Readonly<Record<ProviderCall, { outcomes: readonly string[]; description: string }>> = {
  initiate: { outcomes: ['accepted', 'pending', 'declined'],  description: 'How the provider takes the payment up.' },
  finalize: { outcomes: ['pending', 'approved', 'declined'],  description: 'How the authorization ends once the shopper has consented.' },
  charge:   { outcomes: ['approved', 'declined'],             description: 'How a payment without the shopper ends.' },
  capture:  { outcomes: ['approved', 'declined'],             description: 'What becomes of a capture.' },
  cancel:   { outcomes: ['approved', 'declined'],             description: 'What becomes of a cancellation.' },
  refund:   { outcomes: ['accepted', 'approved', 'declined'], description: 'What becomes of a refund.' },
}

/** A decline is an outcome of its own in a scenario, so it is no fault there. */
export const SCENARIO_FAULTS = [...new Set(FAULTS.map(row => row.kind))].filter(kind => kind !== 'decline')
const DONE = [...new Set(FAULTS.flatMap(({ done }) => done ?? []))]

export const of = (name: string, description?: string) => ({
  ...(description ? { description } : {}),
  $ref: `#/$defs/${name}`,
})

export const object = (description: string, properties: Record<string, object>, required: readonly string[] = []) => ({
  type: 'object',
  description,
  properties,
  additionalProperties: false,
  ...(required.length > 0 ? { required } : { minProperties: 1 }),
})

const oneOf = (description: string, words: readonly string[]) => ({ type: 'string', description, enum: words })

export const text = (title: string, description: string, example: string, maxLength = 200) => ({
  type: 'string',
  title,
  description,
  minLength: 1,
  maxLength,
  examples: [example],
})

export const written = (title: string, pattern: string, ...examples: string[]) => ({
  type: 'string',
  title,
  pattern,
  examples,
})

const codesOf = (provider: ProviderId) => PROVIDER_CODES.filter(row => row.provider === provider).map(row => row.code)

const why = { code: of('code'), decline: of('decline'), statusInfo: of('statusInfo') }

export const step = (call: ProviderCall) =>
  object(STEPS[call].description, {
    outcome: oneOf('What is answered; a code or a decline says declined by itself.', STEPS[call].outcomes),
    ...why,
    providerDetails: of('providerDetails'),
    fault: of('fault'),
    ...(call === 'refund' ? { later: of('later') } : {}),
  })

const families = Object.keys(FAMILIES)

/** Values that members of a scenario share, by the name that `$ref` knows them by. */
export const VALUES = {
  duration: written(
    'an ISO 8601 duration',
    '^P(?=[0-9T])([0-9]{1,4}D)?(T(?=[0-9])([0-9]{1,5}H)?([0-9]{1,6}M)?([0-9]{1,8}([.][0-9]{1,3})?S)?)?$',
    'PT2S',
    'P1D',
  ),
  instant: written(
    'an ISO 8601 time in UTC',
    '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,3})?Z$',
    '2030-01-31T12:00:00Z',
  ),
  reasonCode: written(
    `-1, or four digits of a family of 7.2: ${families.map(digit => `${digit}xxx`).join(', ')}`,
    `^(-1|[${families.join('')}][0-9]{3})$`,
    '1001',
  ),
  code: {
    title: 'a code of a provider (7.5)',
    description: 'The code that the provider gives (7.5): one, or one for each provider.',
    anyOf: [
      oneOf(
        'A code of the one provider that the scenario serves.',
        PROVIDER_CODES.map(row => row.code),
      ),
      object(
        'A code for each provider.',
        Object.fromEntries(PROVIDERS.map(provider => [provider, oneOf(`A code of ${provider}.`, codesOf(provider))])),
      ),
    ],
    examples: ['3001', { BLIK: '3002', IRIS: 'AUTHORISINGPARTYABORTED' }],
  },
  decline: oneOf('A decline that 7.5 has no code for, by its name in docs/errors.md.', Object.keys(DECLINES)),
}

/** The parts of a scenario. */
export const PARTS = {
  statusInfo: object(
    'What the answer says in statusInfo, in place of what the code says.',
    {
      reasonCode: of('reasonCode', 'The code for machines (7.2).'),
      message: text('a text', 'The words for people.', 'There is not enough money on the account'),
    },
    ['reasonCode', 'message'],
  ),
  providerDetails: object('What the answer shows in place of what the provider says (2.7); only where it is mocked.', {
    providerTransactionId: text('a text', "The provider's own id of the payment.", 'PROVIDER-0001'),
    redirectUrl: text('an address', 'Where the shopper is sent.', 'https://bank.example/pay', 2048),
    registeredAt: of('instant', 'When the provider took the payment up.'),
    expiresAt: of('instant', "When the shopper's time ends."),
    qrCode: text('a text', 'What a QR code says.', 'https://bank.example/pay', 2048),
  }),
  fault: object(
    'What goes wrong on the way (7.4); docs/errors.md tells what each does.',
    {
      kind: oneOf('What goes wrong.', SCENARIO_FAULTS),
      done: oneOf('Whether the action is carried out; timeout and reset need it.', DONE),
      after: of('duration', 'How long it takes; the kinds that wait need it.'),
      times: {
        type: 'integer',
        title: `a whole number from 1 to ${MOST_TIMES}`,
        minimum: 1,
        maximum: MOST_TIMES,
        default: 1,
        description: 'How many calls under one key meet it.',
      },
    },
    ['kind'],
  ),
  later: object(
    'What becomes of a refund that was only accepted.',
    {
      outcome: oneOf('How it ends; a decline says declined by itself.', ['approved', 'declined']),
      after: of('duration', 'How long after it was accepted.'),
      decline: of('decline'),
    },
    ['after'],
  ),
  shopper: object("What becomes of the shopper's consent: on the pages once the shopper has decided, or by itself.", {
    outcome: oneOf('What is decided; lapsed means that no decision ever arrives.', ['approved', 'declined', 'lapsed']),
    ...why,
    after: of('duration', 'How long after initiate it is known.'),
  }),
  settlement: object('When captures settle (R4), in place of the configured time.', { after: of('duration') }, [
    'after',
  ]),
  dispute: object(
    'The payer disputes the payment once it is settled.',
    {
      after: of('duration', 'How long after the settlement.'),
      outcome: oneOf('For whom it ends, from where the merchant stands; open for ever unless given.', ['won', 'lost']),
      decidedAfter: of('duration', 'How long after the dispute was opened it is decided.'),
    },
    ['after'],
  ),
  mandate: object(
    'The payer takes the consent to later charges back in the bank app.',
    { revokedAfter: of('duration', 'How long after it was given.') },
    ['revokedAfter'],
  ),
  webhook: object(
    'One deviation in how notifications are delivered.',
    {
      on: oneOf('Which notifications it meets; all unless given.', NOTIFICATION_TYPES),
      do: oneOf('What is done to them.', PLAN_DEEDS),
      after: of('duration', 'How long: until the second of two, until it arrives, or how old it says it is.'),
    },
    ['do'],
  ),
}
