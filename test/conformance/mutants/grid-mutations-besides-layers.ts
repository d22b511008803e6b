import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { OperationName, ProviderOperation } from '../../../contracts/operations.ts'
import type { ApiCall } from '../../../simulator/http/api-call.ts'
import { toStatusFields } from '../../../simulator/operations/response-bodies.ts'
import type { Payment } from '../../../simulator/payments/payment.ts'
import type { Store } from '../../../simulator/store/store.ts'
import type { Loaded, MandateQuery, ReadSet, Reply } from '../../../simulator/store/unit-of-work.ts'
import { Refusal } from '../../../simulator/support/refusal.ts'
import { openTestStore } from '../../support/open-test-store.ts'
import { CALLER, isTargetOf } from './grid-layer-mutations.ts'
import type { Mutation } from './mutant.ts'
import { bodyTextOf, requestHeader, withFreshState } from './mutations-of-matching-calls.ts'
import { mutateReply, mutateStore, mutateVerifiedBody, outermostLayer } from './simulator-mutations.ts'

/** Mutation: one act sees the payment otherwise than it is; undefined leaves it. */
export const mutatePaymentFor = (
  act: ProviderOperation | readonly ProviderOperation[],
  change: (payment: Payment) => Payment | undefined,
): Mutation =>
  mutateStore((store, hits) => ({
    transact: unit =>
      store.transact({
        ...unit,
        decide: loaded => {
          const isMeant = [act].flat().some(name => name === unit.needs.providerCall)
          const changed = isMeant && loaded.payment && change(loaded.payment)
          if (!changed || loaded.idempotentReply) return unit.decide(loaded)
          hits.count += 1
          return unit.decide({ ...loaded, payment: changed })
        },
      }),
  }))

/** Mutation: an act on a payment that is seen otherwise than it is takes effect, and is refused. */
export const refuseAndDo = (act: ProviderOperation, change: (payment: Payment) => Payment | undefined): Mutation =>
  withFreshState(() => {
    const done = new Set<string>()
    const doing = mutatePaymentFor(act, payment => {
      const changed = change(payment)
      if (changed) done.add(payment.transactionId)
      return changed
    })
    const refusing = outermostLayer(async (c, next) => {
      await next()
      const { call } = c.var
      if (!isTargetOf(act, call.incoming.url) || (call.reply?.http ?? 400) >= 300) return
      if (done.delete(JSON.parse(bodyTextOf(call)).transactionId)) call.reply = refusalOf(422, '5002')
    })
    return async (dataDir, hits) => ({ ...(await doing(dataDir, hits)), ...refusing })
  })

/** Reply of a mutated operation that says no to what it has done. */
export const refusalOf = (http: number, reasonCode: string): Reply => ({
  http,
  body: JSON.stringify({ status: 'DECLINED', statusInfo: { reasonCode, message: 'No.' } }),
})

/** Mutation: an operation carries out what it refuses for its key: `keyOf` returns another key to do so under, if it is such a call. */
const carryOutUnder =
  (
    operation: OperationName,
    refusal: Reply,
    keyOf: (headers: IncomingMessage['headers']) => string | undefined,
  ): Mutation =>
  (_dataDir, hits) =>
    outermostLayer(async (c, next) => {
      const { incoming } = c.env
      const key = isTargetOf(operation, incoming.url) ? keyOf(incoming.headers) : undefined
      if (key !== undefined) incoming.headers['idempotency-key'] = key
      await next()
      const { call } = c.var
      if (key === undefined || (call.reply?.http ?? 400) >= 300) return
      hits.count += 1
      call.reply = refusal
    })

/** Mutation: one operation refuses a call without a key, and carries it out. */
export const keylessBegins = (operation: OperationName): Mutation =>
  carryOutUnder(operation, refusalOf(400, '4000'), headers =>
    headers['idempotency-key'] === undefined ? randomUUID() : undefined,
  )

/** Mutation: one operation refuses another body under a used key, and carries it out. */
export const conflictBegins = (operation: OperationName): Mutation =>
  withFreshState(() => {
    const first = new Map<string, unknown>()
    return carryOutUnder(operation, refusalOf(409, '3002'), headers => {
      const [key, digest] = [String(headers['idempotency-key']), headers['content-digest']]
      if (!first.has(key)) first.set(key, digest)
      return first.get(key) === digest ? undefined : randomUUID()
    })
  })

/** The read set by which the store recognises an operation. */
export const isRead = (
  operation: OperationName,
  { transactionId, events, payments, providerCall }: ReadSet,
): boolean => {
  if (operation === 'search') return payments !== undefined
  if (operation === 'status' || operation === 'events')
    return transactionId !== undefined && providerCall === undefined && (events === true) === (operation === 'events')
  return providerCall === operation
}

