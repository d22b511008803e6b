import { createBodyLimit } from '../control/body-limit.ts'
import { createControlToken } from '../control/control-token.ts'
import { createApiHandlers, toTlsOptions } from '../http/create-api-handlers.ts'
import { describeDisabledLayers } from '../http/disabled-layers.ts'
import { createBaseUrlResolver } from '../installation/base-url-resolver.ts'
import type { Startup } from './begin-startup.ts'
import { createPagesHandler } from './create-pages-handler.ts'
import { openPorts } from './open-ports.ts'
import type { OpenedStore } from './open-store.ts'
import type { PreparedInstallation } from './prepare-installation.ts'
import type { Runtime } from './start-runtime.ts'

/** Last phase: opens the ports, then serves the API over mutual TLS and plain HTTP, and pages and control over HTTP. */
export const startServers = async (phases: Startup & OpenedStore & PreparedInstallation & Runtime) => {
  const { config, installation, store, parts, onError } = phases
  const token = createControlToken(config.controlToken, config.pagesUrl?.startsWith('https:'))
  const tls = { ...toTlsOptions(config, installation), ...parts.tls }
  const { api, pages, plain } = await openPorts({ ...phases, tls, pagesBodyLimit: createBodyLimit(token) })
  const baseUrls = createBaseUrlResolver({ config, ports: { api: api.port, pages: pages.port } })

  const handlers = await createApiHandlers({ ...phases, baseUrls })
  api.serve(handlers.secure)
  plain?.serve(handlers.plain)
  const plainUrl = plain && `http://localhost:${plain.port}`
  const layersOff = describeDisabledLayers(handlers.disabledLayers, plainUrl)

  const isReady = async () => (await store.replicas?.isReady()) ?? true
  pages.serve({ onRequest: createPagesHandler({ ...phases, baseUrls, layersOff, isReady, token }) })

  setImmediate(() => void handlers.warmUp().catch(onError)).unref()
  const apiUrl = config.apiUrl ?? `https://localhost:${api.port}`
  const pagesUrl = config.pagesUrl ?? `http://localhost:${pages.port}`
  return { apiUrl, pagesUrl, plainUrl, layersOff }
}
