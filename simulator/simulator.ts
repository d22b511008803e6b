import type { ServerOptions } from 'node:https'
import { join } from 'node:path'
import { SERVICE_VERSIONS, type ServiceVersion } from '../contracts/protocol/service-version.ts'
import type { SigningKey } from '../contracts/protocol/sign.ts'
import { createAddressBook } from './addresses.ts'
import { type Clock, createClock } from './clock.ts'
import { defaultConfig } from './config.ts'
import type { Layers } from './http/api.ts'
import { signatureRulesOf } from './http/signature-rules.ts'
import { createTrust, type Trust } from './http/trust.ts'
import { openApi, rulesOf } from './http/wire.ts'
import type { Ids } from './ids.ts'
import { createJobs } from './jobs/jobs.ts'
import { createRunJob } from './jobs/run-job.ts'
import { joinReplicas } from './join-replicas.ts'
import { createJournal } from './journal/journal.ts'
import { openPages } from './open-pages.ts'
import { oneAtATime, openStore, placeOf, startErrorOf } from './open-store.ts'
import { openInstallation, serviceKey } from './operator/installation.ts'
import { type Kit, kitFor, writeKit } from './operator/kit.ts'
import { createOperator, type Operator } from './operator/operator.ts'
import { DEMO_ORGANIZATION } from './operator/organizations.ts'
import type { Config } from './options.ts'
import { readAuthority } from './read-authority.ts'
import { resume } from './resume.ts'
import { createCatalogue } from './scenarios/catalogue.ts'
import { openCatalogue } from './scenarios/load.ts'
import { forgetful } from './store/forgetful.ts'
import type { Store } from './store/port.ts'
import { createFaultTeller } from './tell-fault.ts'
import { openVariety } from './variety/open-variety.ts'
import { openWebhooks } from './webhooks/open-webhooks.ts'

/** A running sandbox. */
export type Simulator = {
  apiUrl: string
  pagesUrl: string
  /** Where the API listens over plain HTTP, if it does. */
  plainUrl: string | undefined
  /** Layers of clause 5 that are switched off, in words for people. */
  layersOff: readonly string[]
  /** The seed of its variety, where that is on (9). */
  seed: string | undefined
  /** What was found at the start and should be known, in sentences. */
  notes: readonly string[]
  operator: Operator
  /** Credentials of the demo organization; the same as files in `kitFolder`. */
  kit: Kit
  kitFolder: string
  /** Lets calls under way finish, then closes the store. */
  close(): Promise<void>
}

/** Parts that a test may put in place of the real ones. */
export type SimulatorParts = {
  clock: Clock
  ids: Ids
  store: Store
  trust: Trust
  layers: Partial<Layers>
  versions: readonly ServiceVersion[]
  /** Settings of TLS beside the real ones, which they replace. */
  tls: ServerOptions
  onFault: (error: unknown) => void
}

/** Starts a sandbox in this process; options that are left out have their defaults. Throws StartError where it cannot. */
export const startSimulator = async (
  overrides: Partial<Config> = {},
  parts: Partial<SimulatorParts> = {},
): Promise<Simulator> => {
  const config = defaultConfig(overrides)
  const { clock = createClock(), layers = {}, onFault = createFaultTeller(config.dataDir) } = parts
  const { versions = SERVICE_VERSIONS } = parts
  const catalogue = config.environment === 'sandbox' ? await openCatalogue(config.scenarios) : createCatalogue([])
  const { now } = clock
  const settings = webhookSettings(config)
  const kept = forgetful(parts.store ?? (await openStore(config, onFault)), { ...config, now, onFault })
  const { variety, ids: made } = await openVariety(config.variety, kept).catch(async error => {
    await kept.close()
    throw startErrorOf(error, config)
  })
  const ids = parts.ids ?? made
  const rules = rulesOf(config, catalogue)
  const trust = parts.trust ?? createTrust(kept)
  const listening: { close(): Promise<void> }[] = []
  const service: { key?: SigningKey } = {}
  const webhooks = openWebhooks({
    ...settings,
    store: kept,
    clock,
    ids,
    key: () => service.key ?? neverOpened(),
    scheduled: (organizationId, dueAt) => jobs.scheduled(organizationId, dueAt),
    onFault,
  })
  const { store } = webhooks
  const jobs = createJobs(store, clock, createRunJob({ store, ids, rules }), [webhooks.courier], onFault)
  const close = async (): Promise<void> => {
    await webhooks.stop()
    await Promise.all(listening.map(server => server.close()))
    jobs.stop()
    await store.close()
  }
  try {
    const ports = { api: 0, pages: 0 }
    const { journalSize } = config
    const own = createJournal(journalSize)
    const journal = await joinReplicas({ store, clock, jobs, trust, bell: webhooks.bell, journal: own, journalSize })
    const addresses = createAddressBook({ config, ports: () => ports })
    const opening = { store, clock, ids, place: placeOf(config), serverNames: serverNames(config) }
    const installation = await oneAtATime(store, 'start', () => openInstallation(opening))
    service.key = serviceKey(installation, config.answerAlgorithm)
    const seed = variety?.seed
    const operator = createOperator({
      store,
      clock,
      ids,
      jobs,
      journal,
      installation,
      scenarios: catalogue,
      webhooks,
      seed,
      onChange: trust.forget,
      signatures: signatureRulesOf(config),
    })
    const notes = await oneAtATime(store, 'start', () => resume({ store, clock, jobs, operator }))
    const api = await openApi({
      config,
      store,
      trust,
      clock,
      ids,
      jobs,
      journal,
      installation,
      addresses,
      rules,
      versions,
      variety,
      layers,
      tls: parts.tls,
      onFault,
    })
    listening.push(api)
    const { plainUrl, layersOff } = api
    const isReady = async () => ports.pages > 0 && ((await store.replicas?.isReady()) ?? true)
    const pages = await openPages({ config, operator, addresses, layersOff, isReady, onFault })
    listening.push(pages)
    Object.assign(ports, { api: api.port, pages: pages.port })
    const apiUrl = config.apiUrl ?? `https://localhost:${api.port}`
    const pagesUrl = config.pagesUrl ?? `http://localhost:${pages.port}`
    const kit = kitFor(await operator.organizations.credentials(DEMO_ORGANIZATION), { apiUrl, pagesUrl })
    const kitFolder = join(config.dataDir, 'kit', DEMO_ORGANIZATION)
    writeKit(kitFolder, kit)
    setImmediate(() => void api.warmUp().catch(onFault)).unref()
    return { apiUrl, pagesUrl, plainUrl, layersOff, seed, notes, operator, kit, kitFolder, close }
  } catch (error) {
    await close()
    throw startErrorOf(error, config)
  }
}

const webhookSettings = (config: Config) => ({
  dialect: { reading: config.answerBase, encoding: config.answerEncoding },
  showLifecycle: config.lifecycle === 'on',
  privateRanges: config.webhookPrivate,
  timeoutMilliseconds: config.webhookTimeout,
  ca: readAuthority(config.webhookCa),
})

const neverOpened = (): never => {
  throw new Error('Nothing is signed before the installation is open.')
}

/** Names that the server certificate answers to. */
const serverNames = ({ tlsNames, apiUrl }: Config): string[] => {
  const configured = apiUrl === undefined ? [] : [new URL(apiUrl).hostname.replace(/^\[|\]$/g, '')]
  return [...new Set(['localhost', '127.0.0.1', '::1', ...tlsNames, ...configured])]
}