/** Mutation: one operation finds payments of the grid's organization for everybody; `asTheirs` under their account. */
export const shareWithStrangers =
  (operation: OperationName, { asTheirs = false, denied = false } = {}): Mutation =>
  async (dataDir, hits) => {
    const store = await openTestStore(dataDir)
    const transact: Store['transact'] = async unit => {
      if (unit.organizationId === CALLER || !isRead(operation, unit.needs)) return store.transact(unit)
      hits.count += 1
      const account = (await store.organization(unit.organizationId))?.accountIds[0] ?? ''
      const seen = (loaded: Loaded): Loaded =>
        asTheirs && loaded.payment
          ? { ...loaded, payment: { ...loaded.payment, processingAccountId: account } }
          : loaded
      return store.transact({ ...unit, organizationId: CALLER, decide: loaded => unit.decide(seen(loaded)) })
    }
    const denying = outermostLayer(async (c, next) => {
      await next()
      const { call } = c.var
      if (call.operation === operation && call.organization?.organizationId !== CALLER)
        call.reply = { http: 404, body: '{"status":"DECLINED","statusInfo":{"reasonCode":"4001","message":"No."}}' }
    })
    return { store: { ...store, transact }, ...(denied ? denying : {}) }
  }

/** Mutation: one operation takes the account of the grid's organization for everybody's. */
export const shareAccounts =
  (operation: OperationName): Mutation =>
  async (dataDir, hits) => {
    const store = await openTestStore(dataDir)
    const requireCertificate = async ({ incoming }: ApiCall) => {
      const certificate = (incoming.socket as import('node:tls').TLSSocket).getPeerX509Certificate()
      const known = certificate && (await store.certificate(certificate.fingerprint256))
      const [owner, caller] = [
        known && (await store.organization(known.organizationId)),
        await store.organization(CALLER),
      ]
      if (!owner || !caller) throw new Refusal('CERTIFICATE_REFUSED', 'certificate', 'There is no client certificate.')
      if (owner.organizationId === CALLER || !isTargetOf(operation, incoming.url)) return owner
      hits.count += 1
      return { ...owner, accountIds: [...owner.accountIds, ...caller.accountIds] }
    }
    return { store, layers: { requireCertificate } }
  }

/** Mutation: a replay of one operation tells how the payment stands today. */
export const replayToday = (act: ProviderOperation): Mutation =>
  mutateStore((store, hits) => ({
    transact: async unit => {
      const { organizationId, now, needs } = unit
      const stored =
        needs.providerCall === act && needs.key !== undefined
          ? await store.transact({
              organizationId,
              now,
              needs: { key: needs.key },
              decide: ({ idempotentReply }) => ({ result: idempotentReply }),
            })
          : undefined
      const body = stored?.reply && JSON.parse(stored.reply.body)
      const transactionId = body?.originalTransactionId ?? body?.transactionId
      if (!stored?.reply || transactionId === undefined) return store.transact(unit)
      const payment = await store.transact({
        organizationId,
        now,
        needs: { transactionId },
        decide: loaded => ({ result: loaded.payment }),
      })
      if (!payment) return store.transact(unit)
      hits.count += 1
      const reply = { ...stored.reply, body: JSON.stringify({ ...body, ...toStatusFields(payment) }) }
      return store.transact({
        ...unit,
        decide: loaded =>
          unit.decide(
            loaded.idempotentReply ? { ...loaded, idempotentReply: { ...loaded.idempotentReply, reply } } : loaded,
          ),
      })
    },
  }))

/** Mutation: one operation compares all members of a body with that of the first call under a key, except one. */
export const ignoreMember = (operation: OperationName, member: string): Mutation =>
  withFreshState(() => {
    const first = new Map<string, Record<string, unknown>>()
    return mutateVerifiedBody((body, call) => {
      const key = requestHeader(call, 'idempotency-key')
      const json = isTargetOf(operation, call.incoming.url) && key !== '' ? parsed(body) : undefined
      if (!json) return body
      const known = first.get(key)
      if (!known) first.set(key, json)
      return known ? JSON.stringify(withMemberOf(known, json, member.split('.'))) : body
    })
  })

type Json = Record<string, unknown>

/** Parses a body; undefined where it is no JSON, which is for the service to refuse. */
const parsed = (body: string): Json | undefined => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const withMemberOf = (known: Json, json: Json, [name = '', ...rest]: readonly string[]): Json => ({
  ...json,
  [name]: rest.length === 0 ? known[name] : withMemberOf(known[name] as Json, json[name] as Json, rest),
})

