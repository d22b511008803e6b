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
    caughtBy: ['VAL-45'],
    mutation: chargingAnybody,
  },
  {
    does: 'says 500 where the payer has no mandate',
    caughtBy: ['ERR-11', 'ERR-21', 'VAL-45'],
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
