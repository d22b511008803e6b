import type { CallParts } from '../client/endpoint-call.ts'
import { type Exchange, isServed, responseJson } from '../client/http-exchange.ts'
import { choiceOf } from '../dialect/decision-choices.ts'
import { assumed, type CheckScenario, OBSERVING } from '../harness/judge/check.ts'
import type { Expect, ExpectedRefusal } from '../harness/judge/check-assertions.ts'
import { Untestable } from '../harness/judge/verdict-errors.ts'
import { offersMethod } from '../harness/profile/capabilities-that-checks-need.ts'
import { UNSTATED_STATUSES } from '../protocol/reason-codes.ts'
import { type SingleCallCheck, singleCallScenario } from './check-builders/single-call-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectSecondPayment, expectTwoIds } from './evidence/expect-second-payment.ts'
import { anyPayment, JUDGED_BY_BLIK, preparePayment } from './given/create-payments.ts'
import { irisPayment, withMember } from './given/request-bodies.ts'

const blik = (context: CheckContext) => preparePayment(context, { method: 'BLIK' })
const offered = (context: CheckContext) =>
  preparePayment(context, { method: offersMethod(context.profile, 'BLIK') ? 'BLIK' : 'IRIS' })
const iris = async (context: CheckContext) => irisPayment(context)
const any = (context: CheckContext) => anyPayment(context.profile, context)

/** A code that is valid is needed, so that the member is all that is wrong. */
const WITH_BLIK = { needs: ['blik.approve'] }

const METHODS = {
  ANY: { body: any, control: 'VAL-02' },
  IRIS: { body: iris, control: 'VAL-02' },
  BLIK: {
    body: async (context: CheckContext) => preparePayment(ensureUnmocked(context), JUDGED_BY_BLIK),
    control: 'VAL-01',
  },
}

/** Throws Untestable where only a mock stands for shoppers of BLIK: no provider judges its payments (E3). */
function ensureUnmocked(context: CheckContext): CheckContext {
  const { profile, shopper } = context
  if (shopper.without(JUDGED_BY_BLIK.without).lineFor('BLIK', 'approve') !== undefined) return context
  const line = 'shopper.codes.approve'
  throw new Untestable(`a mock may accept what BLIK refuses: add to ${profile.file} the line ${line}`, undefined, line)
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
  ...(method === 'BLIK' && WITH_BLIK),
  control: METHODS[method].control,
  refused: { ...refused, without: 'initiate.transactionId' },
  send: async context =>
    context.merchant.request('initiate', { json: withMember(await METHODS[method].body(context), path, value) }),
})

/** Accepts a decline as well: the provider may judge the payment, at once or later (7.5, S44). */
const orDeclined = (check: SingleCallCheck, code?: string): SingleCallCheck => ({
  ...check,
  declined: { slot: 'initiate.reasonCode', ...(code !== undefined && { code }) },
})

const BAD = { status: 400 }
const ANY = {}

/** Expects a returnUrl that is no URL to be refused, or to be served where the profile says so (D-110). */
const judgeReturnText = (exchange: Exchange, expect: Expect): void =>
  choiceOf(expect.profile, 'D-110') === 'any-text'
    ? expect.served(exchange)
    : expect.refused(exchange, { ...BAD, without: 'initiate.transactionId' })

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
  wrong('VAL-32', '2.1, 7.1', 'autoCapture that is no boolean: 400',      'ANY',  'paymentDetails.autoCapture', 'yes',       BAD, 'D-02'),
  {
    ...wrong('VAL-33', '2.1, 7.1', 'returnUrl that is no URL: 400',       'IRIS', 'returnUrl',                  'no url',    BAD, 'D-110'),
    judge: (evidence, expect) => judgeReturnText(evidence.of('VAL-33'), expect),
  },
]

