import type { OperationName, ProviderOperation } from '../../../contracts/operations.ts'
import type { State } from '../../../simulator/payments/lifecycle.ts'
import type { Payment } from '../../../simulator/payments/payment.ts'
import { forgiveToken, isTargetOf, TOKEN_FAULTS } from './grid-layer-mutations.ts'
import {
  conflictBegins,
  forgetKeyUnderWay,
  ignoreMember,
  keylessBegins,
  mutatePaymentFor,
  refusalOf,
  refuseAndDo,
  replaySearches,
  replayToday,
  shareAccounts,
  shareMandates,
  shareReplies,
  shareReports,
  shareSightOfPayment,
  shareWithStrangers,
} from './grid-mutations-besides-layers.ts'
import { type Mutant, gridMutant as mutant } from './mutant.ts'
import {
  isCallTo,
  mutateServedJson,
  refuseKeyEverAfter,
  replaceReplies,
  withStatusAndCode,
} from './mutations-of-matching-calls.ts'
import { mutateVerifiedBodyAt } from './simulator-mutations.ts'

const ACTS = ['finalize', 'capture', 'cancel', 'refund'] as const
type Act = (typeof ACTS)[number]

/** Rows of state × act, each with the acts that the state forbids. */
// biome-ignore format: a table reads by its columns
const FORBIDDEN: readonly (readonly [row: string, state: State, acts: readonly Act[]])[] = [
  ['GRD-13', 'AWAITING_SHOPPER', ['finalize', 'capture', 'refund']],
  ['GRD-14', 'DECLINED',         ACTS],
  ['GRD-15', 'AUTHORIZED',       ['refund']],
  ['GRD-16', 'CAPTURED',         ACTS],
  ['GRD-17', 'SETTLED',          ['finalize', 'capture', 'cancel']],
  ['GRD-42', 'EXPIRED',          ACTS],
  ['GRD-18', 'CANCELED',         ['finalize', 'capture', 'refund']],
  ['GRD-19', 'REFUNDED',         ['finalize', 'capture', 'cancel']],
]

/** Acts that a state forbids, and that are refused and carried out all the same. */
// biome-ignore format: a table reads by its columns
const SECRETLY: readonly (readonly [state: State, acts: readonly Act[]])[] = [
  ['AWAITING_SHOPPER', ['capture']],
  ['DECLINED',         ['capture']],
  ['EXPIRED',          ['capture']],
  ['CAPTURED',         ['refund']],
  ['SETTLED',          ['capture', 'cancel']],
  ['CANCELED',         ['capture', 'refund']],
  ['REFUNDED',         ['cancel']],
]

/** How a payment looks in the state that allows an act. */
const ALLOWING: Readonly<Record<Act, (payment: Payment) => Payment>> = {
  finalize: payment => ({ ...payment, state: 'AUTHENTICATED' }),
  capture: payment => ({ ...payment, state: 'AUTHORIZED', captured: 0 }),
  cancel: payment => ({ ...payment, state: 'AUTHORIZED' }),
  refund: payment => ({ ...payment, state: 'SETTLED', settled: payment.amount, refunded: 0, refunds: [] }),
}

