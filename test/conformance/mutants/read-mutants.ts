import type { PaymentQuery, Reply } from '../../../simulator/store/unit-of-work.ts'
import { isTargetOf } from './grid-layer-mutations.ts'
import type { Mutant, Mutation } from './mutant.ts'
import {
  bodyTextOf,
  isCallTo,
  mutateServedJson,
  refuseCalls,
  replaceReplies,
  requestHeader,
  withFreshState,
  withStatusAndCode,
} from './mutations-of-matching-calls.ts'
import { mutateJsonReply, mutateReply, mutateStore, outermostLayer } from './simulator-mutations.ts'

/** Searches with certain filters look into every organization. */
const searchingEverywhere = (isWide: (query: PaymentQuery) => boolean) =>
  mutateStore((store, hits) => ({
    transact: async unit => {
      if (!unit.needs.payments || !isWide(unit.needs.payments)) return store.transact(unit)
      const organizations = await store.organizations()
      const pages = await Promise.all(
        organizations.map(({ organizationId }) =>
          store.transact({
            ...unit,
            organizationId,
            decide: ({ paymentPage: found }) => ({ result: found?.payments ?? [] }),
          }),
        ),
      )
      hits.count += 1
      const found = { payments: pages.flat(), next: undefined }
      return store.transact({ ...unit, decide: loaded => unit.decide({ ...loaded, paymentPage: found }) })
    },
  }))

const inventing = () => ({ http: 200, body: '{"status":"PENDING","statusInfo":{"reasonCode":"-1"}}' })

/** The same key with another body is a conflict even where nothing is changed. */
const conflicting = (path: string) =>
  withFreshState(() => {
    const first = new Map<string, string>()
    return refuseCalls(call => {
      const key = requestHeader(call, 'idempotency-key')
      if (key === '' || !isCallTo(path)(call)) return false
      if (!first.has(key)) first.set(key, bodyTextOf(call))
      return first.get(key) !== bodyTextOf(call)
    }, 'KEY_REUSED')
  })

/** A step of a payment leaves no event. */
const recordingNo = (type: string) =>
  mutateServedJson(isCallTo('events'), body =>
    Array.isArray(body.timeline) && body.timeline.some(event => event.type === type)
      ? { ...body, timeline: body.timeline.filter(event => event.type !== type) }
      : undefined,
  )

/** Longest time for which a read waits for another, in milliseconds. */
const TOGETHER_MS = 300

/** The second of two reads of a status that are under way at the same instant gets the response of the first. */
const swappingReads = (): Mutation => {
  let waiting: { meet: () => void; ended: Promise<Reply | undefined> } | undefined
  return (_dataDir, hits) =>
    outermostLayer(async (c, next) => {
      if (!isTargetOf('status', c.env.incoming.url)) return next()
      const other = waiting
      if (other) {
        waiting = undefined
        other.meet()
        await next()
        hits.count += 1
        c.var.call.reply = await other.ended
        return
      }
      const { promise: met, resolve: meet } = Promise.withResolvers<void>()
      const { promise: ended, resolve: end } = Promise.withResolvers<Reply | undefined>()
      const mine = { meet, ended }
      waiting = mine
      setTimeout(meet, TOGETHER_MS)
      await met
      if (waiting === mine) waiting = undefined
      await next()
      end(c.var.call.reply)
    })
}

/** Calls on a payment, with the checks that judge the status and the code where there is none. */
const OF_MISSING_PAYMENTS = [
  ['finalize', ['LIF-27', 'LIF-28'], 'RDS-17'],
  ['capture', ['LIF-27', 'LIF-28'], 'RDS-17'],
  ['cancel', ['LIF-27', 'LIF-28'], 'RDS-17'],
  ['refund', ['LIF-27', 'LIF-28'], 'RDS-17'],
  ['events', ['RDS-04', 'RDS-06', 'RDS-17'], 'RDS-17'],
] as const

