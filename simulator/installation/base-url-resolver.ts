import type { Config } from '../options/options.ts'
import type { BaseUrls } from './merchant-kit.ts'

/**
 * Resolver of the base URLs of API and pages for kits and responses: the configured ones, else those of the Host header
 * by which the organization came, else that host at our port.
 */
export type BaseUrlResolver = {
  /** URL of the pages for a response of the API; the call's Host is remembered if it came over TLS. */
  forApiCall(organizationId: string, call: ApiCallAddress): Pick<BaseUrls, 'pagesUrl'>
  /** Base URLs for a call of pages or control, whose Host is remembered; an `apiUrl` that the call names comes first. */
  forPagesCall(organizationId: string, host: string, apiUrl?: string): BaseUrls
  /** URL of the API for whoever calls the pages by this Host; by which an organization called it, where one is named. */
  apiUrlAt(host: string, organizationId?: string): string
}

/** How a call reached the API: its Host and the port that took it. */
type ApiCallAddress = { host: string; port?: number | undefined; isSecure?: boolean }

type Parts = { config: Pick<Config, 'apiUrl' | 'pagesUrl'>; ports: { api: number; pages: number } }

/** Creates the resolver of the base URLs of API and pages. */
export const createBaseUrlResolver = ({ config, ports }: Parts): BaseUrlResolver => {
  const apiHosts = createApiHosts()
  const pagesHosts = new Map<string, string>()

  /** The API as a caller of the pages reaches it: at a mapped port of the pages too, see split-tls-connections.ts. */
  const apiHost = (organizationId: string, host: string): string => {
    const port = portOf(host)
    const isMapped = port !== undefined && port !== ports.pages && port !== ports.api
    return apiHosts.find(organizationId, hostname(host)) ?? (isMapped ? host : `${hostname(host)}:${ports.api}`)
  }

  const apiUrlAt = (host: string, organizationId = ''): string =>
    config.apiUrl ?? `https://${apiHost(organizationId, host)}`

  return {
    apiUrlAt,
    forApiCall: (organizationId, { host, port, isSecure = true }) => {
      if (isSecure) apiHosts.add(organizationId, hostname(host), host)
      const guess = port === ports.pages ? host : `${hostname(host)}:${ports.pages}`
      return { pagesUrl: config.pagesUrl ?? `http://${pagesHosts.get(organizationId) ?? guess}` }
    },
    forPagesCall: (organizationId, host, apiUrl) => {
      pagesHosts.set(organizationId, host)
      return {
        apiUrl: apiUrl ?? apiUrlAt(host, organizationId),
        pagesUrl: config.pagesUrl ?? `http://${host}`,
      }
    },
  }
}

/** Host names that are remembered for each organization. */
const MAX_NAMES = 8

/**
 * The Host of the API by organization and host name, the newest few: a kit names the API by the name that its own caller
 * uses, since others may reach the sandbox from another network.
 */
const createApiHosts = () => {
  const hosts = new Map<string, Map<string, string>>()
  return {
    find: (organizationId: string, name: string): string | undefined => hosts.get(organizationId)?.get(name),
    add: (organizationId: string, name: string, host: string): void => {
      const known = hosts.get(organizationId) ?? new Map<string, string>()
      if (known.get(name) === host) return
      known.set(name, host)
      const [oldest = ''] = known.keys()
      if (known.size > MAX_NAMES) known.delete(oldest)
      hosts.set(organizationId, known)
    },
  }
}

/** Strips the port from a Host header, in lower case; brackets of IPv6 are kept. */
const hostname = (host: string): string => host.replace(/:\d*$/, '').toLowerCase()

const portOf = (host: string): number | undefined => {
  const [, digits] = /:(\d+)$/.exec(host) ?? []
  return digits === undefined ? undefined : Number(digits)
}