/** Further rows that catch an act on a payment in a state. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'refund AUTHORIZED': ['GRD-77'],
  'finalize CAPTURED': ['GRD-76'],
  'capture CAPTURED': ['GRD-55', 'GRD-75', 'GRD-91'],
  'cancel CAPTURED': ['GRD-55', 'GRD-75', 'GRD-76'],
  'refund CAPTURED': ['GRD-75', 'GRD-76'],
  'capture CANCELED': ['GRD-35', 'GRD-90'],
  'capture SETTLED': ['GRD-67'],
  'cancel SETTLED': ['GRD-68'],
}

const LIFECYCLE = FORBIDDEN.flatMap(([row, state, acts]) =>
  acts.map(act =>
    mutant(
      `lets ${act} pass on a payment that is ${state}`,
      [row, ...(ALSO[`${act} ${state}`] ?? [])],
      mutatePaymentFor(act, payment => (payment.state === state ? ALLOWING[act](payment) : undefined)),
      { stopsOthers: true },
    ),
  ),
)

const SECRETLY_CARRIED_OUT = SECRETLY.flatMap(([state, acts]) =>
  acts.map(act =>
    mutant(
      `refuses to ${act} a payment that is ${state}, and does it`,
      ['GRD-58'],
      refuseAndDo(act, payment => (payment.state === state ? ALLOWING[act](payment) : undefined)),
      { stopsOthers: true },
    ),
  ),
)

const ROLES = [
  ...ACTS.map(act =>
    mutant(
      `lets another organization ${act} a payment by the account of its owner`,
      ['GRD-22', 'GRD-48'],
      shareWithStrangers(act),
      { stopsOthers: true },
    ),
  ),
  ...ACTS.map(act =>
    mutant(
      `lets another organization ${act} a payment by an account of its own`,
      ['GRD-23', 'GRD-48'],
      shareWithStrangers(act, { asTheirs: true }),
      { stopsOthers: true },
    ),
  ),
  ...ACTS.map(act =>
    mutant(
      `refuses to ${act} for another organization, and does it`,
      ['GRD-24'],
      shareWithStrangers(act, { denied: true }),
      { stopsOthers: true },
    ),
  ),
  ...(['status', 'events', 'search'] as const).map(read =>
    mutant(`shows ${read} to another organization`, ['GRD-23'], shareWithStrangers(read), { stopsOthers: true }),
  ),
  mutant('puts payments of all organizations into every report', ['GRD-49'], shareReports),
  mutant('lets another organization charge a mandate', ['GRD-23'], shareMandates()),
  mutant('lets another organization charge a mandate by its token', ['GRD-23'], shareMandates({ byToken: true })),
  mutant('accepts any account on initiate', ['GRD-22', 'GRD-48'], shareAccounts('initiate')),
]

// biome-ignore format: a table reads by its columns
const MEMBERS: readonly (readonly [row: string, member: string, operations: readonly OperationName[]])[] = [
  ['GRD-26', 'paymentDetails.amount',      ['charge']],
  ['GRD-27', 'paymentDetails.description', ['initiate', 'charge', 'refund']],
  ['GRD-28', 'clientTransactionId',        ['initiate', 'charge', 'capture', 'cancel', 'refund']],
  ['GRD-56', 'metadata',                   ['initiate']],
  ['GRD-57', 'paymentDetails.autoCapture', ['initiate', 'charge']],
  ['GRD-60', 'payerDetails.payerId',      ['charge']],
  ['GRD-81', 'requestContext',             ['initiate']],
  ['GRD-82', 'transactionType',            ['initiate', 'charge']],
  ['GRD-83', 'processingAccountId',        ['initiate', 'finalize', 'charge', 'capture', 'cancel', 'refund']],
  ['GRD-84', 'providerDetails.providerId', ['initiate', 'charge']],
  ['GRD-85', 'payerDetails.oneTimeCode',   ['initiate']],
  ['GRD-86', 'payerDetails.paymentToken',  ['charge']],
  ['GRD-29', 'transactionId',              ['finalize', 'capture', 'cancel', 'refund']],
]

const COLUMNS = [
  'initiate',
  'finalize',
  'charge',
  'capture',
  'cancel',
  'refund',
] as const satisfies readonly ProviderOperation[]

const hearAutoCapture = (operation: 'initiate' | 'charge', always: boolean) =>
  mutateVerifiedBodyAt(`/payments/${operation}`)(body =>
    body.replace(`"autoCapture":${!always}`, `"autoCapture":${always}`),
  )

const KEYS = [
  ...COLUMNS.filter(name => name !== 'cancel').map(act =>
    mutant(`tells today's state in a replay of ${act}`, ['GRD-25'], replayToday(act)),
  ),
  ...COLUMNS.map(name => mutant(`tells everybody what ${name} answered under a key`, ['GRD-48'], shareReplies(name))),
  ...COLUMNS.filter(name => name !== 'initiate').map(name =>
    mutant(`runs ${name} twice when two calls with one key race`, ['GRD-51'], forgetKeyUnderWay(name), {
      stopsOthers: true,
    }),
  ),
  ...COLUMNS.filter(name => name !== 'initiate').map(name =>
    mutant(`stores 401 under the key of ${name}`, ['GRD-61'], refuseKeyEverAfter(401, name)),
  ),
  mutant('tells a search what another search under its key found', ['GRD-50'], replaySearches),
  ...MEMBERS.flatMap(([row, member, operations]) =>
    operations.map(name =>
      mutant(`takes ${name} under a used key for the same whatever its ${member}`, [row], ignoreMember(name, member)),
    ),
  ),
  mutant(
    'captures every charge, ignoring autoCapture',
    ['GRD-35', 'GRD-47', 'GRD-57', 'GRD-70'],
    hearAutoCapture('charge', true),
    { stopsOthers: true },
  ),
  mutant('captures no charge, ignoring autoCapture', ['GRD-47', 'GRD-57', 'GRD-62'], hearAutoCapture('charge', false), {
    stopsOthers: true,
  }),
  mutant('captures every finalize, ignoring autoCapture', ['GRD-47', 'LIF-04'], hearAutoCapture('initiate', true), {
    stopsOthers: true,
  }),
  mutant('captures no finalize, ignoring autoCapture', ['GRD-47', 'LIF-02'], hearAutoCapture('initiate', false), {
    stopsOthers: true,
  }),
]

const takes = (act: 'capture' | 'refund', from: string, to: string) =>
  mutateVerifiedBodyAt(`/payments/${act}`)(body =>
    body.replace(`"amount":${from}}`, `"amount":${to}}`).replace(`"amount":${from},`, `"amount":${to},`),
  )

/** Mutation: after a part more is open than is left. */
const opensMore = (act: 'capture' | 'refund', more: (taken: number) => number) =>
  mutatePaymentFor(act, payment => {
    const taken = act === 'capture' ? payment.captured : payment.refunded
    if (taken === 0) return undefined
    return act === 'capture'
      ? { ...payment, amount: payment.amount + more(taken) }
      : { ...payment, settled: payment.settled + more(taken) }
  })