/** Mutation: a charge finds mandates of the grid's organization for everybody, with `byToken` only by their token. */
export const shareMandates = ({ byToken = false } = {}): Mutation =>
  mutateStore((store, hits) => ({
    transact: async unit => {
      const { organizationId, now, needs } = unit
      const isShared = needs.mandate && !(byToken && needs.mandate.paymentToken === undefined)
      if (organizationId === CALLER || !isShared) return store.transact(unit)
      const processingAccountId = (await store.organization(CALLER))?.accountIds[0] ?? ''
      const mandate = await store.transact({
        organizationId: CALLER,
        now,
        needs: { mandate: { ...needs.mandate, processingAccountId } as MandateQuery },
        decide: loaded => ({ result: loaded.mandate }),
      })
      if (!mandate) return store.transact(unit)
      hits.count += 1
      return store.transact({ ...unit, decide: loaded => unit.decide({ ...loaded, mandate }) })
    },
  }))

/** Mutation: an organization gets what the store keeps of another's call of this operation under the same key. */
export const shareReplies = (operation: OperationName): Mutation =>
  withFreshState(() => {
    const replies = new Map<string, { body: string; reply: Reply }>()
    return (_dataDir, hits) =>
      outermostLayer(async (c, next) => {
        await next()
        const { call } = c.var
        const key = requestHeader(call, 'idempotency-key')
        if (!isTargetOf(operation, call.incoming.url) || key === '') return
        const known = replies.get(key)
        const isOurs = call.organization?.organizationId === CALLER
        if (isOurs && !known && call.reply) replies.set(key, { body: bodyTextOf(call), reply: call.reply })
        if (isOurs || known?.body !== bodyTextOf(call)) return
        hits.count += 1
        call.reply = known.reply
      })
  })

/** Longest time for which a call waits for another under the same key, in milliseconds. */
const RACE_MS = 1_000

/** Mutation: one operation takes a call for a new one while another under the same key is under way. */
export const forgetKeyUnderWay = (operation: OperationName): Mutation =>
  withFreshState(() => {
    const underWay = new Map<string, { meet: () => void; ended: Promise<void> }>()
    return (_dataDir, hits) =>
      outermostLayer(async (c, next) => {
        const { incoming } = c.env
        const key = String(incoming.headers['idempotency-key'] ?? '')
        if (!isTargetOf(operation, incoming.url) || key === '') return next()
        const other = underWay.get(key)
        if (other) {
          hits.count += 1
          incoming.headers['idempotency-key'] = randomUUID()
          other.meet()
          await other.ended
          return next()
        }
        const { promise: met, resolve: meet } = Promise.withResolvers<void>()
        const { promise: ended, resolve: end } = Promise.withResolvers<void>()
        underWay.set(key, { meet, ended })
        setTimeout(meet, RACE_MS)
        await met
        await next()
        underWay.delete(key)
        end()
      })
  })

/** Mutation: the second of two acts on a payment that come at the same instant finds it as the first one did. */
export const shareSightOfPayment = (...acts: readonly ProviderOperation[]): Mutation =>
  withFreshState(() => {
    const seen = new Map<string, Payment>()
    let [underWay, isRace, meet] = [0, false, (): void => undefined]
    const sight = mutatePaymentFor(acts, payment => {
      const first = isRace ? seen.get(payment.transactionId) : undefined
      seen.set(payment.transactionId, payment)
      return first
    })
    const together = outermostLayer(async (c, next) => {
      if (!acts.some(act => isTargetOf(act, c.env.incoming.url))) return next()
      underWay += 1
      isRace = underWay > 1
      if (isRace) meet()
      else
        await new Promise<void>(resolve => {
          meet = resolve
          setTimeout(resolve, RACE_MS)
        })
      await next().finally(() => {
        underWay -= 1
        isRace &&= underWay > 0
      })
    })
    return async (dataDir, hits) => ({ ...(await sight(dataDir, hits)), ...together })
  })

/** Mutation: a search under the key of an earlier one gets its response. */
export const replaySearches: Mutation = withFreshState(() => {
  const replies = new Map<string, Reply>()
  return mutateReply((reply, call) => {
    const key = requestHeader(call, 'idempotency-key')
    if (!isTargetOf('search', call.incoming.url) || key === '') return undefined
    const known = replies.get(key)
    if (!known) replies.set(key, reply)
    return known
  })
})

/** Mutation: everybody finds one report of all payments so far. */
export const shareReports: Mutation = withFreshState(() => {
  const [ids, reportId] = [[] as string[], randomUUID()]
  return mutateReply((reply, call) => {
    const { url } = call.incoming
    if (reply.http >= 300 && reply.http !== 404) return undefined
    if (isTargetOf('initiate', url)) ids.push(JSON.parse(reply.body).transactionId)
    if (isTargetOf('reports', url)) return { http: 200, body: JSON.stringify({ reports: [{ reportId }] }) }
    return isTargetOf('downloadReport', url) ? { http: 200, body: ids.join() } : undefined
  })
})
