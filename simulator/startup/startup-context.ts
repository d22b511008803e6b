import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ServerOptions } from 'node:https'
import { SERVICE_VERSIONS, type ServiceVersion } from '../../contracts/protocol/api-versioning.ts'
import type { ApiLayers } from '../http/api-layer-order-and-routing.ts'
import type { CertificateAndKeyCache } from '../http/certificate-and-key-cache.ts'
import { type CommonRules, createRulesOfDialect } from '../operations/operation-rules-of-dialect.ts'
import type { Config } from '../options/options.ts'
import { defaultConfig } from '../options/read-config.ts'
import { readDialectFile } from '../options/read-dialect-file.ts'
import { openScenarioCatalogue } from '../scenarios/open-scenario-catalogue.ts'
import { createScenarioCatalogue } from '../scenarios/scenario-catalogue.ts'
import type { Store } from '../store/store.ts'
import { type Clock, createClock } from '../support/clock.ts'
import { createDialectRegistry } from '../support/dialect-registry.ts'
import type { Ids } from '../support/ids.ts'
import { StartError } from '../support/start-error.ts'
import { openTelemetry } from '../telemetry/open-metrics-and-logger.ts'
import type { SendWebhook } from '../webhooks/send-webhook.ts'
import { createErrorReporter } from './error-reporter.ts'
import { readInitFile } from './read-init-file.ts'

/** Parts of the simulator that a test may replace. */
export type SimulatorParts = {
  clock: Clock
  ids: Ids
  store: Store
  identityCache: CertificateAndKeyCache
  layers: Partial<ApiLayers>
  versions: readonly ServiceVersion[]
  /** TLS settings that override the usual ones. */
  tls: ServerOptions
  /** Takes webhooks in place of the network. */
  post: SendWebhook
  onError: (error: unknown) => void
}

/** Context of a start, which every phase needs: the settings, replaced parts, and the resources to close in the end. */
export type StartupContext = Awaited<ReturnType<typeof createStartupContext>>

/** Creates the context of a start: reads and checks the settings, before anything is opened. Throws StartError. */
export const createStartupContext = async (overrides: Partial<Config>, parts: Partial<SimulatorParts>) => {
  const config = checkSignIn(defaultConfig(overrides))
  const { clock = createClock(), layers = {}, versions = SERVICE_VERSIONS } = parts
  const telemetry = await openTelemetry(config)
  const { onError = createErrorReporter(config.dataDir, telemetry.logger) } = parts
  const dialects = createDialectRegistry(readDialectFile(config.dialect))
  const rules = await readOperationRules(config)
  const rulesOfDialect = createRulesOfDialect(rules)
  const rulesOf = (organizationId: string) => rulesOfDialect(dialects.of(organizationId))
  const webhookCa = readCaFile(config.webhookCa)
  const initial = await readInitFile(config.init)
  const shutdown = createShutdown()
  if (telemetry.logger) shutdown.resources.defer(telemetry.logger.close)
  return {
    ...telemetry,
    config,
    initial,
    clock,
    layers,
    versions,
    onError,
    rules,
    rulesOf,
    dialects,
    webhookCa,
    parts,
    ...shutdown,
  }
}

/** Reads the PEM of the certificate authority that `--webhook-ca` adds; throws StartError where it is unreadable. */
const readCaFile = (file: string | undefined): string | undefined => {
  if (file === undefined) return undefined
  try {
    const pem = readFileSync(file, 'utf8')
    new X509Certificate(pem)
    return pem
  } catch {
    throw new StartError(`${file} is no readable certificate in PEM: check --webhook-ca.`)
  }
}

/** Refuses people's sign-in where control and portal are open to everybody. */
const checkSignIn = (config: Config): Config => {
  if (config.signInFrom.length === 0 || config.controlToken !== undefined) return config
  throw new StartError(
    'The option sign-in-from has no effect without control-token, as control and portal are open: set a token too.',
  )
}

/** Collector of the functions that close, in the end, what a start of the simulator has opened. */
export type Resources = { defer(close: () => Promise<unknown>): void }

/** Creates what closes the resources of a start, the last opened first. Node 22 has no AsyncDisposableStack. */
const createShutdown = () => {
  const closing = new AbortController()
  const opened: (() => Promise<unknown>)[] = []
  const closeAll = async (): Promise<void> => {
    const failed: unknown[] = []
    for (const close of opened.reverse()) await close().catch(error => failed.push(error))
    if (failed.length > 0) throw failed.length === 1 ? failed[0] : new AggregateError(failed)
  }
  let closed: Promise<void> | undefined
  const resources: Resources = { defer: close => void opened.push(close) }
  return {
    resources,
    /** Aborted first on close, so that long polls, streams and webhook attempts end. */
    closing: closing.signal,
    close: (): Promise<void> => {
      closing.abort()
      closed ??= closeAll()
      return closed
    },
  }
}

/** Reads the settings of the operations; scenarios are a part of the sandbox only. */
const readOperationRules = async (config: Config): Promise<CommonRules> => ({
  scenarios:
    config.environment === 'sandbox' ? await openScenarioCatalogue(config.scenarios) : createScenarioCatalogue([]),
  settleAfter: config.settleAfter,
  irisValidity: config.irisValidity,
  showLifecycle: config.lifecycle === 'on',
})
