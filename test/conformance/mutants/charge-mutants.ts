import type { Payment } from '../../../simulator/payments/payment.ts'
import { DAY } from '../../../simulator/support/duration.ts'
import { mutatePaymentFor } from './grid-mutations-besides-layers.ts'
import type { Mutant } from './mutant.ts'
import {
  bodyTextOf,
  isCallTo,
  refuseCalls,
  replaceReplies,
  withFreshState,
  withStatusAndCode,
} from './mutations-of-matching-calls.ts'
import { mutateStore, mutateVerifiedBodyAt } from './simulator-mutations.ts'

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
    caughtBy: ['VAL-45', 'VAL-46', 'VAL-47'],
    mutation: chargingAnybody,
  },
  {
    does: 'charges a payer who declined the mandate',
    caughtBy: ['VAL-46'],
    mutation: chargingPayersOf(({ state }) => state === 'DECLINED'),
  },
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
    caughtBy: ['ERR-11', 'ERR-21', 'VAL-45', 'VAL-46', 'VAL-47'],
    mutation: replaceReplies((call, { http }) => http === 422 && isCharge(call), withStatusAndCode(500)),
  },
  {
    does: 'refuses TOKEN_ONLY payments',
    caughtBy: ['VAL-44'],
    mutation: refuseCalls(
      call => bodyTextOf(call).includes('"TOKEN_ONLY"') && bodyTextOf(call).includes('"BLIK"'),
      'OPERATION_UNSUPPORTED',
    ),
  },
  {
    does: 'refuses charges by payerId',
    caughtBy: ['VAL-38'],
    mutation: refuseCalls(call => isCharge(call) && bodyTextOf(call).includes('"payerId"')),
  },
  {
    does: 'refuses charges by token',
    caughtBy: ['VAL-39'],
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
