import { randomUUID } from 'node:crypto'
import type { ProviderOperation } from '../../../contracts/operations.ts'
import type { Payment } from '../../../simulator/payments/payment.ts'
import type { Reply } from '../../../simulator/store/unit-of-work.ts'
import { CALLER, isTargetOf } from './grid-layer-mutations.ts'
import { asIf, isCharge, neverSettling } from './lifecycle-mutants.ts'
import { type Mutant, type Mutation, gridMutant as mutant } from './mutant.ts'
import { bodyTextOf, withFreshState } from './mutations-of-matching-calls.ts'
import { mutateLoaded, mutateVerifiedBodyAt, mutateWriteSet, outermostLayer } from './simulator-mutations.ts'

const isIris = ({ providerId }: Payment) => providerId === 'IRIS'
const makesMandate = (payment: Payment) => payment.transactionType === 'RECURRING' && !isCharge(payment)
const isOneTimeBlik = (payment: Payment) => payment.providerId === 'BLIK' && payment.transactionType === 'ONE_TIME'

const doubleAmount = (operation: 'initiate' | 'charge', isMeant: RegExp) =>
  mutateVerifiedBodyAt(`/payments/${operation}`)(body =>
    isMeant.test(body) ? body.replace(/"amount":(\d+)/, (_, amount) => `"amount":${2 * Number(amount)}`) : body,
  )

/** An act is told, and only its idempotency key is kept. */
const doNothingFor = (act: ProviderOperation, isMeant: (payment: Payment) => boolean) =>
  mutateWriteSet((save, { needs }, { payment }) =>
    needs.providerCall === act && save.change && payment && isMeant(payment)
      ? { ...save, change: undefined }
      : undefined,
  )

/** A search does not find some payments. */
export const searchLoses = (isMeant: (payment: Payment) => boolean) =>
  mutateLoaded((loaded, hits) => {
    const page = loaded.paymentPage
    if (!page?.payments.some(isMeant)) return loaded
    hits.count += 1
    return { ...loaded, paymentPage: { ...page, payments: page.payments.filter(it => !isMeant(it)) } }
  })

const changeAtEvent = (type: string, isMeant: (payment: Payment) => boolean, change: (payment: Payment) => Payment) =>
  mutateWriteSet(save => {
    if (!save.change || !isMeant(save.change.payment)) return undefined
    if (!save.change.events.some(event => event.type === type)) return undefined
    return { ...save, change: { ...save.change, payment: change(save.change.payment) } }
  })

/** A replay is answered by the first response, and carried out once more under a key of its own. */
const runReplaysInSecret = (operation: ProviderOperation, isMeant: RegExp): Mutation =>
  withFreshState(() => {
    const first = new Map<string, Reply>()
    return (_dataDir, hits) =>
      outermostLayer(async (c, next) => {
        const { incoming } = c.env
        const key = incoming.headers['idempotency-key']
        const isOurs = String(incoming.headers['signature-input']).includes(CALLER)
        if (!isTargetOf(operation, incoming.url) || typeof key !== 'string' || !isOurs) return next()
        const known = first.get(`${key} ${incoming.headers['content-digest']}`)
        if (known) incoming.headers['idempotency-key'] = randomUUID()
        await next()
        const { call } = c.var
        if (!call.reply || call.reply.http >= 300) return
        if (known) hits.count += 1
        if (known) call.reply = known
        else if (isMeant.test(bodyTextOf(call))) first.set(`${key} ${incoming.headers['content-digest']}`, call.reply)
      })
  })

/** The amount of the parts that the grid of sums takes. */
const PART = 113
const IS_PART = new RegExp(`"amount":${PART}\\b`)

const STOPPING = { stopsOthers: true } as const

const REOPENED = { state: 'AUTHORIZED', captured: 0 } as const
const twice = (payment: Payment): Payment => ({ ...payment, settled: 2 * payment.settled })
const lessOne = (payment: Payment): Payment => ({
  ...payment,
  captured: payment.captured - 1,
  captures: payment.captures.map(capture => ({ ...capture, amount: capture.amount - 1 })),
})

