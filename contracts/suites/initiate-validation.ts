import type { CallParts } from '../client/endpoint-call.ts'
import type { Exchange } from '../client/http-exchange.ts'
import { assumed, type CheckScenario, OBSERVING } from '../harness/judge/check.ts'
import type { ExpectedRefusal } from '../harness/judge/check-assertions.ts'
import { offersMethod } from '../harness/profile/missing-capability-reason.ts'
import { UNSTATED_STATUSES } from '../protocol/reason-codes.ts'
import { type SingleCallCheck, singleCallScenario } from './check-builders/single-call-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { codedPayment } from './given/payments.ts'
import { blikPayment, irisPayment, withMember } from './given/request-bodies.ts'

const blik = async ({ account, driver }: CheckContext) => blikPayment(account, await driver.oneTimeCode())
const iris = async ({ account }: CheckContext) => irisPayment(account)

/** A payment of no certain method has the control of BLIK; where BLIK is not offered, that of IRIS takes its place. */
const METHODS = {
  ANY: { body: (context: CheckContext) => codedPayment(context), control: 'VAL-01' },
  BLIK: { body: blik, control: 'VAL-01' },
  IRIS: { body: iris, control: 'VAL-02' },
}

/** Creates a check that initiate is refused with one member changed; `undefined` removes the member. */
const wrong = (
  id: string,
  clause: string,
  title: string,
  method: keyof typeof METHODS,
  path: string,
  value: unknown,
  refused: ExpectedRefusal,
  decision?: string,
): SingleCallCheck => ({
  id,
  clause,
  title,
  ...(decision && assumed(decision)),
  control: METHODS[method].control,
  refused: { ...refused, without: 'initiate.transactionId' },
  send: async context =>
    context.merchant.request('initiate', { json: withMember(await METHODS[method].body(context), path, value) }),
})

const BAD = { status: 400 }
const ANY = {}

// biome-ignore format: a table reads by its columns
const MEMBERS: SingleCallCheck[] = [
  wrong('VAL-03', '2.1, 7.1', 'no clientTransactionId: 400',              'ANY',  'clientTransactionId',        undefined,   BAD),
  wrong('VAL-04', '2.1, 7.1', 'no transactionType: 400',                  'ANY',  'transactionType',            undefined,   BAD),
  wrong('VAL-05', '2.1, 7.1', 'no paymentDetails: 400',                   'ANY',  'paymentDetails',             undefined,   BAD),
  wrong('VAL-06', '2.1, 7.1', 'no providerDetails.providerId: 400',       'ANY',  'providerDetails.providerId', undefined,   BAD),
  wrong('VAL-07', '2.1, 7.1', 'no payerDetails: 400',                     'ANY',  'payerDetails',               undefined,   BAD),
  wrong('VAL-08', '2.1, 7.1', 'a transactionType outside the list: 400',  'ANY',  'transactionType',            'SOMETIMES', BAD),
  wrong('VAL-09', '2.1',      'an invented providerId is refused',        'ANY',  'providerDetails.providerId', 'NOBODY',    ANY, 'D-44'),
  wrong('VAL-29', '2.1',      'metadata with a value that is no text: 400', 'ANY',  'metadata',                 { size: 1 }, BAD, 'D-45'),
  wrong('VAL-32', '2.1, 7.1', 'autoCapture that is no boolean: 400',      'ANY',  'paymentDetails.autoCapture', 'yes',       BAD),
  wrong('VAL-33', '2.1, 7.1', 'returnUrl that is no URL: 400',            'IRIS', 'returnUrl',                  'no url',    BAD),
]

