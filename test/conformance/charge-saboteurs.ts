import { at, instead, remembering, saying, textOf, turningAway } from './break.ts'
import { calling, type Saboteur, storing } from './sabotage.ts'

const charging = calling('/payments/charge')

/** Whoever is named to be charged, the newest mandate of all will do. */
const chargingAnybody = storing((store, hits) => ({
  perform: async unit => {
    const { mandate: named } = unit.needs
    const [newest] = named ? await store.mandates(unit.organizationId, 1) : []
    if (!named || !newest) return store.perform(unit)
    const decide: typeof unit.decide = loaded => {
      if (loaded.mandate) return unit.decide(loaded)
      hits.count += 1
      return unit.decide({ ...loaded, mandate: { ...newest, payerId: named.payerId ?? newest.payerId } })
    }
    return store.perform({ ...unit, decide })
  },
}))

const isCharge = at('/payments/charge')

const chargingTheLast = remembering(() => {
  let last: string | undefined
  return charging(body => {
    const [, payer] = /"payerDetails":({[^}]*"payerId"[^}]*})/.exec(body) ?? []
    if (payer) last ??= payer
    return body.replace('"payerDetails":{}', `"payerDetails":${last ?? '{}'}`)
  })
})

/** What can go wrong with payments without their shopper (2.5). */
export const CHARGE_SABOTEURS: readonly Saboteur[] = [
  {
    does: 'never captures a charge',
    caughtBy: ['LIF-03'],
    sabotage: charging(body => body.replace('"autoCapture":true', '"autoCapture":false')),
  },
  {
    does: 'takes a one-time charge for a recurring one',
    caughtBy: ['VAL-40'],
    sabotage: charging(body => body.replace('"transactionType":"ONE_TIME"', '"transactionType":"RECURRING"')),
  },
  {
    does: 'charges somebody else where the payer has no mandate',
    caughtBy: ['VAL-45'],
    sabotage: chargingAnybody,
  },
  {
    does: 'says 500 where the payer has no mandate',
    caughtBy: ['ERR-11', 'ERR-21', 'VAL-45'],
    sabotage: instead((call, { http }) => http === 422 && isCharge(call), saying(500)),
  },
  {
    does: 'keeps no payer without a payment',
    caughtBy: ['VAL-44'],
    sabotage: turningAway(
      call => textOf(call).includes('"TOKEN_ONLY"') && textOf(call).includes('"BLIK"'),
      'OPERATION_UNSUPPORTED',
    ),
  },
  {
    does: 'charges by tokens only',
    caughtBy: ['VAL-38'],
    sabotage: turningAway(call => isCharge(call) && textOf(call).includes('"payerId"')),
  },
  {
    does: 'charges by payers only',
    caughtBy: ['VAL-39'],
    sabotage: turningAway(call => isCharge(call) && textOf(call).includes('"paymentToken"')),
  },
  {
    does: 'charges BLIK where IRIS was meant',
    caughtBy: ['VAL-41'],
    sabotage: charging(body => body.replace('"IRIS"', '"BLIK"').replace('"EUR"', '"PLN"').replace('"GR"', '"PL"')),
  },
  {
    does: 'charges the payer before where none is named',
    caughtBy: ['VAL-37'],
    sabotage: chargingTheLast,
  },
]