/** Mutants of the grid rows of rule × kind of payment, tried against the grids alone. */
// biome-ignore format: a table reads by its columns
export const KINDS_OF_PAYMENT_MUTANTS: readonly Mutant[] = [
  mutant('takes twice the amount of a charge',                     ['GRD-62', 'GRD-63', 'GRD-65'], doubleAmount('charge', /./), STOPPING),
  mutant('takes twice the amount of a payment of IRIS',            ['GRD-62', 'GRD-63'], doubleAmount('initiate', /"IRIS"/)),
  mutant('takes twice the amount where a mandate is made',         ['GRD-62', 'GRD-63'], doubleAmount('initiate', /"RECURRING"/)),
  mutant('captures one unit less of a one-time payment of BLIK',   ['GRD-62', 'GRD-69'], changeAtEvent('payment.captured', it => isOneTimeBlik(it) && it.autoCapture && it.captured === it.amount, lessOne), STOPPING),
  mutant('captures no payment that makes a mandate',               ['GRD-62'], asIf('finalize', it => makesMandate(it) && it.autoCapture, { autoCapture: false }), STOPPING),
  mutant('settles no payment that makes a mandate',                ['GRD-65'], neverSettling(makesMandate), STOPPING),
  mutant('settles twice what was captured of a charge',            ['GRD-63'], changeAtEvent('payment.settled', isCharge, twice)),
  mutant('settles twice what was captured of a payment of IRIS',   ['GRD-63'], changeAtEvent('payment.settled', isIris, twice)),
  mutant('refuses to capture a charge by hand',                    ['GRD-62', 'GRD-94'], asIf('capture', it => isCharge(it) && it.state === 'AUTHORIZED', { state: 'EXPIRED' }), STOPPING),
  mutant('captures a settled charge again',                        ['GRD-67'], asIf('capture', it => isCharge(it) && it.state === 'SETTLED', REOPENED), STOPPING),
  mutant('voids a settled charge',                                 ['GRD-68'], asIf('cancel', it => isCharge(it) && it.state === 'SETTLED', REOPENED), STOPPING),
  mutant('voids a settled payment of IRIS',                        ['GRD-68'], asIf('cancel', it => isIris(it) && it.state === 'SETTLED', REOPENED), STOPPING),
  mutant('tells a refund of a charge and makes none',              ['GRD-64', 'GRD-95'], doNothingFor('refund', isCharge)),
  mutant('tells a refund of a payment of IRIS and makes none',     ['GRD-64', 'GRD-52', 'GRD-95'], doNothingFor('refund', isIris)),
  mutant('tells a second refund of a part and makes none',         ['GRD-52', 'GRD-69', 'GRD-91'], doNothingFor('refund', it => it.refunded > 0)),
  mutant('tells a second capture of a part and makes none',        ['GRD-52', 'GRD-69', 'GRD-91'], doNothingFor('capture', it => it.captured > 0), STOPPING),
  mutant('refuses the rest after a part was refunded',             ['GRD-69'], asIf('refund', it => it.refunded > 0, { state: 'REFUNDED' }), STOPPING),
  mutant('refuses the rest after a part was captured',             ['GRD-69'], asIf('capture', it => it.captured > 0 && it.captured < it.amount, { state: 'CAPTURED' }), STOPPING),
  mutant('limits a refund after several by the last alone',        ['GRD-91'], asIf('refund', it => it.state === 'REFUNDED' && it.refunds.length > 1, { state: 'PARTIALLY_REFUNDED', refunded: PART })),
  mutant('limits a capture after several by the last alone',       ['GRD-91'], asIf('capture', it => it.state === 'CAPTURED' && it.captures.length > 1, { state: 'PARTIALLY_CAPTURED', captured: PART })),
  mutant('takes an equal capture for the first and makes none',    ['GRD-69', 'GRD-91'], doNothingFor('capture', it => it.captured === PART)),
  mutant('takes an equal refund for the first and makes none',     ['GRD-69', 'GRD-91'], doNothingFor('refund', it => it.refunded === PART)),
  mutant('captures a part again in secret when it is replayed',    ['GRD-69', 'GRD-87'], runReplaysInSecret('capture', IS_PART), STOPPING),
  mutant('refunds a part again in secret when it is replayed',     ['GRD-69', 'GRD-87'], runReplaysInSecret('refund', IS_PART), STOPPING),
  mutant('tells the cancel of a charge and voids nothing',         ['GRD-35'], doNothingFor('cancel', isCharge)),
  mutant('tells the cancel of an authorization that makes a mandate and voids nothing', ['GRD-90'], doNothingFor('cancel', it => makesMandate(it) && it.state === 'AUTHORIZED')),
  mutant('tells the cancel of a mandate that waits and does nothing', ['GRD-90'], doNothingFor('cancel', it => makesMandate(it) && it.state === 'AWAITING_SHOPPER')),
  mutant('tells the cancel of a consent to a mandate and does nothing', ['GRD-90'], doNothingFor('cancel', it => makesMandate(it) && it.state === 'AUTHENTICATED')),
  mutant('tells the cancel of a payment for a token and does nothing', ['GRD-90'], doNothingFor('cancel', it => it.transactionType === 'TOKEN_ONLY')),
  mutant('tells the cancel of a consent to IRIS and does nothing', ['GRD-90'], doNothingFor('cancel', it => isIris(it) && it.state === 'AUTHENTICATED')),
  mutant('captures what makes a mandate after its cancel', ['GRD-90'], asIf('capture', it => makesMandate(it) && it.state === 'CANCELED', REOPENED)),
  mutant('finds no charge by a search',                            ['GRD-66'], searchLoses(isCharge)),
  mutant('finds no payment of IRIS by a search',                   ['GRD-66'], searchLoses(isIris)),
  mutant('finds no payment that makes a mandate by a search',      ['GRD-66'], searchLoses(makesMandate)),
  mutant('charges again in secret when a charge is replayed',      ['GRD-66'], runReplaysInSecret('charge', /./)),
  mutant('begins another payment of IRIS in secret for a replay',  ['GRD-66'], runReplaysInSecret('initiate', /"IRIS"/)),
]
