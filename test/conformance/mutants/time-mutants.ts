import type { OperationName } from '../../../contracts/operations.ts'
import type { ProviderId } from '../../../contracts/protocol/provider-codes.ts'
import type { DeadlineName } from '../../../simulator/payments/deadline-kinds.ts'
import type { Payment } from '../../../simulator/payments/payment.ts'
import type { Reply } from '../../../simulator/store/unit-of-work.ts'
import { createClock } from '../../../simulator/support/clock.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../simulator/support/duration.ts'
import { isRead } from './grid-mutations-besides-layers.ts'
import { isCharge } from './lifecycle-mutants.ts'
import type { Mutant, Mutation } from './mutant.ts'
import { isCallTo, refuseCalls, replaceReplies, withFreshState } from './mutations-of-matching-calls.ts'
import { mutateReply, mutateStore, mutateWriteSet } from './simulator-mutations.ts'

/** A deadline of a method falls due earlier, or later. */
export const moving = (name: DeadlineName, by: number, method?: ProviderId) =>
  mutateWriteSet(save => {
    const { change } = save
    if (!change?.deadlines.some(deadline => deadline.name === name)) return undefined
    if (method && change.payment.providerId !== method) return undefined
    const deadlines = change.deadlines.map(it => (it.name === name ? { ...it, dueAt: it.dueAt + by } : it))
    return { ...save, change: { ...change, deadlines } }
  })

/** Keys are remembered shorter, or longer; with `afterInitiate` those of initiate as long as ever. */
const remembering = (by: number, afterInitiate = false) =>
  mutateWriteSet(save => {
    const { idempotentReply, change } = save
    const isInitiate = change?.payment.state === 'AWAITING_SHOPPER'
    return idempotentReply && !(afterInitiate && isInitiate)
      ? { ...save, idempotentReply: { ...idempotentReply, expiresAt: idempotentReply.expiresAt + by } }
      : undefined
  })

/** A deadline of some payments never falls due. */
const dropping = (name: DeadlineName, isMeant: (payment: Payment) => boolean) =>
  mutateWriteSet(save => {
    const { change } = save
    if (!change?.deadlines.some(deadline => deadline.name === name) || !isMeant(change.payment)) return undefined
    return { ...save, change: { ...change, deadlines: change.deadlines.filter(it => it.name !== name) } }
  })

const isInitiated = (type: Payment['transactionType']) => (payment: Payment) =>
  payment.transactionType === type && !isCharge(payment)

const keepingCodes = mutateStore((store, hits) => ({
  addBlikCode: (organizationId, code) => {
    hits.count += 1
    return store.addBlikCode(organizationId, { ...code, expiresAt: code.expiresAt + 10 * SECOND })
  },
}))

const shortTokens = refuseCalls(
  ({ token }, now) => token !== undefined && token.expiresAt - now < MINUTE,
  'TOKEN_EXPIRED',
)

/** Calls of these operations go on with an expired token. */
const forgettingExpiry = (reply: Reply, ...paths: string[]) =>
  replaceReplies(
    (call, { http, body }) => http === 401 && body.includes('"4061"') && isCallTo(...paths)(call),
    () => reply,
  )

/** One token is handed out to an organization for a scope until it ends, and each time with the life of a new one. */
const cachingTokens = (): Mutation => {
  const given = new Map<string, { reply: Reply; at: number }>()
  return (dataDir, hits) => {
    const clock = createClock()
    const caching = mutateReply((reply, call) => {
      const id = call.organization?.organizationId
      if (id === undefined || !isCallTo('/auth/token')(call) || reply.http >= 300) return undefined
      const [name, now] = [`${id} ${call.body}`, clock.now(id)]
      const known = given.get(name)
      if (known && now - known.at < 2 * HOUR) return known.reply
      given.set(name, { reply, at: now })
      return undefined
    })
    return { clock, ...caching(dataDir, hits) }
  }
}

/** One operation knows no payment that is older than a day. */
const forgettingPayments = (operation: OperationName) =>
  mutateStore((store, hits) => ({
    transact: unit =>
      store.transact({
        ...unit,
        decide: loaded => {
          const { payment } = loaded
          const isOld = payment !== undefined && unit.now - payment.createdAt > DAY
          if (!isOld || unit.needs.jobId !== undefined || !isRead(operation, unit.needs)) return unit.decide(loaded)
          hits.count += 1
          return unit.decide({ ...loaded, payment: undefined })
        },
      }),
  }))

const losingOldPayments = mutateStore((store, hits) => ({
  transact: unit =>
    store.transact({
      ...unit,
      decide: loaded => {
        const { paymentPage: page } = loaded
        const young = page?.payments.filter(({ createdAt }) => unit.now - createdAt <= DAY) ?? []
        if (!page || young.length === page.payments.length) return unit.decide(loaded)
        hits.count += 1
        return unit.decide({ ...loaded, paymentPage: { ...page, payments: young } })
      },
    }),
}))

