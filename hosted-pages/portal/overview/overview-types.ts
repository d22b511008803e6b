import type { CallView } from '../journal/journal-call-types.ts'
import type { ScheduledItem } from '../layout/scheduled-item.ts'
import type { PaymentRow } from '../payments/payments-page.ts'
import type { DeliveryCount, DeliveryView } from '../webhooks/delivery-view.ts'
import type { FailingEndpoint, FailingEndpointFeatures } from '../webhooks/failing-endpoints.ts'
import type { StatisticsView } from './activity-charts.ts'

/** A signing key; times in ISO 8601, on the organization's clock. */
type KeyView = { keyId: string; state: string; expiresAt: string }
/** A client certificate; times in ISO 8601, real ones. */
type CertificateView = { fingerprint: string; state: string; validTo: string }
/** A webhook endpoint, why it is disabled where it is, and its newest delivery where that was not acknowledged. */
type EndpointView = FailingEndpoint['endpoint']

/** A scheduled item as the portal's overview lists it, with its delivery where it is one. */
export type DueItem = ScheduledItem & { delivery?: DeliveryView | undefined }

/** Data that the portal's overview of an organization shows. */
export type OverviewData = {
  statistics: StatisticsView
  endpoints: readonly EndpointView[]
  counts: readonly DeliveryCount[]
  failing: readonly FailingEndpoint[]
  scheduled: readonly DueItem[]
  payments: readonly PaymentRow[]
  calls: readonly CallView[]
  keys: readonly KeyView[]
  certificates: readonly CertificateView[]
  /** Real time, in epoch milliseconds. */
  realNow: number
  hasShop: boolean
  /** Where the API is for the reader. */
  apiUrl: string
}

/** Features of the simulator from which the portal's overview is read. */
export type OverviewFeatures = FailingEndpointFeatures & {
  /** Whether each organization has a demo shop. */
  hasShop?: boolean
  statistics: (organizationId: string, span?: string) => Promise<StatisticsView>
  endpoints: { list(organizationId: string): Promise<readonly EndpointView[]> }
  deliveries: { count(organizationId: string): Promise<readonly DeliveryCount[]> }
  clock: {
    scheduled(organizationId: string, limit: number): Promise<readonly ScheduledItem[]>
    look(organizationId: string): Promise<{ next: { at: number } | null }>
  }
  payments: { list(organizationId: string, page: { limit: number }): Promise<{ payments: readonly PaymentRow[] }> }
  journal: { page(organizationId: string, page: { limit: number }): Promise<{ calls: readonly CallView[] }> }
  signingKeys: { list(organizationId: string): Promise<readonly KeyView[]> }
  certificates: { list(organizationId: string): Promise<readonly CertificateView[]> }
  realNow: () => number
  /** URL of the API for whoever calls the pages by a Host. */
  apiUrlAt: (host: string, organizationId: string) => string
}