const SUMS = (['capture', 'refund'] as const).flatMap(act => [
  mutant(`takes a ${act} of nothing for one of the least`, ['GRD-30'], takes(act, '0', '1')),
  mutant(`takes a ${act} below zero for one of the least`, ['GRD-31'], takes(act, '-1000', '1')),
  mutant(`takes a ${act} above the whole for the whole`, ['GRD-32'], takes(act, '1001', '1000')),
  mutant(
    `reads the amount of a ${act} in a text`,
    ['GRD-88'],
    mutateVerifiedBodyAt(`/payments/${act}`)(body => body.replace(/"amount":"(\d+)"/, '"amount":$1')),
  ),
  mutant(
    `compares each ${act} with the whole alone`,
    ['GRD-33', 'GRD-91'],
    opensMore(act, taken => taken),
  ),
  mutant(
    `sets no limit to a second ${act}`,
    ['GRD-33', 'GRD-34', 'GRD-91'],
    opensMore(act, () => 100_000),
  ),
])

const TOGETHER = [
  ...(['capture', 'refund'] as const).map(act =>
    mutant(`serves two of ${act} that compare the sums at the same instant`, ['GRD-55'], shareSightOfPayment(act)),
  ),
  mutant('serves a capture and a cancel at the same instant', ['GRD-55'], shareSightOfPayment('capture', 'cancel'), {
    only: ['GRD-55'],
  }),
]

const REFUSED_BEGINNINGS = (['initiate', 'charge'] as const).flatMap(operation => [
  mutant(
    `refuses ${operation} without a token, and begins a payment`,
    ['GRD-59'],
    forgiveToken(operation, TOKEN_FAULTS.missing, refusalOf(401, '4970')),
  ),
  mutant(`refuses ${operation} without a key, and begins a payment`, ['GRD-59'], keylessBegins(operation)),
  mutant(`refuses ${operation} under a used key, and begins a payment`, ['GRD-59'], conflictBegins(operation)),
])

type Timeline = { type?: string }[]
const mutateEvents = (change: (timeline: Timeline) => Timeline) =>
  mutateServedJson(isCallTo('events'), body =>
    Array.isArray(body.timeline) ? { ...body, timeline: change(body.timeline) } : undefined,
  )
const EVENTS = { capture: 'payment.captured', settlement: 'payment.settled', refund: 'payment.refunded' } as const
const has = (timeline: Timeline, type: string) => timeline.some(event => event.type === type)

