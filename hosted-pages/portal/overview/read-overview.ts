import { findOrUndefined } from '../forms/form-result.ts'
import type { ScheduledItem } from '../layout/scheduled-item.ts'
import { readFailingEndpoints } from '../webhooks/failing-endpoints.ts'
import type { DueItem, OverviewData, OverviewFeatures } from './overview-types.ts'

/** Rows of each of the short lists. */
const ROWS = 6

/** Reads all that the portal's overview of an organization shows, over a span of time. */
export const readOverview = async (
  features: OverviewFeatures,
  organizationId: string,
  span: string | undefined,
): Promise<Omit<OverviewData, 'apiUrl'>> => {
  const { statistics, endpoints, deliveries, clock, payments, journal, signingKeys, certificates, realNow } = features
  const [shown, known, counts, scheduled, newest, keys, trusted] = await Promise.all([
    statistics(organizationId, span),
    endpoints.list(organizationId),
    deliveries.count(organizationId),
    clock.scheduled(organizationId, ROWS),
    payments.list(organizationId, { limit: ROWS }),
    signingKeys.list(organizationId),
    certificates.list(organizationId),
  ])
  const [failing, due] = await Promise.all([
    readFailingEndpoints(features, organizationId, known, counts),
    Promise.all(scheduled.map(withDelivery(features, organizationId))),
  ])
  const { calls } = await journal.page(organizationId, { limit: ROWS })
  return {
    statistics: shown,
    endpoints: known,
    counts,
    failing,
    scheduled: due,
    payments: newest.payments,
    calls,
    keys,
    certificates: trusted,
    realNow: realNow(),
    hasShop: features.hasShop ?? false,
  }
}

/** Adds its delivery to a scheduled item that is one. */
const withDelivery =
  ({ deliveries }: OverviewFeatures, organizationId: string) =>
  async (item: ScheduledItem): Promise<DueItem> => {
    const { deliveryId } = item
    if (deliveryId === undefined) return item
    return { ...item, delivery: await findOrUndefined(() => deliveries.find(organizationId, deliveryId)) }
  }
