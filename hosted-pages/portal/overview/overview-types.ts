import type { CallView } from '../journal/journal-call-types.ts'
import type { PaymentRow } from '../payments/payments-page.ts'
import type { DeliveryCount, DeliveryView } from '../webhooks/deliveries-section.ts'
import type { StatisticsView } from './activity-charts.ts'

/** A signing key; times in ISO 8601, on the organization's clock. */
type KeyView = { keyId: string; state: string; expiresAt: string }
/** A client certificate; times in ISO 8601, real ones. */
type CertificateView = { fingerprint: string; state: string; validTo: string }
/** A webhook endpoint, and why it is disabled where it is. */
type EndpointView = { endpointId: string; url: string; disabled?: { reason: string } }

/** A scheduled item as the portal's overview lists it; epoch milliseconds on the organization's clock. */
export type ScheduledItem = { at: number; name: string; transactionId?: string; deliveryId?: string }

/**
 * A webhook endpoint that does not take its deliveries, as the overview lists it: how many wait, and the one whose
 * attempt failed last.
 */
export type FailingEndpoint = {
  endpoint: EndpointView
  failing: number
  dropped: number
  last: DeliveryView | undefined
}

/** Data that the portal's overview of an organization shows. */
export type OverviewData = {
  statistics: StatisticsView
  endpoints: readonly EndpointView[]
  counts: readonly DeliveryCount[]
  failing: readonly FailingEndpoint[]
  scheduled: readonly ScheduledItem[]
  payments: readonly PaymentRow[]
  calls: readonly CallView[]
  keys: readonly KeyView[]
  certificates: readonly CertificateView[]
  /** Real time, in epoch milliseconds. */
  realNow: number
}

/** Features of the simulator from which the portal's overview is read. */
export type OverviewFeatures = {
  statistics: (organizationId: string, span?: string) => Promise<StatisticsView>
  endpoints: { list(organizationId: string): Promise<readonly EndpointView[]> }
  deliveries: {
    count(organizationId: string): Promise<readonly DeliveryCount[]>
    list(organizationId: string, query: FailingQuery): Promise<readonly DeliveryView[]>
  }
  clock: {
    scheduled(organizationId: string, limit: number): Promise<readonly ScheduledItem[]>
    look(organizationId: string): Promise<{ next: { at: number } | null }>
  }
  payments: { list(organizationId: string, page: { limit: number }): Promise<{ payments: readonly PaymentRow[] }> }
  journal: { page(organizationId: string, page: { limit: number }): { calls: readonly CallView[] } }
  signingKeys: { list(organizationId: string): Promise<readonly KeyView[]> }
  certificates: { list(organizationId: string): Promise<readonly CertificateView[]> }
  realNow: () => number
}

type FailingQuery = { endpointId: string; state: 'waiting'; isTried: true; limit: number }