// biome-ignore format: a table reads by its columns
const SUMS: SingleCallCheck[] = [
  orDeclined(wrong('VAL-10', '2.2, 7.5', 'IRIS with amount 0 is refused with 4xxx or declined with 4000', 'IRIS', 'paymentDetails.amount', 0, { code: '4' }), '4000'),
  orDeclined(wrong('VAL-11', '2.2',      'BLIK with amount 0 is refused',           'BLIK', 'paymentDetails.amount',   0,      ANY)),
  orDeclined(wrong('VAL-12', '2.2',      'a negative amount is refused',            'ANY',  'paymentDetails.amount',   -1000,  ANY)),
  wrong('VAL-13', '2.2, 7.1', 'an amount given as text: 400',            'ANY',  'paymentDetails.amount',   '1000', BAD, 'D-45'),
  orDeclined(wrong('VAL-15', '2.2',      'BLIK with EUR is refused',                'BLIK', 'paymentDetails.currency', 'EUR',  ANY)),
  orDeclined(wrong('VAL-16', '2.2',      'BLIK with country GR is refused',         'BLIK', 'paymentDetails.country',  'GR',   ANY)),
  orDeclined(wrong('VAL-17', '2.2',      'IRIS with PLN is refused',                'IRIS', 'paymentDetails.currency', 'PLN',  ANY)),
  orDeclined(wrong('VAL-18', '2.2',      'IRIS with country PL is refused',         'IRIS', 'paymentDetails.country',  'PL',   ANY)),
  orDeclined(wrong('VAL-19', '2.2',      'an invalid currency is refused',      'ANY',  'paymentDetails.currency', 'ZZZ',  ANY)),
]

// biome-ignore format: a table reads by its columns
const OF_THE_METHOD: SingleCallCheck[] = [
  wrong('VAL-20', '2.1, E4', 'IRIS without returnUrl: 400',           'IRIS', 'returnUrl',                undefined,    BAD),
  wrong('VAL-21', '2.3, E4', 'IRIS without payerId: 400',             'IRIS', 'payerDetails.payerId',     undefined,    BAD),
  wrong('VAL-22', '2.3, E4', 'BLIK without oneTimeCode: 400',         'BLIK', 'payerDetails.oneTimeCode', undefined,    BAD, 'D-44'),
  wrong('VAL-23', '2.3',     'a oneTimeCode of five digits is refused',  'BLIK', 'payerDetails.oneTimeCode', '12345',   ANY, 'D-42'),
  wrong('VAL-24', '2.3',     'a oneTimeCode of seven digits is refused', 'BLIK', 'payerDetails.oneTimeCode', '1234567', ANY, 'D-42'),
  wrong('VAL-25', '2.3',     'a oneTimeCode with letters is refused',    'BLIK', 'payerDetails.oneTimeCode', '12a456',  ANY, 'D-42'),
  orDeclined(wrong('VAL-35', '1',       'IRIS with RECURRING is refused',        'IRIS', 'transactionType',          'RECURRING',  ANY)),
  orDeclined(wrong('VAL-36', '1',       'IRIS with TOKEN_ONLY is refused',       'IRIS', 'transactionType',          'TOKEN_ONLY', ANY)),
]

const sent = (parts: (context: CheckContext) => Promise<CallParts>) => async (context: CheckContext) =>
  context.merchant.request('initiate', await parts(context))

const bytes = (text: string) => sent(async () => ({ bytes: Buffer.from(text) }))

// biome-ignore format: a table reads by its columns
const BODIES: SingleCallCheck[] = [
  { id: 'VAL-26', clause: '7.1', title: 'broken JSON: 400',             control: 'VAL-02', refused: BAD, send: bytes('{"clientTransactionId":') },
  { id: 'VAL-27', clause: '7.1', title: 'an empty body: 400', ...assumed('D-29'), control: 'VAL-02', refused: BAD, send: bytes('') },
  { id: 'VAL-28', clause: '7.1', title: 'a JSON array as the body: 400', control: 'VAL-02', refused: BAD, send: bytes('[]') },
  { id: 'VAL-34', clause: '4',   title: 'JSON labelled text/plain is refused', ...assumed('D-16'), control: 'VAL-02', refused: { or: UNSTATED_STATUSES.type, decidedBy: 'D-16' },
    send: sent(async context => ({ json: await any(context), headers: { 'content-type': 'text/plain' } })) },
  { id: 'VAL-31', clause: '2.1', title: 'requestContext may be left out', tier: 3, ...WITH_BLIK, control: 'VAL-01', send: sent(async context => ({ json: withMember(await blik(context), 'requestContext', undefined) })) },
]

