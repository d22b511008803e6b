import { randomUUID } from 'node:crypto'
import { type Exchange, isSuccess } from '../client/http-exchange.ts'
import { nowSeconds } from '../client/wall-clock.ts'
import { takesMember } from '../dialect/request-lens.ts'
import { assumed, type CheckScenario, OBSERVING } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { offersMethod } from '../harness/profile/capabilities-that-checks-need.ts'
import type { Profile } from '../harness/profile/profile.ts'
import type { CheckContext } from './context/check-context.ts'
import type { InitiateBody } from './drivers/shopper-driver-types.ts'
import { expectPremise } from './evidence/expect-premise.ts'
import { expectReplay, LATER_OF_TWO } from './evidence/expect-replay.ts'
import { expectSecondPayment, expectTwoIds } from './evidence/expect-second-payment.ts'
import { showsId } from './evidence/shows-id.ts'
import { anyPayment } from './given/create-payments.ts'
import { uniqueReference, withMember } from './given/request-bodies.ts'

const idOf = (exchange: Exchange, expect: Expect) => expect.field(exchange, 'initiate.transactionId')

/** Members that a request of IRIS has and one of BLIK has not (2.1, 2.3), with another value of each. */
const MEMBERS_OF_IRIS = {
  returnUrl: ({ returnUrl = '' }: InitiateBody) => `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}again=1`,
  'payerDetails.payerId': uniqueReference,
}

type MemberOfIris = keyof typeof MEMBERS_OF_IRIS

const takenMembersOfIris = (profile: Profile): MemberOfIris[] =>
  (Object.keys(MEMBERS_OF_IRIS) as MemberOfIris[]).filter(member => takesMember(profile, 'initiate', member))

type Step =
  | MemberOfIris
  | 'first'
  | 'replay'
  | 'signed anew'
  | 'conflict'
  | 'afterwards'
  | 'fresh'
  | 'spaced'
  | 'not a uuid'
  | 'of one beginning'
  | 'in capitals'
  | 'with a version'

