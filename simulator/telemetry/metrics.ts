import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { packageVersion } from '../../contracts/package-version.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import { DEMO_ORGANIZATION } from '../organizations/organization-registry.ts'
import type { ReplicaLoad } from '../store/replica-coordination-store.ts'
import type { WorkObserver } from '../support/due-work-observer.ts'

/** Metrics of a process, told of calls and due work, and read by Prometheus as a text with its content type. */
export type Metrics = WorkObserver & {
  call(entry: JournalEntry): void
  read(load: () => Promise<ReplicaLoad | undefined>): Promise<{ text: string; contentType: string }>
}

/** Upper bounds of the histograms of durations and lags, in seconds. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]

/**
 * Creates the Prometheus metrics of this process: calls by operation, status, refusing layer and class of organization,
 * durations and lags in seconds, PostgreSQL connections, and those of Node. A label never holds an id.
 */
export const createMetrics = (): Metrics => {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  collectDefaultMetrics({ register: registry })
  const calls = new Counter({
    name: 'assay_api_calls_total',
    help: 'Calls of the payment API by operation, HTTP status, the layer that refused them, and class of organization (demo, own, unknown).',
    labelNames: ['operation', 'status', 'layer', 'organization'] as const,
    registers,
  })
  const histogram = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Histogram({ name, help, labelNames, buckets: SECONDS, registers })
  const durations = histogram('assay_api_call_duration_seconds', 'Time from the request of a call to its response.', [
    'operation',
  ])
  const jobLag = histogram(
    'assay_job_lag_seconds',
    "Real time since a job was due until it ran, at most since its organization's clock was set; not on slowed clocks.",
    ['job'],
  )
  const webhookLag = histogram(
    'assay_webhook_lag_seconds',
    "Real time since a webhook's attempt was due until it began, at most since its organization's clock was set; not on slowed clocks.",
    ['outcome'],
  )
  const connections = new Gauge({
    name: 'assay_database_connections',
    help: 'Connections of this process to PostgreSQL, and callers that wait for one.',
    labelNames: ['state'] as const,
    registers,
  })
  const notificationLag = new Gauge({
    name: 'assay_notification_lag_seconds',
    help: 'Time until this process hears a notification that it sends itself through PostgreSQL; +Inf where it does not within a second.',
    registers,
  })
  new Gauge({ name: 'assay_build_info', help: 'The version of Assay.', labelNames: ['version'], registers }).set(
    { version: packageVersion() },
    1,
  )
  const noteLoad = ({ connections: { open, idle, waiting }, notificationLag: lag }: ReplicaLoad): void => {
    for (const [state, count] of Object.entries({ open, idle, waiting })) connections.set({ state }, count)
    notificationLag.set(lag / 1000)
  }
  return {
    call: ({ operation = 'none', response, refused, organizationId, durationMilliseconds }) => {
      const organization =
        organizationId === undefined ? 'unknown' : organizationId === DEMO_ORGANIZATION ? 'demo' : 'own'
      calls.inc({ operation, status: response.status, layer: refused?.layer ?? 'none', organization })
      durations.observe({ operation }, durationMilliseconds / 1000)
    },
    job: ({ name, lag }) => lag !== undefined && jobLag.observe({ job: name }, lag / 1000),
    attempt: ({ outcome, lag }) => lag !== undefined && webhookLag.observe({ outcome }, lag / 1000),
    read: async loadNow => {
      const load = await loadNow()
      if (load) noteLoad(load)
      return { text: await registry.metrics(), contentType: registry.contentType }
    },
  }
}