const STARTED = { http: 202, body: '{"transactionId":"made-with-an-old-token"}' }
const FOUND = { http: 200, body: '{"payments":[],"timeline":[]}' }
const NOT_NOW = { http: 422, body: '{"statusInfo":{"reasonCode":"5002","message":"No."}}' }

// biome-ignore format: a table reads by its columns
export const TIME_MUTANTS: readonly Mutant[] = [
  { does: 'waits 40 seconds for a shopper of BLIK',    caughtBy: ['BLK-05'], stopsOthers: true, mutation: moving('shopper-window', -5 * SECOND, 'BLIK') },
  { does: 'waits a minute for a shopper of BLIK',      caughtBy: ['BLK-03', 'BLK-07', 'BLK-08'], stopsOthers: true, mutation: moving('shopper-window', 15 * SECOND, 'BLIK') },
  { does: 'accepts codes that are 130 seconds old',      caughtBy: ['BLK-04'], mutation: keepingCodes },
  { does: 'waits 3 minutes for a shopper of IRIS',     caughtBy: ['IRS-07'], mutation: moving('shopper-window', -27 * MINUTE, 'IRIS') },
  { does: 'waits 40 minutes for a shopper of IRIS',    caughtBy: ['IRS-03'], stopsOthers: true, mutation: moving('shopper-window', 10 * MINUTE, 'IRIS') },
  ...(['events', 'refund'] as const).map(operation => ({ does: `knows no payment of the day before on ${operation}`, caughtBy: ['RDS-23'], mutation: forgettingPayments(operation) })),
  { does: 'knows no payment of the day before on status', caughtBy: ['LIF-25', 'LIF-29', 'RDS-23'], mutation: forgettingPayments('status') },
  { does: 'finds no payment of the day before',         caughtBy: ['RDS-23'], mutation: losingOldPayments },
  { does: 'holds an authorization for eight days',     caughtBy: ['LIF-25'], mutation: moving('hold', DAY) },
  { does: 'holds an authorization for six days',       caughtBy: ['LIF-25'], mutation: moving('hold', -DAY) },
  { does: 'holds a charge for ever',                    caughtBy: ['GRD-70'], through: ['LIF-25'], mutation: dropping('hold', isCharge) },
  { does: 'holds what makes a mandate for ever',        caughtBy: ['GRD-70'], through: ['LIF-25'], mutation: dropping('hold', isInitiated('RECURRING')) },
  { does: 'captures what makes a mandate, ignoring autoCapture', caughtBy: ['GRD-70'], stopsOthers: true, mutation: mutateWriteSet(save => (save.change?.isNew && isInitiated('RECURRING')(save.change.payment) && !save.change.payment.autoCapture ? { ...save, change: { ...save.change, payment: { ...save.change.payment, autoCapture: true } } } : undefined)) },
  { does: 'waits for ever for the shopper of a mandate', caughtBy: ['BLK-07'], stopsOthers: true, mutation: dropping('shopper-window', isInitiated('RECURRING')) },
  { does: 'waits for ever for the shopper of a token',  caughtBy: ['BLK-08'], mutation: dropping('shopper-window', isInitiated('TOKEN_ONLY')) },
  { does: 'lets a consent wait for two days',           caughtBy: ['LIF-29'], mutation: moving('consent', DAY) },
  { does: 'ends a consent after an hour',               caughtBy: ['LIF-29'], mutation: moving('consent', -23 * HOUR) },
  { does: 'expires tokens a minute early',                caughtBy: ['TOK-19'], mutation: shortTokens },
  { does: 'begins payments with expired tokens',       caughtBy: ['TOK-22'], mutation: forgettingExpiry(STARTED, '/payments/initiate', '/payments/charge') },
  { does: 'shows reports with expired tokens',          caughtBy: ['TOK-22'], mutation: forgettingExpiry(FOUND, '/reports', '/reports/download') },
  { does: 'sets mocks with expired tokens',             caughtBy: ['TOK-22'], mutation: forgettingExpiry(FOUND, '/mock/set') },
  { does: 'hands out one token for two hours, with all of its life', caughtBy: ['TOK-24'], mutation: withFreshState(cachingTokens) },
  { does: 'searches and tells events with expired tokens', caughtBy: ['TOK-22'], mutation: forgettingExpiry(FOUND, '/payments/search', 'events') },
  { does: 'looks at the payment before the expiry of the token', caughtBy: ['TOK-22'], mutation: forgettingExpiry(NOT_NOW, '/payments/finalize', '/payments/capture', '/payments/cancel', '/payments/refund') },
  { does: 'expires a key after 23 hours',              caughtBy: ['IDM-22', 'IDM-43', 'IDM-44', 'IDM-46', 'IDM-47', 'IDM-48'], mutation: remembering(-HOUR) },
  { does: 'expires a key of all but initiate after an hour', caughtBy: ['IDM-43', 'IDM-44', 'IDM-46', 'IDM-47', 'IDM-48'], mutation: remembering(-23 * HOUR, true) },
  { does: 'keeps a key for two days',              caughtBy: ['IDM-23'], mutation: remembering(DAY) },
]