const RECORDS = Object.entries(EVENTS).flatMap(([step, type]) => [
  mutant(
    `records no ${step} in events`,
    step === 'settlement' ? ['GRD-20'] : ['GRD-20', 'GRD-52'],
    mutateEvents(timeline => timeline.filter(event => event.type !== type)),
  ),
  mutant(
    `moves an event after the ${step}`,
    ['GRD-21'],
    mutateEvents(([first, second, ...rest]) =>
      first && second && has(rest, type)
        ? [second, first, ...rest]
        : [first, second, ...rest].filter(event => event !== undefined),
    ),
  ),
])

/** A search loses payments in one state. */
const LOST = (['AUTHORIZED', 'CAPTURED', 'SETTLED', 'REFUNDED'] as const).map(state =>
  mutant(
    `finds no payment that is ${state}`,
    ['GRD-41', ...(['AUTHORIZED', 'CAPTURED'].includes(state) ? ['GRD-66'] : [])], // as charges are from the first
    mutateServedJson(isCallTo('search'), ({ payments, ...body }) =>
      Array.isArray(payments) && payments.some(({ lifecycle }) => lifecycle?.state === state)
        ? { ...body, payments: payments.filter(({ lifecycle }) => lifecycle?.state !== state) }
        : undefined,
    ),
  ),
)

// biome-ignore format: a table reads by its columns
const CHARGED: readonly (readonly [row: string, what: string, from: string, to: string])[] = [
  ['GRD-43', 'nothing',           '"amount":0',         '"amount":1'],
  ['GRD-44', 'less than nothing', '"amount":-1000',     '"amount":1'],
  ['GRD-45', 'any currency',      '"currency":"EUR"',   '"currency":"PLN"'],
  ['GRD-46', 'any country',       '"country":"GR"',     '"country":"PL"'],
]

const CHARGES = CHARGED.map(([row, what, from, to]) =>
  mutant(
    `charges ${what}`,
    [row],
    mutateVerifiedBodyAt('/payments/charge')(body => body.replace(from, to)),
  ),
)

// biome-ignore format: a table reads by its columns
const INCOMPLETE: readonly (readonly [row: string, what: string, change: (body: string) => string])[] = [
  ['VAL-60', 'without a reference',      body => (body.includes('"clientTransactionId"') ? body : body.replace('{', '{"clientTransactionId":"made-up",'))],
  ['VAL-61', 'without a sum',            body => (body.includes('"paymentDetails"') ? body : body.replace('{', '{"paymentDetails":{"amount":1,"currency":"PLN","country":"PL","description":"x"},'))],
  ['VAL-62', 'by an invented method',    body => body.replace('"NOBODY"', '"BLIK"')],
  ['VAL-63', 'of an amount in a text',   body => body.replace('"amount":"1000"', '"amount":1000')],
]

const INCOMPLETE_CHARGES = INCOMPLETE.map(([row, what, change]) =>
  mutant(`charges ${what}`, [row], mutateVerifiedBodyAt('/payments/charge')(change), { only: [row] }),
)

const UNREAD = ['finalize', 'charge', 'capture', 'cancel', 'refund', 'search', 'mockSet'] as const

const UNREADABLE = UNREAD.map(operation =>
  mutant(
    `fails over a body that it cannot read on ${operation}`,
    ['GRD-89'],
    replaceReplies(
      ({ incoming, body }, { http }) => http === 400 && isTargetOf(operation, incoming.url) && /:$/.test(String(body)),
      withStatusAndCode(500),
    ),
  ),
)

const NAMELESS = (['finalize', 'capture', 'cancel', 'refund'] as const).map(act =>
  mutant(
    `takes ${act} of no payment for one of any`,
    ['VAL-57'],
    replaceReplies(
      ({ incoming, body }, { http }) =>
        http === 400 && isTargetOf(act, incoming.url) && /^\{(?!.*"transactionId").*\}$/.test(String(body)),
      () => ({ http: 200, body: '{"transactionId":"any"}' }),
    ),
    { only: ['VAL-57'] },
  ),
)

/** Mutants of the grids beside the layers: state × act, operation × role, operation × key, act × amount, step × records. */
export const GRID_OPERATION_MUTANTS: readonly Mutant[] = [
  ...LIFECYCLE,
  ...SECRETLY_CARRIED_OUT,
  ...ROLES,
  ...KEYS,
  ...SUMS,
  ...TOGETHER,
  ...REFUSED_BEGINNINGS,
  ...CHARGES,
  ...INCOMPLETE_CHARGES,
  ...UNREADABLE,
  ...NAMELESS,
  ...RECORDS,
  ...LOST,
]
