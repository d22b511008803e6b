import type { OperationName } from '../../../contracts/operations.ts'
import type { Loaded, PaymentQuery, ReadSet, Reply } from '../../../simulator/store/unit-of-work.ts'
import { isTargetOf } from './grid-layer-mutations.ts'
import { isRead } from './grid-mutations-besides-layers.ts'
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
        const reply = await other.ended
        if (reply) c.var.call.reply = reply
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

/** Operations that find their payment by its reference, with the checks that judge it. */
const JOINED = [
  ['status', ['RDS-21', 'RDS-22']],
  ['events', ['RDS-21']],
  ['finalize', ['RDS-21', 'RDS-22']],
  ['capture', ['RDS-22']],
  ['refund', ['RDS-22']],
] as const

/** One operation works on the newest payment that has the reference of the one that is named. */
const joiningByReference = (operation: OperationName): Mutation =>
  mutateStore((store, hits) => ({
    transact: async unit => {
      const { organizationId, now, needs } = unit
      const { transactionId, jobId } = needs
      if (transactionId === undefined || jobId !== undefined || !isRead(operation, needs)) return store.transact(unit)
      const look = <Found>(wanted: ReadSet, decide: (loaded: Loaded) => Found) =>
        store.transact({ organizationId, now, needs: wanted, decide: loaded => ({ result: decide(loaded) }) })
      const asked = await look({ transactionId }, ({ payment }) => payment)
      const query = { clientTransactionId: asked?.clientTransactionId ?? '', limit: 1 }
      const newest = asked && (await look({ payments: query }, ({ paymentPage }) => paymentPage?.payments[0]))
      if (!newest || newest.transactionId === transactionId) return store.transact(unit)
      hits.count += 1
      return store.transact({ ...unit, needs: { ...needs, transactionId: newest.transactionId } })
    },
  }))

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
    caughtBy: ['ERR-18', 'RDS-02', 'RDS-03', 'RDS-04', 'RDS-18', 'RSP-06'],
    mutation: replaceReplies((call, { http }) => http === 404 && isCallTo('status')(call), inventing),
  },
  {
    does: 'returns events for an unknown payment',
    caughtBy: ['RDS-04', 'RDS-06', 'RDS-17'],
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
  {
    does: 'finds the newest payment of a reference alone',
    caughtBy: ['RDS-20'],
    mutation: mutateServedJson(isCallTo('/payments/search'), (body, call) =>
      /"clientTransactionId"/.test(bodyTextOf(call)) && Array.isArray(body.payments) && body.payments.length > 1
        ? { ...body, payments: body.payments.slice(0, 1) }
        : undefined,
    ),
  },
  ...JOINED.map(([operation, caughtBy]) => ({
    does: `takes the newest payment of a reference for the one that ${operation} names`,
    caughtBy: [...caughtBy],
    mutation: joiningByReference(operation),
    stopsOthers: true as const,
  })),
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
    caughtBy: ['RDS-09', 'RDS-23'],
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