const initiating: CheckScenario<CheckContext, Step> = {
  name: 'one key, initiate sent again',
  tier: 3,
  needs: ['fields.initiate.transactionId'],
  play: async (context, keep, chosen) => {
    const json = await anyPayment(context.profile, context)
    const send = (idempotencyKey: string, body: unknown = json) =>
      context.merchant.request('initiate', { json: body, idempotencyKey })
    const key = randomUUID()
    await keep('first', send(key))
    await keep('replay', send(key))
    const created = nowSeconds() - 5
    await keep(
      'signed anew',
      context.merchant.request('initiate', { json, idempotencyKey: key }, { signing: { created } }),
    )
    await keep('conflict', send(key, withMember(json, 'paymentDetails.amount', 2000)))
    if (offersMethod(context.profile, 'IRIS'))
      for (const member of takenMembersOfIris(context.profile))
        await keep(member, send(key, withMember(json, member, MEMBERS_OF_IRIS[member](json))))
    await keep('afterwards', send(key))
    const withNewCode = async () => ({
      ...json,
      payerDetails: (await anyPayment(context.profile, context)).payerDetails,
    })
    await keep('fresh', send(randomUUID(), offersMethod(context.profile, 'IRIS') ? json : await withNewCode()))
    await keep('spaced', context.merchant.request('initiate', { json, indent: 2, idempotencyKey: key }))
    const { serviceVersion } = context.profile
    if (serviceVersion !== undefined) {
      const headers = { 'service-version': serviceVersion }
      await keep('with a version', context.merchant.request('initiate', { json, idempotencyKey: key, headers }))
    }
    const named = `order-${randomUUID()}-attempt`
    await keep('not a uuid', send(`${named}-1`, await anyPayment(context.profile, context)))
    if (!chosen.has('IDM-50')) return
    await keep('of one beginning', send(`${named}-2`, await anyPayment(context.profile, context)))
    await keep('in capitals', send(`${named}-1`.toUpperCase(), await anyPayment(context.profile, context)))
  },
  checks: [
    {
      id: 'IDM-08',
      clause: 'I3',
      title: 'initiate replayed gives back the same transactionId',
      control: 'VAL-02',
      judge: (evidence, expect) => {
        expectPremise(evidence.of('first'), 'first', expect)
        expect.served(evidence.of('replay'))
        const [one, two] = [evidence.of('first'), evidence.of('replay')].map(it => String(idOf(it, expect)))
        expect.equal('transactionId', two, one, evidence.of('replay'))
      },
    },
    {
      id: 'IDM-09',
      clause: 'I3',
      title: 'status and meaning of the replay equal those of the original',
      control: 'VAL-02',
      judge: (evidence, expect) => expectReplay(evidence.of('replay'), evidence.of('first'), expect),
    },
    {
      id: 'IDM-29',
      clause: 'I3, 7.4',
      title: 'a replay signed anew is the same payload',
      control: 'IDM-08',
      judge: (evidence, expect) => expectReplay(evidence.of('signed anew'), evidence.of('first'), expect),
    },
    {
      id: 'IDM-15',
      clause: 'I4, 7.4.5',
      title: 'initiate, same key and another amount: 409',
      control: 'VAL-02',
      judge: (evidence, expect) => {
        expectPremise(evidence.of('first'), 'first', expect)
        expect.refused(evidence.of('conflict'), { status: 409 })
      },
    },
    {
      id: 'IDM-45',
      clause: 'I4',
      title: 'initiate, same key and another payer or returnUrl: 409',
      control: 'VAL-02',
      exempt: profile =>
        takenMembersOfIris(profile).length === 0 ? `${profile.file} says that initiate has neither` : undefined,
      judge: (evidence, expect) => {
        expectPremise(evidence.of('first'), 'first', expect)
        // An address that the service does not know may be refused first.
        for (const member of takenMembersOfIris(expect.profile))
          expect.refused(evidence.of(member), { status: 409, ...(member === 'returnUrl' && { or: 400 }) })
      },
    },
    {
      id: 'IDM-16',
      clause: 'I4',
      title: 'that 409 carries a 3xxx code',
      control: 'IDM-15',
      judge: (evidence, expect) => expect.refused(evidence.of('conflict'), { status: 409, code: '3' }),
    },
    {
      id: 'IDM-19',
      clause: 'I4',
      title: 'a conflict leaves the first payment untouched',
      control: 'IDM-08',
      judge: (evidence, expect) => expectReplay(evidence.of('afterwards'), evidence.of('first'), expect),
    },
    {
      id: 'IDM-20',
      clause: 'I4',
      title: 'the conflict reveals nothing of the first payload',
      ...assumed('D-08'),
      control: 'IDM-15',
      judge: (evidence, expect) => {
        const id = String(idOf(evidence.of('first'), expect))
        expect.response(evidence.of('conflict'))
        const isShown = showsId(evidence.of('conflict'), id)
        expect.holds(!isShown, 'nothing of the first payment', `its id ${id}`, evidence.of('conflict'))
      },
    },
    {
      id: 'IDM-21',
      clause: '2.1, I2',
      title: 'a fresh key with the same body makes a second payment',
      control: 'VAL-02',
      judge: (evidence, expect) => {
        expectPremise(evidence.of('first'), 'first', expect)
        expectSecondPayment(evidence.of('first'), evidence.of('fresh'), expect)
      },
    },
    {
      id: 'IDM-33',
      clause: 'I2',
      title: 'a unique key that is no UUID is accepted',
      ...assumed('D-18'),
      control: 'VAL-02',
      judge: (evidence, expect) => expect.served(evidence.of('not a uuid')),
    },
    {
      id: 'IDM-49',
      clause: '9, I3',
      title: 'a replay that names the stable version is the same payload',
      needs: ['serviceVersion'],
      control: 'IDM-08',
      judge: (evidence, expect) => expectReplay(evidence.of('with a version'), evidence.of('first'), expect),
    },
    {
      id: 'IDM-50',
      clause: 'I2',
      title: 'keys that begin alike, or differ in capitals only, are different keys',
      ...assumed('D-18'),
      control: 'IDM-33',
      judge: (evidence, expect) => {
        for (const step of ['of one beginning', 'in capitals'] as const) {
          expect.served(evidence.of(step))
          expectTwoIds(evidence.of('not a uuid'), evidence.of(step), expect)
        }
      },
    },
    {
      id: 'IDM-30',
      clause: 'I3',
      title: 'the same JSON with other spacing',
      ...OBSERVING,
      judge: (evidence, expect) => expect.describeJudged(evidence.of('spaced')),
    },
  ],
}

const TEN = Array.from({ length: 10 }, (_, index) => `call ${index}` as const)

const race: CheckScenario<CheckContext, `call ${number}`> = {
  name: 'ten identical requests at once',
  tier: 3,
  needs: ['fields.initiate.transactionId'],
  play: async (context, keep) => {
    const parts = { json: await anyPayment(context.profile, context), idempotencyKey: randomUUID() }
    await Promise.all(TEN.map(step => keep(step, context.merchant.request('initiate', parts))))
  },
  checks: [
    {
      id: 'IDM-28',
      clause: 'I3',
      title: 'ten identical requests at the same instant make one payment',
      control: 'VAL-02',
      judge: (evidence, expect) => {
        const served = TEN.map(step => evidence.of(step)).filter(exchange =>
          isSuccess(expect.response(exchange, LATER_OF_TWO).status),
        )
        const ids = new Set(served.map(exchange => String(idOf(exchange, expect))))
        expect.holds(ids.size === 1, 'one transactionId', `${ids.size} transactionIds`, served.at(-1))
        const others = TEN.map(step => evidence.of(step)).filter(
          ({ response }) => !isSuccess(response?.status) && !LATER_OF_TWO.includes(response?.status ?? 0),
        )
        expect.holds(
          others.length === 0,
          'the same response, 409 or 423 for the others',
          others[0] ? expect.describeJudged(others[0]) : '',
          others[0],
        )
      },
    },
  ],
}

/** Scenarios with checks of Idempotency-Key on initiate: replays, conflicts, ten concurrent calls (I2 to I4). */
export const initiateReplays = [initiating, race]
