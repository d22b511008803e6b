import type { ProviderOperation } from '../../../contracts/operations.ts'
import type { Payment } from '../../../simulator/payments/payment.ts'
import type { Reply } from '../../../simulator/store/unit-of-work.ts'
import { DAY, HOUR } from '../../../simulator/support/duration.ts'
import { mutatePaymentFor } from './grid-mutations-besides-layers.ts'
import type { Mutant } from './mutant.ts'
import {
  bodyTextOf,
  isCallTo,
  mutateServedJson,
  refuseCalls,
  replaceReplies,
  withFreshState,
  withStatusAndCode,
} from './mutations-of-matching-calls.ts'
import { mutateReply, mutateStore, mutateVerifiedBodyAt, mutateWriteSet } from './simulator-mutations.ts'

const charging = mutateVerifiedBodyAt('/payments/charge')

/** Whoever is named to be charged, the newest mandate of all will do. */
const chargingAnybody = mutateStore((store, hits) => ({
  transact: async unit => {
    const { mandate: named } = unit.needs
    const [newest] = named ? await store.mandates(unit.organizationId, 1) : []
    if (!named || !newest) return store.transact(unit)
    const decide: typeof unit.decide = loaded => {
      if (loaded.mandate) return unit.decide(loaded)
      hits.count += 1
      return unit.decide({ ...loaded, mandate: { ...newest, payerId: named.payerId ?? newest.payerId } })
    }
    return store.transact({ ...unit, decide })
  },
}))

/** A payer without a mandate is charged where a payment of this payer is of a kind. */
const chargingPayersOf = (isMeant: (payment: Payment) => boolean) =>
  mutateStore((store, hits) => ({
    transact: async unit => {
      const { organizationId, now, needs } = unit
      const payerId = needs.mandate?.payerId
      if (payerId === undefined) return store.transact(unit)
      const payments = await store.transact({
        organizationId,
        now,
        needs: { payments: { payerId, limit: 20 }, isReadOnly: true },
        decide: ({ paymentPage }) => ({ result: paymentPage?.payments ?? [] }),
      })
      const past = payments.find(isMeant)
      if (!past) return store.transact(unit)
      const { processingAccountId } = past
      const mandate = { paymentToken: 'any', organizationId, processingAccountId, payerId, providerId: 'BLIK' } as const
      const decide: typeof unit.decide = loaded => {
        if (loaded.mandate) return unit.decide(loaded)
        hits.count += 1
        return unit.decide({ ...loaded, mandate: { ...mandate, createdAt: now, expiresAt: now + DAY } })
      }
      return store.transact({ ...unit, decide })
    },
  }))

const isCharge = isCallTo('/payments/charge')

const chargingTheLast = withFreshState(() => {
  let last: string | undefined
  return charging(body => {
    const [, payer] = /"payerDetails":({[^}]*"payerId"[^}]*})/.exec(body) ?? []
    if (payer) last ??= payer
    return body.replace('"payerDetails":{}', `"payerDetails":${last ?? '{}'}`)
  })
})

/** Payers who cannot be charged, by the state of the payment that would make their mandate. */
const STANDINGS: readonly (readonly [does: string, caughtBy: string, state: Payment['state']])[] = [
  ['charges a payer who has not decided', 'VAL-49', 'AWAITING_SHOPPER'],
  ['charges a payer whose consent is not finalized', 'VAL-50', 'AUTHENTICATED'],
  ['charges a payer whose mandate was called off', 'VAL-51', 'CANCELED'],
  ['charges a payer who stayed silent', 'VAL-52', 'EXPIRED'],
]

const makingNoMandateOfTokens = mutateWriteSet(save =>
  save.mandate && save.change?.payment.transactionType === 'TOKEN_ONLY' ? { ...save, mandate: undefined } : undefined,
)

const tokensNotMade = mutateWriteSet((save, { needs }, { payment }) =>
  needs.providerCall === 'finalize' && save.change && payment?.transactionType === 'TOKEN_ONLY'
    ? { ...save, change: undefined, mandate: undefined }
    : undefined,
)

const handingOutTheLastToken = withFreshState(() => {
  let last: string | undefined
  return mutateServedJson(isCallTo('/payments/finalize'), body => {
    const payer = body.payerDetails as { paymentToken?: string } | undefined
    if (!payer?.paymentToken) return undefined
    const paymentToken = last ?? payer.paymentToken
    last = payer.paymentToken
    return paymentToken === payer.paymentToken ? undefined : { ...body, payerDetails: { ...payer, paymentToken } }
  })
})

/** Mandates of payers end with an act on a payment of theirs that made one. */
const endingWith = (act: ProviderOperation) =>
  withFreshState(() => {
    const ended = new Set<string>()
    return mutateStore((store, hits) => ({
      transact: unit =>
        store.transact({
          ...unit,
          decide: loaded => {
            const { payment, mandate } = loaded
            const decided = unit.decide(loaded)
            if (unit.needs.providerCall === act && payment?.paymentToken && decided.save?.change)
              ended.add(payment.paymentToken)
            if (!mandate || !ended.has(mandate.paymentToken)) return decided
            hits.count += 1
            return unit.decide({ ...loaded, mandate: undefined })
          },
        }),
    }))
  })

/** Mandates are good for a time alone. */
const endingAfter = (ms: number) =>
  mutateStore((store, hits) => ({
    transact: unit =>
      store.transact({
        ...unit,
        decide: loaded => {
          if (!loaded.mandate || unit.now - loaded.mandate.createdAt < ms) return unit.decide(loaded)
          hits.count += 1
          return unit.decide({ ...loaded, mandate: undefined })
        },
      }),
  }))

