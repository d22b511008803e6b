import { randomUUID } from 'node:crypto'
import type { CallParts } from '../client/endpoint-call.ts'
import type { Exchange } from '../client/http-exchange.ts'
import { assumed, type CheckScenario } from '../harness/judge/check.ts'
import { offersMethod } from '../harness/profile/capabilities-that-checks-need.ts'
import { chargeUntilServed } from './charges-without-mandate.ts'
import { lastingMandate } from './check-builders/lasting-mandate.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectPremise } from './evidence/expect-premise.ts'
import { expectSecondPayment } from './evidence/expect-second-payment.ts'
import { expectOutcomeCode } from './evidence/outcome-reason-code.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { repeatCall } from './given/content-of-recorded-call.ts'
import { createMandatePayment, initiateMandate } from './given/create-mandate-payments.ts'
import {
  initiate,
  letShopper,
  NEW_CODE,
  type PaymentChoice,
  preparePayment,
  readTransactionId,
} from './given/create-payments.ts'
import { fetchToken } from './given/harmless-calls.ts'
import { begun, playTimeline } from './given/play-timed-checks.ts'
import { readInitiateOutcome, readOutcome } from './given/read-failed-payment-outcome.ts'
import { readStatusUntil, showsCategory } from './given/read-until.ts'
import { chargeBody, uniqueReference } from './given/request-bodies.ts'
import { fixedCodes } from './shopper-decisions.ts'
import { type ExpiryCheck, type ExpiryScene, TOKEN_EXPIRY } from './token-expiry.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const BLIK_WINDOW = 45
const ID = 'fields.initiate.transactionId'
const FINALIZED = ['authorized', 'captured', 'settled']

const start = async ({ context, organization }: ExpiryScene, choice: PaymentChoice): Promise<string> =>
  readTransactionId(context.profile, await initiate(organization, choice))

/** Confirms a payment just before its shopper's time is over; a refusal of the shopper counts only if it came too early. */
const confirmLate = (id: string, scene: ExpiryScene) => {
  const { context, organization, keep } = scene
  return begun(
    () => initiate(organization, NEW_CODE),
    async (initiated, ensureBefore) => {
      const transactionId = readTransactionId(context.profile, initiated)
      const acting = letShopper(context.profile, organization, initiated, NEW_CODE)
      const failure = await acting.then(() => undefined).catch((why: unknown) => why)
      ensureBefore(BLIK_WINDOW)
      await operationsOn(organization, transactionId).finalize()
      const status = await readStatusUntil(context.profile, organization, transactionId, [...FINALIZED, 'expired'])
      if (failure !== undefined && showsCategory(context.profile, status, 'expired', 'declined') !== true) throw failure
      await keep(id, Promise.resolve(status))
    },
  )
}

/** Leaves a payment alone until its shopper's time is over, and reads how it ended. */
const leaveAlone = (id: string, { context, organization, keep }: ExpiryScene, initiating: () => Promise<string>) =>
  begun(initiating, async transactionId => {
    const { status, reason } = await readOutcome(context.profile, organization, transactionId)
    await keep(`${id} reason`, Promise.resolve(reason))
    await keep(id, Promise.resolve(status))
  })

/** Initiates a payment that would make a mandate, and whose shopper never acts. */
const startMandate = async ({ context: { profile }, organization }: ExpiryScene, type: 'RECURRING' | 'TOKEN_ONLY') =>
  readTransactionId(profile, await initiateMandate(organization, type, { will: 'lapse' }))

/** Creates the check that the shopper's time is over after 45 s, of one type of payment: R6 makes no difference. */
const silence = (id: string, title: string, initiating: (scene: ExpiryScene) => Promise<string>): ExpiryCheck => ({
  id,
  clause: 'R6, 7.5',
  title,
  control: 'VAL-01',
  needs: ['blik.lapse', 'time.PT46S', ID, 'fields.status.reasonCode'],
  seconds: 46,
  play: scene => leaveAlone(id, scene, () => initiating(scene)),
  judge: (evidence, expect) => {
    expect.served(evidence.of(id))
    expectOutcomeCode([evidence.of(id), evidence.of(`${id} reason`)], '2000', expect)
  },
})

/** Initiates twice under one key; the code of a BLIK payment is no longer good then, and a new key takes a new one. */
const reuseKey = (id: string, { context, organization, keep }: ExpiryScene, isKeyNew: boolean) => {
  const { profile } = context
  const method = offersMethod(profile, 'IRIS') ? 'IRIS' : 'BLIK'
  const prepare = () => preparePayment(organization, { will: 'wait', method })
  const send = async (parts: CallParts): Promise<Exchange> =>
    organization.merchant.request('initiate', parts, await fetchToken(organization))
  return begun(
    async () => {
      const json = await prepare()
      return repeatCall(await keep(`${id} first`, send({ json, idempotencyKey: randomUUID() })))
    },
    async ({ bytes, ...key }) => {
      const isCodeOld = isKeyNew && method === 'BLIK'
      const body = isCodeOld || !bytes ? { json: await prepare() } : { bytes }
      await keep(id, send({ ...key, ...body }))
    },
  )
}

/** Charges a payer at once and much later. */
const chargeTwice = (id: string, { context, organization, keep }: ExpiryScene) =>
  begun(
    async () => {
      const payerId = uniqueReference()
      const transactionId = await createMandatePayment(context.profile, organization, 'RECURRING', { payerId })
      await operationsOn(organization, transactionId).finalize()
      await keep(`${id} at once`, chargeUntilServed({ ...context, ...organization }, transactionId, { payerId }))
      return chargeBody(organization.account, { payerId })
    },
    async json => keep(id, organization.merchant.request('charge', { json }, await fetchToken(organization))),
  )

