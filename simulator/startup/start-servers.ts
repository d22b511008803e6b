import { createBodyLimit } from '../control/body-limit.ts'
import { createControlTokenVerifier } from '../control/control-token-verifier.ts'
import { createProxySignIn } from '../control/proxy-sign-in.ts'
import { toTlsOptions } from '../http/api-tls-options.ts'
import { composeApi } from '../http/compose-api.ts'
import { describeLayerOff, listDisabledLayers } from '../http/disabled-layers.ts'
import { createBaseUrlResolver } from '../installation/base-url-resolver.ts'
import { createOwnNameCheck } from '../installation/own-host-names.ts'
import { createServerCertificates } from '../installation/server-certificate-by-sni-name.ts'
import { createPagesHandler } from './create-pages-and-control-handler.ts'
import { reachableHost } from './host-reachable-from-this-machine.ts'
import { openDemoShop } from './open-demo-shop.ts'
import { openPorts } from './open-ports.ts'
import type { SimulatorFeatures } from './open-simulator-features.ts'
import type { OpenedStore } from './open-store-with-retention-and-outbox.ts'
import type { PreparedInstallation } from './prepare-installation.ts'
import type { StartupContext } from './startup-context.ts'

/** Opens the ports; serves the API over mutual TLS and plain HTTP, pages and control over HTTP: last phase of a start. */
export const startServers = async (phases: StartupContext & OpenedStore & PreparedInstallation & SimulatorFeatures) => {
  const { config, installation, store, parts, onError } = phases
  const isHttps = config.pagesUrl?.startsWith('https:')
  const { find } = phases.controlPlane.controlTokens
  const token = createControlTokenVerifier(config.controlToken, find, {
    isHttps,
    ...createProxySignIn(config.signInFrom),
  })
  const isOwnName = createOwnNameCheck(config)
  const certificates = createServerCertificates({ installation, isOwnName, isShared: store.replicas !== undefined })
  const tls = () => ({ ...toTlsOptions({ ...phases, certificates }), ...parts.tls })
  const { api, pages, plain } = await openPorts({ ...phases, tls: tls(), pagesBodyLimit: createBodyLimit(token) })
  const baseUrls = createBaseUrlResolver({ config, ports: { api: api.port, pages: pages.port } })
  const coverApiUrl = async (url: string, organizationId?: string) => {
    if (await certificates.cover(url, organizationId)) api.setTls(tls())
  }

  const handlers = await composeApi({ ...phases, baseUrls })
  api.serve(handlers.secure)
  plain?.serve(handlers.plain)
  const plainUrl = plain && `http://localhost:${plain.port}`
  const layersOff = listDisabledLayers(handlers.disabledLayers, plainUrl)

  const shop = openDemoShop({ ...phases, coverApiUrl, ports: { api: api.port, pages: pages.port } })
  const isReady = async () => (await store.replicas?.isReady()) ?? true
  const measureLoad = async () => store.replicas?.measureLoad()
  const site = { ...phases, baseUrls, coverApiUrl, layersOff, isReady, measureLoad, token, shop }
  pages.serve({ onRequest: createPagesHandler(site) })

  const apiUrl = config.apiUrl ?? `https://localhost:${api.port}`
  const pagesUrl = config.pagesUrl ?? `http://localhost:${pages.port}`
  const healthUrl = `http://${reachableHost(config.host)}:${pages.port}/health`
  /** Loads, soon after the start, what the first call needs. */
  const warmUp = (): void => void setImmediate(() => void handlers.warmUp().catch(onError)).unref()
  return { urls: { apiUrl, pagesUrl, plainUrl, healthUrl }, layersOff: layersOff.map(describeLayerOff), warmUp }
}
