import { type Exchange, isServed } from '../client/http-exchange.ts'
import { assumed } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import type { Evidence, KeepStep } from '../harness/judge/scenario-evidence.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { findField, isDecline } from '../harness/profile/response-fields-and-line-advice.ts'
import type { ProviderOperation } from '../operations.ts'
import { type IsolatedCheck, isolatedScenario } from './check-builders/checks-with-own-calls.ts'
import { WITH_STATES } from './check-builders/lifecycle-checks.ts'
import type { CheckContext } from './context/check-context.ts'
import { expectOutcomeCode } from './evidence/outcome-reason-code.ts'
import { operationsOn } from './given/calls-on-payment.ts'
import { authorize, createSettledPayment, ensureServed, initiate, letShopper } from './given/create-payments.ts'
import { ENDED, readOutcome } from './given/read-failed-payment-outcome.ts'
import { readStatusUntil } from './given/read-until.ts'
import { chargeBody } from './given/request-bodies.ts'
import { mandatePayer } from './grid/signed-operation-columns.ts'

/** A code of BLIK, and the reasonCode to which it is mapped (7.5). */
const TIMEOUT = { code: '3003', reasonCode: '2000' }
/** A code whose reasonCode is of no lifecycle rule, where a service refuses with 422 what its provider declines (D-07). */
const UNSUPPORTED = '3004'
const BLIK = 'BLIK'
const DECLINES = ['errors.declined']
const CAPTURED = ['captured', 'settled']

/** Has the provider decline the next call of an operation, and makes that call. */
const decline = async (
  { control }: CheckContext,
  keep: KeepStep<string>,
  operation: ProviderOperation,
  call: () => Promise<Exchange>,
  code = TIMEOUT.code,
): Promise<Exchange> => {
  await control.arm({ operation, kind: 'decline', code })
  return keep('declined', call())
}

/** Reads how a payment ended whose authorization was declined. */
const keepOutcome = async (context: CheckContext, keep: KeepStep<string>, id: unknown): Promise<void> => {
  if (id === undefined) return
  const { status, reason } = await readOutcome(context.profile, context, String(id))
  await keep('status', Promise.resolve(status))
  await keep('reason', Promise.resolve(reason))
}

const expectDeclined = (evidence: Evidence<string>, expect: Expect): void => {
  const places = ['declined', 'status', 'reason'].map(step => evidence.of(step))
  expectOutcomeCode(places, TIMEOUT.reasonCode, expect)
  expect.inCategory(evidence.of('status'), ...ENDED)
}

/** Expects that what the provider declined is told as a decline, or refused. */
const expectToldAsDecline = (evidence: Evidence<string>, expect: Expect): void => {
  const declined = evidence.of('declined')
  const { status } = expect.response(declined)
  const isTold = !isServed(declined) || isDecline(expect.profile, declined)
  expect.holds(isTold, 'a decline', `HTTP ${status} that tells none`, declined)
}

const authorized = async (context: CheckContext): Promise<string> =>
  authorize(context.profile, context, await initiate(context, { method: BLIK, autoCapture: false }))

/** Creates the check that a declined act leaves its payment as it was: the same act under a fresh key is served. */
const untaken = (
  id: string,
  operation: 'capture' | 'refund',
  create: (context: CheckContext) => Promise<string>,
  control: string,
): IsolatedCheck => ({
  id,
  clause: '7.4.1, 7.5',
  title: `a declined ${operation} takes nothing: the whole can still be taken`,
  ...assumed('D-81'),
  control,
  needs: DECLINES,
  play: async (context, keep) => {
    const act = operationsOn(context, await create(context))[operation]
    await decline(context, keep, operation, act, UNSUPPORTED)
    await keep('again', act())
  },
  judge: (evidence, expect) => {
    expectToldAsDecline(evidence, expect)
    expect.served(evidence.of('again'))
  },
})

const CHECKS: readonly IsolatedCheck[] = [
  {
    id: 'MAP-17',
    clause: '7.5',
    title: 'a finalize that the provider declines authorizes nothing, and says why',
    control: 'BLK-01',
    ...WITH_STATES,
    play: async (context, keep) => {
      const choice = { method: BLIK } as const
      const id = await letShopper(context.profile, context, await initiate(context, choice), choice)
      await decline(context, keep, 'finalize', operationsOn(context, id).finalize)
      await keepOutcome(context, keep, id)
    },
    judge: expectDeclined,
  },
  {
    id: 'MAP-18',
    clause: '7.5',
    title: 'a charge that the provider declines authorizes nothing, and says why',
    control: 'VAL-38',
    needs: ['fields.charge.transactionId', ...WITH_STATES.needs],
    play: async (context, keep) => {
      const { merchant, account, profile } = context
      const json = chargeBody(account, await mandatePayer(context))
      const charged = await decline(context, keep, 'charge', () => merchant.request('charge', { json }))
      await keepOutcome(context, keep, findField(profile, charged, 'charge.transactionId'))
    },
    judge: expectDeclined,
  },
  untaken('MAP-19', 'capture', authorized, 'LIF-01'),
  untaken('MAP-20', 'refund', context => createSettledPayment(context.profile, context), 'LIF-08'),
  {
    id: 'MAP-21',
    clause: '7.4.1, 7.5',
    title: 'a declined cancel voids nothing: the authorization can still be captured',
    ...assumed('D-81'),
    control: 'LIF-09',
    needs: [...DECLINES, ...WITH_STATES.needs],
    play: async (context, keep) => {
      const { profile } = context
      const id = await authorized(context)
      const { cancel, capture } = operationsOn(context, id)
      await decline(context, keep, 'cancel', cancel, UNSUPPORTED)
      await ensureServed(profile, keep('capture', capture())).catch(() => undefined)
      await keep('status', readStatusUntil(profile, context, id, CAPTURED))
    },
    judge: (evidence, expect) => {
      expectToldAsDecline(evidence, expect)
      expect.served(evidence.of('capture'))
      expect.inCategory(evidence.of('status'), ...CAPTURED)
    },
  },
]

const undeclinable = ({ control, file }: Profile): string | undefined =>
  control ? undefined : `no line of ${file} has a provider decline what follows initiate`

/** Scenario with checks of what providers decline once a payment has begun: it is told, and nothing is done (7.4.1, 7.5). */
export const declinesOfLaterSteps = isolatedScenario(
  { name: 'what providers decline later', tier: 3, needs: ['blik.approve', 'fields.initiate.transactionId'] },
  CHECKS.map(check => ({ ...check, exempt: undeclinable })),
)