const CHECKS: readonly ExpiryCheck[] = [
  {
    id: 'BLK-05',
    clause: 'R6',
    title: 'a confirmation at 44 s still counts',
    control: 'VAL-01',
    needs: ['blik.code', 'time.PT44S', ID, ...WITH_STATES.needs],
    exempt: fixedCodes,
    seconds: 43,
    within: 'PT2S',
    play: scene => confirmLate('BLK-05', scene),
    judge: (evidence, expect) => expect.inCategory(evidence.of('BLK-05'), ...FINALIZED),
  },
  silence('BLK-03', 'a shopper silent for more than 45 s: 2000', scene =>
    start(scene, { will: 'lapse', method: 'BLIK' }),
  ),
  silence('BLK-07', 'a shopper who is asked for a mandate and silent for more than 45 s: 2000', scene =>
    startMandate(scene, 'RECURRING'),
  ),
  silence('BLK-08', 'a shopper who is asked for a token and silent for more than 45 s: 2000', scene =>
    startMandate(scene, 'TOKEN_ONLY'),
  ),
  {
    id: 'BLK-04',
    clause: 'R6, 7.5',
    title: 'a code older than 120 s: 4000',
    control: 'VAL-01',
    needs: ['blik.code', 'time.PT2M1S', 'fields.initiate.reasonCode'],
    exempt: fixedCodes,
    seconds: 121,
    play: ({ context: { profile }, organization, keep }) =>
      begun(
        () => preparePayment(organization, NEW_CODE),
        async json => {
          const initiated = await keep('BLK-04', organization.merchant.request('initiate', { json }))
          await keep('BLK-04 outcome', readInitiateOutcome(profile, organization, initiated))
        },
      ),
    judge: (evidence, expect) => expectOutcomeCode(['BLK-04', 'BLK-04 outcome'].map(evidence.of), '4000', expect),
  },
  {
    id: 'IRS-07',
    clause: 'R7',
    title: 'an untouched request is alive just short of 5 minutes, the shortest validity',
    control: 'VAL-02',
    needs: ['time.PT5M', ID, ...WITH_STATES.needs],
    seconds: 4 * MINUTE,
    within: 'PT50S',
    play: scene =>
      begun(
        () => start(scene, { will: 'wait', method: 'IRIS' }),
        transactionId => scene.keep('IRS-07', operationsOn(scene.organization, transactionId).status()),
      ),
    judge: (evidence, expect) => expect.inCategory(evidence.of('IRS-07'), 'waiting', 'authenticated'),
  },
  {
    id: 'IRS-03',
    clause: 'R7, 7.5',
    title: 'an untouched request is dead after 30 minutes, or the 33 of the provider: 2000',
    control: 'VAL-02',
    needs: ['time.PT33M1S', ID, 'fields.status.reasonCode'],
    seconds: 33 * MINUTE + 1,
    play: scene => leaveAlone('IRS-03', scene, () => start(scene, { will: 'wait', method: 'IRIS' })),
    judge: (evidence, expect) => {
      expect.served(evidence.of('IRS-03'))
      expectOutcomeCode([evidence.of('IRS-03'), evidence.of('IRS-03 reason')], '2000', expect)
    },
  },
  ...TOKEN_EXPIRY,
  {
    id: 'IDM-22',
    clause: '8',
    title: 'a key 23 h 59 min old still replays',
    control: 'IDM-08',
    needs: ['time.PT24H', ID],
    seconds: 24 * HOUR - MINUTE,
    within: 'PT50S',
    play: scene => reuseKey('IDM-22', scene, false),
    judge: (evidence, expect) => {
      const [again, first] = [evidence.of('IDM-22'), evidence.of('IDM-22 first')]
      expectPremise(first, 'the first call under the key', expect)
      expect.served(again)
      const id = expect.field(first, 'initiate.transactionId')
      expect.equal('transactionId', expect.field(again, 'initiate.transactionId'), id, again)
    },
  },
  {
    id: 'IDM-23',
    clause: '8',
    title: 'a key more than 24 h old is new',
    ...assumed('D-21', 'D-109'),
    control: 'IDM-22',
    needs: ['time.PT26H', ID],
    seconds: 26 * HOUR,
    play: scene => reuseKey('IDM-23', scene, true),
    judge: (evidence, expect) => {
      const [later, first] = [evidence.of('IDM-23'), evidence.of('IDM-23 first')]
      expectPremise(first, 'the first call under the key', expect)
      expectSecondPayment(first, later, expect)
    },
  },
  {
    ...lastingMandate({
      id: 'VAL-66',
      after: 'a day',
      needs: ['time.PT26H', ID],
      premises: ['VAL-66 at once'],
      charge: 'VAL-66',
    }),
    seconds: 26 * HOUR,
    play: scene => chargeTwice('VAL-66', scene),
  },
]

/**
 * Scenario with checks that BLIK and IRIS payments, access tokens and idempotency keys expire on time, not before (8,
 * R6, R7).
 */
export const expiryOfPaymentsTokensAndIdempotencyKeys: CheckScenario<CheckContext> = {
  name: 'limits in time',
  tier: 3,
  play: async (context, keep, chosen) => {
    const scene = { context, organization: await context.organizationForTime(), keep }
    const wanted = CHECKS.filter(({ id }) => chosen.has(id))
    const timed = wanted.map(({ play, ...check }) => ({ ...check, ...play(scene) }))
    await playTimeline(scene.organization, timed, (id, why) => {
      keep(id, Promise.reject(why)).catch(() => undefined)
    })
  },
  checks: CHECKS.map(({ play: _, seconds: __, within: ___, ...check }) => check),
}
