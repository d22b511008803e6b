import type { ServerOptions } from 'node:https'
import type { Dialect } from '../../contracts/dialect/dialect.ts'
import { SERVICE_VERSIONS, type ServiceVersion } from '../../contracts/protocol/api-versioning.ts'
import type { ApiLayers } from '../http/api.ts'
import type { CertificateAndKeyCache } from '../http/certificate-and-key-cache.ts'
import type { OperationRules } from '../operations/operation-types.ts'
import type { Config } from '../options/options.ts'
import { readCaFile } from '../options/read-ca-file.ts'
import { defaultConfig } from '../options/read-config.ts'
import { readDialectFile } from '../options/read-dialect-file.ts'
import { createDialectRegistry } from '../organizations/dialect-registry.ts'
import { openScenarioCatalogue } from '../scenarios/open-scenario-catalogue.ts'
import { createScenarioCatalogue } from '../scenarios/scenario-catalogue.ts'
import type { Store } from '../store/store.ts'
import { type Clock, createClock } from '../support/clock.ts'
import { SECOND } from '../support/duration.ts'
import type { Ids } from '../support/ids.ts'
import { LIFETIMES } from '../support/lifetimes.ts'
import { createErrorReporter } from './error-reporter.ts'

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
  onError: (error: unknown) => void
}

/** What every phase of a start needs: the settings, replaced parts, and the resources to close in the end. */
export type StartupContext = Awaited<ReturnType<typeof createStartupContext>>

/** Creates the context of a start: reads and checks the settings, before anything is opened. Throws StartError. */
export const createStartupContext = async (overrides: Partial<Config>, parts: Partial<SimulatorParts>) => {
  const config = defaultConfig(overrides)
  const { clock = createClock(), layers = {}, versions = SERVICE_VERSIONS } = parts
  const { onError = createErrorReporter(config.dataDir) } = parts
  const dialects = createDialectRegistry(readDialectFile(config.dialect))
  const rules = await readOperationRules(config)
  const rulesOf = (organizationId: string) => ({ ...rules, ...toChosenRules(dialects.of(organizationId)) })
  const webhookCa = readCaFile(config.webhookCa)
  return { config, clock, layers, versions, onError, rules, rulesOf, dialects, webhookCa, parts, ...createShutdown() }
}

/** Creates the stack of resources that the phases of a start open, and closes them, the last opened first. */
const createShutdown = () => {
  const closing = new AbortController()
  const resources = new AsyncDisposableStack()
  let closed: Promise<void> | undefined
  return {
    resources,
    /** Aborted first on close, so that long polls, streams and webhook attempts end. */
    closing: closing.signal,
    close: (): Promise<void> => {
      closing.abort()
      closed ??= resources.disposeAsync()
      return closed
    },
  }
}

/** Returns the rules of the operations that follow a dialect. */
const toChosenRules = ({ choices, holdSeconds }: Dialect): Pick<OperationRules, 'choices' | 'holdFor'> => ({
  choices,
  holdFor: holdSeconds === undefined ? LIFETIMES.hold : holdSeconds * SECOND,
})

/** Reads the settings of the operations; scenarios are a part of the sandbox only. */
const readOperationRules = async (config: Config): Promise<Omit<OperationRules, 'choices' | 'holdFor'>> => ({
  scenarios:
    config.environment === 'sandbox' ? await openScenarioCatalogue(config.scenarios) : createScenarioCatalogue([]),
  settleAfter: config.settleAfter,
  irisValidity: config.irisValidity,
  showLifecycle: config.lifecycle === 'on',
})
