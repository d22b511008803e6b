import type { OverviewData, OverviewFeatures } from './overview-types.ts'

/** Rows of each of the short lists. */
const ROWS = 6

/** Reads all that the portal's overview of an organization shows, over a span of time. */
export const readOverview = async (
  { statistics, endpoints, deliveries, clock, payments, journal, signingKeys, certificates, realNow }: OverviewFeatures,
  organizationId: string,
  span: string | undefined,
): Promise<OverviewData> => {
  const [shown, known, counts, scheduled, newest, keys, trusted] = await Promise.all([
    statistics(organizationId, span),
    endpoints.list(organizationId),
    deliveries.count(organizationId),
    clock.scheduled(organizationId, ROWS),
    payments.list(organizationId, { limit: ROWS }),
    signingKeys.list(organizationId),
    certificates.list(organizationId),
  ])
  const found = known.map(async endpoint => {
    const { endpointId } = endpoint
    const own = counts.filter(one => one.endpointId === endpointId)
    const sum = (fits: (one: (typeof own)[number]) => boolean) =>
      own.filter(fits).reduce((all, one) => all + one.count, 0)
    const failing = sum(({ state, isTried }) => state === 'waiting' && isTried)
    const query = { endpointId, state: 'waiting', isTried: true, limit: 1 } as const
    const [last] = failing > 0 ? await deliveries.list(organizationId, query) : []
    return { endpoint, failing, dropped: sum(({ state }) => state === 'dropped'), last }
  })
  const failing = (await Promise.all(found)).filter(one => one.failing > 0 || one.endpoint.disabled)
  const { calls } = journal.page(organizationId, { limit: ROWS })
  return {
    statistics: shown,
    endpoints: known,
    counts,
    failing,
    scheduled,
    payments: newest.payments,
    calls,
    keys,
    certificates: trusted,
    realNow: realNow(),
  }
}