type BlikStep = 'blik' | 'again' | 'iris'

const acceptedBlik: CheckScenario<CheckContext, BlikStep> = {
  name: 'valid payments of BLIK',
  tier: 3,
  ...WITH_BLIK,
  play: async (context, keep, chosen) => {
    const initiate = (json: unknown): Promise<Exchange> => context.merchant.request('initiate', { json })
    const first = await offered(context)
    await keep('blik', initiate(first))
    await keep('again', initiate({ ...(await offered(context)), clientTransactionId: first.clientTransactionId }))
    if (chosen.has('VAL-43')) await keep('iris', initiate(await any(context)))
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
      id: 'VAL-42',
      clause: '2.1',
      title: 'a clientTransactionId used again under a fresh key makes another payment',
      control: 'VAL-01',
      judge: (evidence, expect) => expectSecondPayment(evidence.of('blik'), evidence.of('again'), expect),
    },
    {
      id: 'VAL-43',
      clause: '2.6',
      title: 'two payments never share a transactionId',
      control: 'VAL-01',
      judge: (evidence, expect) => {
        expectTwoIds(evidence.of('blik'), evidence.of('iris'), expect)
        if (isServed(evidence.of('again'))) expectTwoIds(evidence.of('again'), evidence.of('iris'), expect)
      },
    },
  ],
}

type IrisStep = 'iris' | 'fraction' | 'extra'

const acceptedIris: CheckScenario<CheckContext, IrisStep> = {
  name: 'valid payments of IRIS',
  tier: 3,
  play: async (context, keep) => {
    const initiate = (json: unknown): Promise<Exchange> => context.merchant.request('initiate', { json })
    if (offersMethod(context.profile, 'IRIS')) await keep('iris', initiate(await iris(context)))
    await keep('fraction', initiate(withMember(await any(context), 'paymentDetails.amount', 10.5)))
    await keep('extra', initiate(withMember(await any(context), 'nobodyKnowsThis', true)))
  },
  checks: [
    {
      id: 'VAL-02',
      clause: 'E4',
      title: 'a valid IRIS payment is accepted and yields a redirect URL',
      needs: ['fields.initiate.redirectUrl'],
      judge: (evidence, expect) => {
        expect.served(evidence.of('iris'))
        const text = JSON.stringify(responseJson(evidence.of('iris')) ?? '')
        expect.holds(text.includes('://'), 'a redirect URL', 'a response without any URL', evidence.of('iris'))
        expect.field(evidence.of('iris'), 'initiate.redirectUrl')
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
  step: IrisStep,
): CheckScenario<CheckContext, IrisStep>['checks'][number] {
  return {
    id,
    clause,
    title,
    ...OBSERVING,
    judge: (evidence, expect) => expect.describeJudged(evidence.of(step)),
  }
}

const frame = { tier: 2 } as const

/** Scenarios with checks of what initiate accepts and refuses (2.1 to 2.6). */
export const initiateValidation = [
  acceptedBlik,
  acceptedIris,
  singleCallScenario({ name: 'initiate with one member wrong', ...frame }, MEMBERS),
  singleCallScenario({ name: 'sums, currencies, countries', ...frame }, SUMS),
  singleCallScenario({ name: 'what a method asks for', ...frame }, OF_THE_METHOD),
  singleCallScenario({ name: 'invalid bodies', ...frame }, BODIES),
]