// biome-ignore format: a table reads by its columns
const SUMS: SingleCallCheck[] = [
  { ...wrong('VAL-10', '2.2, 7.5', 'IRIS with amount 0 is refused or declined with 4000', 'IRIS', 'paymentDetails.amount', 0, { code: '4000' }), declined: { slot: 'initiate.reasonCode', code: '4000' } },
  wrong('VAL-11', '2.2',      'BLIK with amount 0 is refused',           'BLIK', 'paymentDetails.amount',   0,      ANY),
  wrong('VAL-12', '2.2',      'a negative amount is refused',            'ANY',  'paymentDetails.amount',   -1000,  ANY),
  wrong('VAL-13', '2.2, 7.1', 'an amount given as text: 400',            'ANY',  'paymentDetails.amount',   '1000', BAD),
  wrong('VAL-15', '2.2',      'BLIK with EUR is refused',                'BLIK', 'paymentDetails.currency', 'EUR',  ANY),
  wrong('VAL-16', '2.2',      'BLIK with country GR is refused',         'BLIK', 'paymentDetails.country',  'GR',   ANY),
  wrong('VAL-17', '2.2',      'IRIS with PLN is refused',                'IRIS', 'paymentDetails.currency', 'PLN',  ANY),
  wrong('VAL-18', '2.2',      'IRIS with country PL is refused',         'IRIS', 'paymentDetails.country',  'PL',   ANY),
  wrong('VAL-19', '2.2',      'an invalid currency is refused',      'ANY',  'paymentDetails.currency', 'ZZZ',  ANY),
]

// biome-ignore format: a table reads by its columns
const OF_THE_METHOD: SingleCallCheck[] = [
  wrong('VAL-20', '2.1, E4', 'IRIS without returnUrl: 400',           'IRIS', 'returnUrl',                undefined,    BAD),
  wrong('VAL-21', '2.3, E4', 'IRIS without payerId: 400',             'IRIS', 'payerDetails.payerId',     undefined,    BAD),
  wrong('VAL-22', '2.3, E4', 'BLIK without oneTimeCode: 400',         'BLIK', 'payerDetails.oneTimeCode', undefined,    BAD),
  wrong('VAL-23', '2.3',     'a oneTimeCode of five digits is refused',  'BLIK', 'payerDetails.oneTimeCode', '12345',   ANY),
  wrong('VAL-24', '2.3',     'a oneTimeCode of seven digits is refused', 'BLIK', 'payerDetails.oneTimeCode', '1234567', ANY),
  wrong('VAL-25', '2.3',     'a oneTimeCode with letters is refused',    'BLIK', 'payerDetails.oneTimeCode', '12a456',  ANY),
  wrong('VAL-35', '1',       'IRIS with RECURRING is refused',        'IRIS', 'transactionType',          'RECURRING',  ANY),
  wrong('VAL-36', '1',       'IRIS with TOKEN_ONLY is refused',       'IRIS', 'transactionType',          'TOKEN_ONLY', ANY),
]

const sent = (parts: (context: CheckContext) => Promise<CallParts>) => async (context: CheckContext) =>
  context.merchant.request('initiate', await parts(context))

const bytes = (text: string) => sent(async () => ({ bytes: Buffer.from(text) }))

// biome-ignore format: a table reads by its columns
const BODIES: SingleCallCheck[] = [
  { id: 'VAL-26', clause: '7.1', title: 'broken JSON: 400',             control: 'VAL-01', refused: BAD, send: bytes('{"clientTransactionId":') },
  { id: 'VAL-27', clause: '7.1', title: 'an empty body: 400',           control: 'VAL-01', refused: BAD, send: bytes('') },
  { id: 'VAL-28', clause: '7.1', title: 'a JSON array as the body: 400', control: 'VAL-01', refused: BAD, send: bytes('[]') },
  { id: 'VAL-34', clause: '4',   title: 'JSON labelled text/plain is refused', ...assumed('D-16'), control: 'VAL-01', refused: { or: UNSTATED_STATUSES.type },
    send: sent(async context => ({ json: await codedPayment(context), headers: { 'content-type': 'text/plain' } })) },
  { id: 'VAL-31', clause: '2.1', title: 'requestContext may be left out', tier: 3, send: sent(async context => ({ json: withMember(await codedPayment(context), 'requestContext', undefined) })) },
]

type Step = 'blik' | 'iris' | 'first' | 'again' | 'fraction' | 'extra'

