import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Profile } from '../../contracts/harness/profile.ts'
import type { Remembered, Reply } from '../../simulator/store/port.ts'
import { at, headerOf, instead, remembering, saying, telling, textOf } from './break.ts'
import { answering, receiving, type Sabotage, type Saboteur, storing } from './sabotage.ts'

const isInitiate = at('/payments/initiate')
const isStatus = at('status')
const isEvents = at('events')

/** What was said under a key is said again to whoever uses it. */
const sharingKeys = remembering(() => {
  const known = new Map<string, Remembered>()
  return storing((store, hits) => ({
    perform: unit =>
      store.perform({
        ...unit,
        decide: loaded => {
          const { key = '' } = unit.needs
          const others =
            loaded.remembered === undefined ? known.get(`${unit.organizationId === 'demo-merchant'} ${key}`) : undefined
          if (others) hits.count += 1
          const { result, save } = unit.decide(others ? { ...loaded, remembered: others } : loaded)
          if (save?.remember) known.set(`${unit.organizationId !== 'demo-merchant'} ${key}`, save.remember)
          return { result, ...(save ? { save } : {}) }
        },
      }),
  }))
})

/** A key that was refused is refused ever after. */
const blaming = (status: number) =>
  remembering(() => {
    const refused = new Map<string, Reply>()
    return answering((reply, call) => {
      const key = headerOf(call, 'idempotency-key')
      const known = refused.get(key)
      if (key !== '' && reply.http === status) refused.set(key, reply)
      return known
    })
  })

const impatient = remembering(() => {
  const polled = new Map<string, number>()
  const isTooOften = ({ url = '' }: { url?: string | undefined }): boolean => {
    polled.set(url, (polled.get(url) ?? 0) + 1)
    return (polled.get(url) ?? 0) > 3
  }
  return instead((call, { http }) => http === 404 && isStatus(call) && isTooOften(call.incoming), saying(429, '3000'))
})

const indiscreet = remembering(() => {
  const ids = new Map<string, unknown>()
  return answering((reply, call) => {
    const key = headerOf(call, 'idempotency-key')
    const body = JSON.parse(reply.body || '{}')
    if (!isInitiate(call)) return undefined
    if (reply.http < 300) ids.set(key, body.transactionId)
    return reply.http === 409 ? { http: 409, body: JSON.stringify({ ...body, before: ids.get(key) }) } : undefined
  })
})

const reviving = remembering(() => {
  const seen = new Set<string>()
  return telling(isStatus, (body, call) => {
    const lifecycle = (body.lifecycle ?? {}) as Record<string, unknown>
    const url = call.incoming.url ?? ''
    if (lifecycle.state !== 'CANCELED') return undefined
    if (!seen.has(url)) return void seen.add(url)
    return { ...body, lifecycle: { ...lifecycle, state: 'DECLINED' } }
  })
})

const counting = remembering(() => {
  let reads = 0
  return telling(isEvents, body => {
    reads += 1
    const timeline = (body.timeline ?? []) as unknown[]
    return { ...body, timeline: [...timeline, ...Array.from({ length: reads }, () => ({ type: 'payment.read' }))] }
  })
})

const emptyForFresh = receiving(({ headers }) => {
  if (headers['idempotency-key'] !== '') return false
  headers['idempotency-key'] = crypto.randomUUID()
  return true
})

const withoutReturn: Sabotage = storing((store, hits) => ({
  perform: unit =>
    store.perform({
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
  const request = { method: 'GET', url: 'https://localhost/', headers: {}, endpoint: 'status' }
  const answer = { status: 200, headers: {}, body: '{"transactionId":"x","once":"here"}' }
  writeFileSync(
    earlierRun,
    JSON.stringify({ format: 1, journeys: [], exchanges: [{ request, answer, durationMs: 1 }] }),
  )
  return { ...profile, earlierRun, notApplicable: {} }
}

const madeUp = () => ({ http: 200, body: '{"transactionId":"x","status":"APPROVED"}' })

// biome-ignore format: a table reads by its columns
export const LATE_SABOTEURS: readonly Saboteur[] = [
  { does: 'settles when it is asked to',              caughtBy: ['LIF-06'], sabotage: instead(at('/payments/settle'), madeUp) },
  { does: 'leads nobody back to the shop',            caughtBy: ['IRS-02'], tier: '4', sabotage: withoutReturn },
  { does: 'takes any validity',                       caughtBy: ['IRS-06'], profile: withValidity, only: ['IRS-06', 'IRS-08'] },
  { does: 'has dropped a field since',                caughtBy: ['VER-06'], profile: withEarlierRun, only: ['VER-06'] },
  { does: 'mixes up the keys of merchants',           caughtBy: ['IDM-32'], sabotage: sharingKeys },
  { does: 'holds a missing scope against a key',      caughtBy: ['IDM-40'], sabotage: blaming(403) },
  { does: 'holds a bad signature against a key',      caughtBy: ['IDM-40'], sabotage: blaming(401) },
  { does: 'tells whose key it was',                   caughtBy: ['IDM-20'], sabotage: indiscreet },
  { does: 'takes an empty key for a fresh one',       caughtBy: ['IDM-34'], sabotage: emptyForFresh },
  { does: 'repeats codes',                            caughtBy: ['ERR-17'], through: ['VAL-01'], sabotage: telling(isInitiate, (body, call) => ({ ...body, payerDetails: JSON.parse(textOf(call)).payerDetails })) },
  { does: 'counts polls',                             caughtBy: ['LIM-04'], sabotage: impatient },
  { does: 'tells of an error in a success',           caughtBy: ['ERR-03'], through: ['RDS-12'], sabotage: telling(at('/payments/providers'), body => ({ ...body, statusInfo: { reasonCode: '4000' } })) },
  { does: 'adds an event for every look at them',     caughtBy: ['LIF-24', 'RDS-13'], sabotage: counting },
  { does: 'tells another state with the events',      caughtBy: ['RDS-14'], sabotage: telling(isEvents, body => ({ ...body, lifecycle: { ...(body.lifecycle as object), state: 'CAPTURED' } })) },
  { does: 'changes an end',                           caughtBy: ['LIF-23'], sabotage: reviving },
  { does: 'finalizes what is final',                  caughtBy: ['LIF-19', 'LIF-21'], sabotage: instead((call, { http }) => http === 422 && at('finalize')(call), madeUp) },
  { does: 'takes a token call in JSON',               caughtBy: ['TOK-10'], sabotage: instead((call, { http }) => http >= 400 && at('/auth/token')(call) && headerOf(call, 'content-type').includes('json'), madeUp) },
  { does: 'takes JSON by any other name',             caughtBy: ['VAL-34'], sabotage: instead(call => isInitiate(call) && headerOf(call, 'content-type').startsWith('text/'), madeUp) },
  { does: 'captures what has expired',                caughtBy: ['LIF-26'], sabotage: instead((call, { http, body }) => http === 422 && at('capture')(call) && /expired/i.test(body), madeUp) },
]