/** Mutants of reads: search, providers, reports, status and events. */
export const READ_MUTANTS: readonly Mutant[] = [
  {
    does: "finds other organizations' payments",
    caughtBy: ['RDS-11'],
    mutation: searchingEverywhere(() => true),
  },
  {
    does: "finds other organizations' payments where a search names no reference",
    caughtBy: ['RDS-11'],
    mutation: searchingEverywhere(({ clientTransactionId }) => clientTransactionId === undefined),
  },
  { does: 'records no finalize in events', caughtBy: ['RDS-15'], mutation: recordingNo('payment.authorized') },
  { does: 'records no cancel in events', caughtBy: ['RDS-16'], mutation: recordingNo('payment.canceled') },
  {
    does: 'lists no provider for PLN',
    caughtBy: ['RDS-12'],
    mutation: mutateJsonReply(body =>
      Array.isArray(body.providers)
        ? { providers: body.providers.filter(({ currency }) => currency !== 'PLN') }
        : undefined,
    ),
  },
  {
    does: 'shows reports without the scope',
    caughtBy: ['SCP-09', 'SCP-10'],
    mutation: mutateReply(({ http }, { incoming }) =>
      http === 403 && incoming.url?.startsWith('/reports')
        ? { http: 200, body: '{"files":[],"totalCount":0}' }
        : undefined,
    ),
  },
  {
    does: 'returns a status for an unknown payment',
    caughtBy: ['ERR-18', 'RDS-02', 'RDS-03', 'RDS-04', 'RSP-06'],
    mutation: replaceReplies((call, { http }) => http === 404 && isCallTo('status')(call), inventing),
  },
  {
    does: 'returns events for an unknown payment',
    caughtBy: ['RDS-06'],
    mutation: replaceReplies((call, { http }) => http === 404 && isCallTo('events')(call), inventing),
  },
  {
    does: 'fails over an id that is quoted',
    caughtBy: ['ERR-11', 'ERR-21', 'RDS-18'],
    mutation: replaceReplies(
      (call, { http }) => http === 404 && (call.incoming.url ?? '').includes("it's"),
      withStatusAndCode(500),
    ),
  },
  {
    does: 'answers one of two reads at the same instant with the other',
    caughtBy: ['RDS-19'],
    mutation: withFreshState(swappingReads),
  },
  ...OF_MISSING_PAYMENTS.flatMap(([call, status, codes]) => [
    {
      does: `says 403 where ${call} is of no payment of the caller`,
      caughtBy: [...status],
      mutation: replaceReplies(
        (it, { http, body }) => http === 404 && body.includes('4001') && isCallTo(call)(it),
        withStatusAndCode(403, '4971'),
      ),
    },
    {
      does: `says 5002 where ${call} is of no payment of the caller`,
      caughtBy: [codes],
      through: ['LIF-08', 'LIF-09', 'RDS-07'],
      mutation: replaceReplies(
        (it, { http, body }) => http === 404 && body.includes('4001') && isCallTo(call)(it),
        withStatusAndCode(404, '5002'),
      ),
    },
  ]),
  {
    does: 'reports every unknown id as malformed',
    caughtBy: ['ERR-18', 'LIF-27', 'LIF-28', 'RDS-02', 'RDS-03', 'RDS-04'],
    through: ['LIF-01'],
    profile: profile => ({ ...profile, ids: { unknownTransactionId: '01a1ff8e-f322-772a-b366-000000000000' } }),
    mutation: replaceReplies(
      (call, { http, body }) => http === 404 && body.includes('4001') && !isCallTo('events')(call),
      withStatusAndCode(400, '4000'),
    ),
  },
  {
    does: 'requires payments:process to read a status',
    caughtBy: ['SCP-08'],
    mutation: refuseCalls(
      call => isCallTo('status')(call) && !call.token?.scopes.includes('payments:process'),
      'FORBIDDEN',
    ),
  },
  {
    does: 'returns a payment where a search has no match',
    caughtBy: ['RDS-10', 'RDS-11', 'SCP-12'],
    mutation: mutateServedJson(isCallTo('/payments/search'), body =>
      Array.isArray(body.payments) && body.payments.length === 0
        ? { ...body, payments: [{ transactionId: 'x' }] }
        : undefined,
    ),
  },
  {
    does: 'finds no payment by its reference',
    caughtBy: ['RDS-09'],
    mutation: mutateServedJson(isCallTo('/payments/search'), body => ({ ...body, payments: [] })),
  },
  {
    does: 'reports key conflicts on search',
    caughtBy: ['IDM-24'],
    mutation: conflicting('/payments/search'),
  },
  {
    does: 'reports key conflicts on providers',
    caughtBy: ['IDM-25'],
    mutation: conflicting('/payments/providers'),
  },
  {
    does: 'refuses every list of reports',
    caughtBy: ['SCP-11'],
    mutation: refuseCalls(isCallTo('/reports'), 'FORBIDDEN'),
  },
]
