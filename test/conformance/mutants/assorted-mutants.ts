import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Profile } from '../../../contracts/harness/profile/profile.ts'
import type { IdempotentReply } from '../../../simulator/store/unit-of-work.ts'
import type { Mutant, Mutation } from './mutant.ts'
import {
  bodyTextOf,
  isCallTo,
  mutateServedJson,
  refuseKeyEverAfter,
  replaceReplies,
  requestHeader,
  withFreshState,
  withStatusAndCode,
} from './mutations-of-matching-calls.ts'
import { mutateReply, mutateRequest, mutateStore } from './simulator-mutations.ts'

const isInitiate = isCallTo('/payments/initiate')
const isStatus = isCallTo('status')
const isEvents = isCallTo('events')

/** What was said under a key is said again to whoever uses it. */
const sharingKeys = withFreshState(() => {
  const known = new Map<string, IdempotentReply>()
  return mutateStore((store, hits) => ({
    transact: unit =>
      store.transact({
        ...unit,
        decide: loaded => {
          const { key = '' } = unit.needs
          const others =
            loaded.idempotentReply === undefined
              ? known.get(`${unit.organizationId === 'demo-merchant'} ${key}`)
              : undefined
          if (others) hits.count += 1
          const { result, save } = unit.decide(others ? { ...loaded, idempotentReply: others } : loaded)
          if (save?.idempotentReply)
            known.set(`${unit.organizationId !== 'demo-merchant'} ${key}`, save.idempotentReply)
          return { result, ...(save ? { save } : {}) }
        },
      }),
  }))
})

const impatient = withFreshState(() => {
  const polled = new Map<string, number>()
  const isTooOften = ({ url = '' }: { url?: string | undefined }): boolean => {
    polled.set(url, (polled.get(url) ?? 0) + 1)
    return (polled.get(url) ?? 0) > 3
  }
  return replaceReplies(
    (call, { http }) => http === 404 && isStatus(call) && isTooOften(call.incoming),
    withStatusAndCode(429, '3000'),
  )
})

const indiscreet = withFreshState(() => {
  const ids = new Map<string, unknown>()
  return mutateReply((reply, call) => {
    const key = requestHeader(call, 'idempotency-key')
    const body = JSON.parse(reply.body || '{}')
    if (!isInitiate(call)) return undefined
    if (reply.http < 300) ids.set(key, body.transactionId)
    return reply.http === 409 ? { http: 409, body: JSON.stringify({ ...body, before: ids.get(key) }) } : undefined
  })
})

const reviving = withFreshState(() => {
  const seen = new Set<string>()
  return mutateServedJson(isStatus, (body, call) => {
    const lifecycle = (body.lifecycle ?? {}) as Record<string, unknown>
    const url = call.incoming.url ?? ''
    if (lifecycle.state !== 'CANCELED') return undefined
    if (!seen.has(url)) return void seen.add(url)
    return { ...body, lifecycle: { ...lifecycle, state: 'DECLINED' } }
  })
})

const counting = withFreshState(() => {
  let reads = 0
  return mutateServedJson(isEvents, body => {
    reads += 1
    const timeline = (body.timeline ?? []) as unknown[]
    return { ...body, timeline: [...timeline, ...Array.from({ length: reads }, () => ({ type: 'payment.read' }))] }
  })
})

const emptyForFresh = mutateRequest(({ headers }) => {
  if (headers['idempotency-key'] !== '') return false
  headers['idempotency-key'] = crypto.randomUUID()
  return true
})

const withoutReturn: Mutation = mutateStore((store, hits) => ({
  transact: unit =>
    store.transact({
      ...unit,
      decide: loaded => {
        const { result, save } = unit.decide(loaded)
        if (!save?.change?.payment.returnUrl) return { result, ...(save ? { save } : {}) }
        hits.count += 1
        const { returnUrl: _, ...payment } = save.change.payment
        return { result, save: { ...save, change: { ...save.change, payment } } }
      },
    }),
}))

/** A deployment where a request says how long it is valid; ours takes no notice of that. */
const withValidity = (profile: Profile): Profile => ({
  ...profile,
  requests: { ...profile.requests, initiate: { ...profile.requests?.initiate, validitySeconds: '/validitySeconds' } },
  notApplicable: {},
})