const isByBoth = (body: string) => body.includes('"payerId"') && body.includes('"paymentToken"')

const refusingBoth = refuseCalls(call => isCharge(call) && isByBoth(bodyTextOf(call)))

const ignoringThePayer = charging(body => (isByBoth(body) ? body.replace(/"payerId":"[^"]*",?/, '') : body))

const joiningEqualCharges = withFreshState(() => {
  const known = new Map<string, Reply>()
  return mutateReply((reply, call) => {
    if (!isCharge(call) || reply.http >= 300) return undefined
    const first = known.get(bodyTextOf(call))
    known.set(bodyTextOf(call), first ?? reply)
    return first && first.body !== reply.body ? first : undefined
  })
})

/** Mutants of charges, which are payments without their shopper (2.5). */
export const CHARGE_MUTANTS: readonly Mutant[] = [
  {
    does: 'never captures a charge',
    caughtBy: ['LIF-03'],
    mutation: charging(body => body.replace('"autoCapture":true', '"autoCapture":false')),
  },
  {
    does: 'takes a one-time charge for a recurring one',
    caughtBy: ['VAL-40'],
    mutation: charging(body => body.replace('"transactionType":"ONE_TIME"', '"transactionType":"RECURRING"')),
  },
  {
    does: 'charges another payer where the named one has no mandate',
    caughtBy: ['VAL-45', 'VAL-46', 'VAL-47', 'VAL-49', 'VAL-50', 'VAL-51', 'VAL-52'],
    mutation: chargingAnybody,
  },
  {
    does: 'charges a payer who declined the mandate',
    caughtBy: ['VAL-46'],
    mutation: chargingPayersOf(({ state }) => state === 'DECLINED'),
  },
  ...STANDINGS.map(([does, caughtBy, state]) => ({
    does,
    caughtBy: [caughtBy],
    mutation: chargingPayersOf(past => past.state === state),
  })),
  { does: 'makes no mandate of a TOKEN_ONLY payment', caughtBy: ['VAL-53'], mutation: makingNoMandateOfTokens },
  {
    does: 'tells the finalize of a TOKEN_ONLY payment and makes nothing',
    caughtBy: ['VAL-53'],
    mutation: tokensNotMade,
  },
  {
    does: "hands out another payer's token",
    caughtBy: ['VAL-53'],
    through: ['VAL-54'],
    mutation: handingOutTheLastToken,
  },
  {
    does: 'ends a mandate when the payment that made it is voided',
    caughtBy: ['VAL-64'],
    mutation: endingWith('cancel'),
  },
  {
    does: 'ends a mandate when the payment that made it is refunded',
    caughtBy: ['VAL-65'],
    mutation: endingWith('refund'),
  },
  { does: 'ends a mandate after an hour', caughtBy: ['VAL-66'], mutation: endingAfter(HOUR) },
  { does: 'refuses charges by payerId and token together', caughtBy: ['VAL-53', 'VAL-54'], mutation: refusingBoth },
  { does: 'charges a payer by the token of another', caughtBy: ['VAL-55'], mutation: ignoringThePayer },
  { does: 'takes an equal charge for the one before', caughtBy: ['VAL-56'], mutation: joiningEqualCharges },
  {
    does: 'charges a payer who has paid once',
    caughtBy: ['VAL-47'],
    mutation: chargingPayersOf(({ transactionType }) => transactionType === 'ONE_TIME'),
  },
  {
    does: 'takes the money of a payment that asks for a token only',
    caughtBy: ['VAL-48'],
    mutation: mutatePaymentFor('finalize', payment =>
      payment.transactionType === 'TOKEN_ONLY'
        ? { ...payment, transactionType: 'RECURRING', autoCapture: true }
        : undefined,
    ),
  },
  {
    does: 'says 500 where the payer has no mandate',
    caughtBy: ['ERR-11', 'ERR-21', 'VAL-45', 'VAL-46', 'VAL-47', 'VAL-49', 'VAL-50', 'VAL-51', 'VAL-52', 'VAL-55'],
    mutation: replaceReplies((call, { http }) => http === 422 && isCharge(call), withStatusAndCode(500)),
  },
  {
    does: 'refuses TOKEN_ONLY payments',
    caughtBy: ['VAL-44'],
    stopsOthers: true,
    mutation: refuseCalls(
      call => bodyTextOf(call).includes('"TOKEN_ONLY"') && bodyTextOf(call).includes('"BLIK"'),
      'OPERATION_UNSUPPORTED',
    ),
  },
  {
    does: 'refuses charges by payerId',
    caughtBy: ['VAL-38', 'VAL-54'],
    stopsOthers: true,
    mutation: refuseCalls(call => isCharge(call) && bodyTextOf(call).includes('"payerId"')),
  },
  {
    does: 'refuses charges by token',
    caughtBy: ['VAL-39', 'VAL-53'],
    mutation: refuseCalls(call => isCharge(call) && bodyTextOf(call).includes('"paymentToken"')),
  },
  {
    does: 'charges BLIK instead of IRIS',
    caughtBy: ['VAL-41'],
    mutation: charging(body => body.replace('"IRIS"', '"BLIK"').replace('"EUR"', '"PLN"').replace('"GR"', '"PL"')),
  },
  {
    does: 'charges the previous payer where none is named',
    caughtBy: ['VAL-37'],
    mutation: chargingTheLast,
  },
]