const accepted: CheckScenario<CheckContext, Step> = {
  name: 'valid payments',
  tier: 3,
  needs: ['control.url'],
  play: async (context, keep) => {
    const initiate = (json: unknown): Promise<Exchange> => context.merchant.request('initiate', { json })
    const first = await codedPayment(context)
    const isBlik = offersMethod(context.profile, 'BLIK')
    const served = await keep(isBlik ? 'blik' : 'iris', initiate(first))
    await keep('first', Promise.resolve(served))
    if (isBlik && offersMethod(context.profile, 'IRIS')) await keep('iris', initiate(await iris(context)))
    const again = { ...(await codedPayment(context)), clientTransactionId: first.clientTransactionId }
    await keep('again', initiate(again))
    await keep('fraction', initiate(withMember(await codedPayment(context), 'paymentDetails.amount', 10.5)))
    await keep('extra', initiate(withMember(await codedPayment(context), 'nobodyKnowsThis', true)))
  },
  checks: [
    {
      id: 'VAL-01',
      clause: '2.6, 4',
      title: 'a valid BLIK payment is accepted and yields a transactionId',
      judge: (evidence, expect) => {
        expect.served(evidence.of('blik'))
        expect.field(evidence.of('blik'), 'initiate.transactionId')
      },
    },
    {
      id: 'VAL-02',
      clause: 'E4',
      title: 'a valid IRIS payment is accepted and yields a redirect URL',
      needs: ['fields.initiate.redirectUrl'],
      judge: (evidence, expect) => {
        expect.served(evidence.of('iris'))
        expect.field(evidence.of('iris'), 'initiate.redirectUrl')
      },
    },
    {
      id: 'VAL-42',
      clause: '2.1',
      title: 'a clientTransactionId used again under a fresh key makes another payment',
      control: 'VAL-01',
      judge: (evidence, expect) => {
        expect.served(evidence.of('again'))
        const ids = [evidence.of('first'), evidence.of('again')].map(it => expect.field(it, 'initiate.transactionId'))
        expect.differ('another transactionId', ids, evidence.of('again'))
      },
    },
    {
      id: 'VAL-43',
      clause: '2.6',
      title: 'two payments never share a transactionId',
      control: 'VAL-01',
      judge: (evidence, expect) => {
        const isBoth = offersMethod(expect.profile, 'BLIK') && offersMethod(expect.profile, 'IRIS')
        const other = isBoth ? 'iris' : 'again'
        const ids = [evidence.of('first'), evidence.of(other)].map(it => expect.field(it, 'initiate.transactionId'))
        expect.differ('two transactionIds', ids, evidence.of(other))
      },
    },
    {
      id: 'IRS-01',
      clause: 'E4',
      title: 'the redirect address is the absolute URL of a page',
      control: 'VAL-02',
      judge: (evidence, expect) => {
        const url = URL.parse(String(expect.field(evidence.of('iris'), 'initiate.redirectUrl')))
        const fine = url?.protocol === 'https:' || url?.protocol === 'http:'
        expect.holds(fine, 'an absolute URL of http or https', url?.href ?? 'no URL', evidence.of('iris'))
      },
    },
    observed('VAL-14', '2.2', 'an amount with a fraction', 'fraction'),
    observed('VAL-30', '9', 'an unknown request field', 'extra'),
  ],
}

function observed(
  id: string,
  clause: string,
  title: string,
  step: Step,
): CheckScenario<CheckContext, Step>['checks'][number] {
  return {
    id,
    clause,
    title,
    ...OBSERVING,
    judge: (evidence, expect) => expect.describeJudged(evidence.of(step)),
  }
}

const frame = { tier: 2, needs: ['control.url'] } as const

/** Checks of what initiate accepts and refuses (2.1 to 2.6). */
export const initiateValidation = [
  accepted,
  singleCallScenario({ name: 'initiate with one member wrong', ...frame }, MEMBERS),
  singleCallScenario({ name: 'sums, currencies, countries', ...frame }, SUMS),
  singleCallScenario({ name: 'what a method asks for', ...frame }, OF_THE_METHOD),
  singleCallScenario({ name: 'invalid bodies', ...frame }, BODIES),
]
