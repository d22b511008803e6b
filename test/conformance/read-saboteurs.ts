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
]
