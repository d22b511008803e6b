import type { JournalEntry } from '../journal/journal-entry.ts'
import type { Config } from '../options/options.ts'
import type { ReplicaLoad } from '../store/replica-coordination-store.ts'
import { StartError } from '../support/start-error.ts'

/** How one attempt to deliver a webhook ended: by a 2xx response, another one, or none. */
export type AttemptOutcome = 'delivered' | 'refused' | 'failed'

/** Observer of what a sandbox does, for metrics and logs. Observing never fails, and never changes what is observed. */
export type Observer = {
  /** A call of the payment API and its response, with secrets masked. */
  call(entry: JournalEntry): void
  /** A due job that ran, `lag` milliseconds after its due time on the organization's clock. */
  job(job: { organizationId: string; name: string; lag: number }): void
  /** An attempt to deliver a webhook, begun `lag` milliseconds after its due time on the organization's clock. */
  attempt(attempt: { organizationId: string; outcome: AttemptOutcome; lag: number }): void
}

/** Logger of a sandbox that writes JSON lines. */
export type Logger = Pick<Observer, 'call'> & {
  info(text: string, facts?: object): void
  warn(text: string, facts?: object): void
  error(error: unknown, text?: string): void
  close(): Promise<void>
}

/** What Prometheus reads: the text of every metric, and its content type. */
export type Metrics = Observer & {
  read(load: () => Promise<ReplicaLoad | undefined>): Promise<{ text: string; contentType: string }>
}

/** Metrics and logger of a sandbox, each present where its option asks for it. */
export type Telemetry = { metrics: Metrics | undefined; logger: Logger | undefined; observer: Observer }

const ignore = (): void => undefined

/**
 * Opens the metrics of `--metrics on` and the logger of `--log json`. Their packages are loaded only there. Throws
 * StartError where one is not installed.
 */
export const openTelemetry = async ({ metrics: wanted, log, logLevel }: Config): Promise<Telemetry> => {
  const metrics = wanted === 'on' ? (await load(import('./metrics.ts'), 'prom-client')).createMetrics() : undefined
  const logger = log === 'json' ? (await load(import('./logger.ts'), 'pino')).createLogger(logLevel) : undefined
  const observer = {
    call: (entry: JournalEntry) => {
      metrics?.call(entry)
      logger?.call(entry)
    },
    job: metrics?.job ?? ignore,
    attempt: metrics?.attempt ?? ignore,
  }
  return { metrics, logger, observer }
}

/** Waits for a module whose package is installed only where it is used. */
const load = async <Module>(module: Promise<Module>, name: string): Promise<Module> =>
  module.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    const option = name === 'pino' ? '--log json' : '--metrics on'
    throw new StartError(`${option} needs the package ${name}: run "npm install ${name}", and start again.`)
  })
