import type { JournalEntry } from '../journal/journal-entry.ts'
import type { Config } from '../options/options.ts'
import type { WorkObserver } from '../support/due-work-observer.ts'
import { StartError } from '../support/start-error.ts'

const ignore = (): void => undefined

/**
 * Opens the metrics of `--metrics on` and the logger of `--log json`, and what tells them of calls and due work. Their
 * packages are loaded only there. Throws StartError where one is not installed.
 */
export const openTelemetry = async ({ metrics: wanted, log, logLevel }: Config) => {
  const metrics = wanted === 'on' ? (await load(import('./metrics.ts'), 'prom-client')).createMetrics() : undefined
  const logger = log === 'json' ? (await load(import('./logger.ts'), 'pino')).createLogger(logLevel) : undefined
  const observeCall = (entry: JournalEntry): void => {
    metrics?.call(entry)
    logger?.call(entry)
  }
  const observer: WorkObserver = metrics ?? { job: ignore, attempt: ignore }
  return { metrics, logger, observer, observeCall }
}

/** Waits for a module whose package is installed only where it is used. */
const load = <Module>(module: Promise<Module>, name: 'pino' | 'prom-client'): Promise<Module> =>
  module.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    const option = name === 'pino' ? '--log json' : '--metrics on'
    throw new StartError(`${option} needs the package ${name}: run "npm install ${name}", and start again.`)
  })
