import { at, headerOf, instead, remembering, saying, telling, textOf, turningAway } from './break.ts'
import { answering, answeringJson, type Saboteur, storing } from './sabotage.ts'

/** A search looks into every organization. */
const searchingEverywhere = storing((store, hits) => ({
  perform: async unit => {
    if (!unit.needs.payments) return store.perform(unit)
    const organizations = await store.organizations()
    const pages = await Promise.all(
      organizations.map(({ organizationId }) =>
        store.perform({ ...unit, organizationId, decide: ({ found }) => ({ result: found?.payments ?? [] }) }),
      ),
    )
    hits.count += 1
    const found = { payments: pages.flat(), next: undefined }
    return store.perform({ ...unit, decide: loaded => unit.decide({ ...loaded, found }) })
  },
}))

const inventing = () => ({ http: 200, body: '{"status":"PENDING","statusInfo":{"reasonCode":"-1"}}' })

/** The same key with another body is a conflict even where nothing is changed. */
const conflicting = (path: string) =>
  remembering(() => {
    const first = new Map<string, string>()
    return turningAway(call => {
      const key = headerOf(call, 'idempotency-key')
      if (key === '' || !at(path)(call)) return false
      if (!first.has(key)) first.set(key, textOf(call))
      return first.get(key) !== textOf(call)
    }, 'KEY_REUSED')
  })

/** Saboteurs of search, providers and reports. */
export const READ_SABOTEURS: readonly Saboteur[] = [
  {
    does: "finds other organizations' payments",
    caughtBy: ['RDS-11'],
    sabotage: searchingEverywhere,
  },
  {
    does: 'offers nothing in złoty',
    caughtBy: ['RDS-12'],
    sabotage: answeringJson(body =>
      Array.isArray(body.providers)
        ? { providers: body.providers.filter(({ currency }) => currency !== 'PLN') }
        : undefined,
    ),
  },
  {
    does: 'shows reports to everybody',
    caughtBy: ['SCP-09', 'SCP-10'],
    sabotage: answering(({ http }, { incoming }) =>
      http === 403 && incoming.url?.startsWith('/reports')
        ? { http: 200, body: '{"files":[],"totalCount":0}' }
        : undefined,
    ),
  },
  {
    does: 'tells a status of nothing',
    caughtBy: ['ERR-18', 'RDS-02', 'RDS-03', 'RDS-04', 'RSP-06'],
    sabotage: instead((call, { http }) => http === 404 && at('status')(call), inventing),
  },
  {
    does: 'tells events of nothing',
    caughtBy: ['RDS-06'],
    sabotage: instead((call, { http }) => http === 404 && at('events')(call), inventing),
  },
  {
    does: 'calls every id that is not there malformed',
    caughtBy: ['ERR-18', 'LIF-27', 'LIF-28', 'RDS-02', 'RDS-03', 'RDS-04'],
    profile: profile => ({ ...profile, ids: { unknownTransactionId: '01a1ff8e-f322-772a-b366-000000000000' } }),
    sabotage: instead(
      (call, { http, body }) => http === 404 && body.includes('4001') && !at('events')(call),
      saying(400, '4000'),
    ),
  },
  {
    does: 'lets only those read a status who may process payments',
    caughtBy: ['SCP-08'],
    sabotage: turningAway(call => at('status')(call) && !call.token?.scopes.includes('payments:process'), 'FORBIDDEN'),
  },
  {
    does: 'finds something always',
    caughtBy: ['RDS-10', 'RDS-11', 'SCP-12'],
    sabotage: telling(at('/payments/search'), body =>
      Array.isArray(body.payments) && body.payments.length === 0
        ? { ...body, payments: [{ transactionId: 'x' }] }
        : undefined,
    ),
  },
  {
    does: 'finds no payment by its reference',
    caughtBy: ['RDS-09'],
    sabotage: telling(at('/payments/search'), body => ({ ...body, payments: [] })),
  },
  {
    does: 'remembers keys of search',
    caughtBy: ['IDM-24'],
    sabotage: conflicting('/payments/search'),
  },
  {
    does: 'remembers keys of providers',
    caughtBy: ['IDM-25'],
    sabotage: conflicting('/payments/providers'),
  },
  {
    does: 'lists reports for nobody',
    caughtBy: ['SCP-11'],
    sabotage: turningAway(at('/reports'), 'FORBIDDEN'),
  },
]