/** An earlier run that has seen a field of the status more. */
const withEarlierRun = (profile: Profile): Profile => {
  const kit = 'kit' in profile.organization ? profile.organization.kit : '.'
  const earlierRun = join(kit, '../earlier.json')
  const asked = '{"transactionType":"ONE_TIME","providerDetails":{"providerId":"BLIK"}}'
  const common = { method: 'POST', url: 'https://localhost/x', headers: {} }
  const exchanges = [
    { request: { ...common, endpoint: 'initiate', body: asked }, body: '{"transactionId":"x"}' },
    { request: { ...common, endpoint: 'status' }, body: '{"once":"here","lifecycle":{"state":"AWAITING_SHOPPER"}}' },
  ].map(({ request, body }) => ({ request, response: { status: 200, headers: {}, body }, durationMs: 1 }))
  writeFileSync(earlierRun, JSON.stringify({ format: 1, journeys: [], exchanges }))
  return { ...profile, earlierRun, notApplicable: {} }
}

const madeUp = () => ({ http: 200, body: '{"transactionId":"x","status":"APPROVED"}' })

// biome-ignore format: a table reads by its columns
export const ASSORTED_MUTANTS: readonly Mutant[] = [
  { does: 'accepts a settle call',              caughtBy: ['LIF-06'], mutation: replaceReplies(isCallTo('/payments/settle'), madeUp) },
  { does: 'does not redirect the shopper back to the shop',            caughtBy: ['IRS-02'], tier: '4', mutation: withoutReturn },
  { does: 'accepts any payment validity',                       caughtBy: ['IRS-06'], profile: withValidity, config: { unknownMembers: 'ignore' }, only: ['IRS-06', 'IRS-08'] },
  { does: 'no longer returns a field of an earlier run',                caughtBy: ['VER-06'], profile: withEarlierRun, only: ['VER-06'] },
  { does: 'shares idempotency keys between merchants',           caughtBy: ['IDM-32'], mutation: sharingKeys },
  { does: 'stores 403 under the key',      caughtBy: ['IDM-40'], mutation: refuseKeyEverAfter(403, 'initiate') },
  { does: 'stores 401 under the key',      caughtBy: ['IDM-40'], mutation: refuseKeyEverAfter(401, 'initiate') },
  { does: 'shows the first transactionId in a key conflict',                   caughtBy: ['IDM-20'], mutation: indiscreet },
  { does: 'treats an empty key as a new one',       caughtBy: ['IDM-34'], mutation: emptyForFresh },
  { does: 'returns the one-time code in the response',                            caughtBy: ['ERR-17'], through: ['VAL-01'], mutation: mutateServedJson(isInitiate, (body, call) => ({ ...body, payerDetails: JSON.parse(bodyTextOf(call)).payerDetails })) },
  { does: 'limits status reads per payment',                             caughtBy: ['LIM-04'], mutation: impatient },
  { does: 'returns an error code in a success',           caughtBy: ['ERR-03'], through: ['RDS-12'], mutation: mutateServedJson(isCallTo('/payments/providers'), body => ({ ...body, statusInfo: { reasonCode: '4000' } })) },
  { does: 'adds an event on every read of the events',     caughtBy: ['LIF-24', 'RDS-13'], mutation: counting },
  { does: 'returns another state with the events',      caughtBy: ['RDS-14', 'RDS-21'], mutation: mutateServedJson(isEvents, body => ({ ...body, lifecycle: { ...(body.lifecycle as object), state: 'CAPTURED' } })) },
  { does: 'changes a final state',                           caughtBy: ['LIF-23'], mutation: reviving },
  { does: 'accepts finalize of a final payment',                  caughtBy: ['LIF-19', 'LIF-21'], mutation: replaceReplies((call, { http }) => http === 422 && isCallTo('finalize')(call), madeUp) },
  { does: 'accepts a token call in JSON',               caughtBy: ['TOK-10'], mutation: replaceReplies((call, { http }) => http >= 400 && isCallTo('/auth/token')(call) && requestHeader(call, 'content-type').includes('json'), madeUp) },
  { does: 'accepts JSON under another content type',             caughtBy: ['VAL-34'], mutation: replaceReplies(call => isInitiate(call) && requestHeader(call, 'content-type').startsWith('text/'), madeUp) },
  { does: 'accepts a capture of an expired authorization',                caughtBy: ['LIF-26'], mutation: replaceReplies((call, { http, body }) => http === 422 && isCallTo('capture')(call) && /expired/i.test(body), madeUp) },
]
