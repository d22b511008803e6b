import type { Config } from '../options/options.ts'
import type { BaseUrls } from './merchant-kit.ts'

/**
 * Resolver of the base URLs of API and pages for kits and responses: the configured ones, else those of the host name
 * that the caller itself uses, or of whoever asked for a kit with the very address of the API that it calls.
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
  /** By host name: the Host at which the API was called last, and at which a kit was asked for last. */
  const [apiHosts, pagesHosts] = [createHostMemory(), createHostMemory()]
  /** By the host of an `apiUrl` that a call named: the Host of the pages of that call. */
  const hostsOfNamers = createHostMemory()
  const tlsProxy = config.pagesUrl?.startsWith('https:') ? new URL(config.pagesUrl).host : undefined
  /** A Host without a port is of a port 80 that is mapped to the pages, unless a proxy is declared before them. */
  const unnamedPort = config.pagesUrl === undefined ? HTTP_PORT : ports.api

  /** The API as a caller of the pages reaches it: at a mapped port of the pages too, see split-tls-connections.ts. */
  const apiHost = (organizationId: string, host: string): string => {
    const port = host.toLowerCase() === tlsProxy ? ports.api : (portOf(host) ?? unnamedPort)
    const name = hostname(host)
    return apiHosts.find(organizationId, name) ?? `${name}:${port === ports.pages ? ports.api : port}`
  }

  /** The pages as a caller of the API reaches them. */
  const pagesHost = (organizationId: string, { host, port }: ApiCallAddress): string => {
    const named = hostsOfNamers.find(organizationId, host.toLowerCase().replace(/:443$/, ''))
    if (named !== undefined || port === ports.pages) return named ?? host
    return pagesHosts.find(organizationId, hostname(host)) ?? `${hostname(host)}:${ports.pages}`
  }

  const apiUrlAt = (host: string, organizationId = ''): string =>
    config.apiUrl ?? `https://${apiHost(organizationId, host)}`

  return {
    apiUrlAt,
    forApiCall: (organizationId, call) => {
      const { host, isSecure = true } = call
      if (isSecure) apiHosts.add(organizationId, hostname(host), host)
      return { pagesUrl: config.pagesUrl ?? pagesUrlAt(pagesHost(organizationId, call)) }
    },
    forPagesCall: (organizationId, host, apiUrl) => {
      if (apiUrl === undefined) pagesHosts.add(organizationId, hostname(host), host)
      else hostsOfNamers.add(organizationId, new URL(apiUrl).host, host)
      return {
        apiUrl: apiUrl ?? apiUrlAt(host, organizationId),
        pagesUrl: config.pagesUrl ?? pagesUrlAt(host),
      }
    },
  }
}

const HTTP_PORT = 80

const pagesUrlAt = (host: string): string => `http://${host.replace(/:80$/, '')}`

/** Host names that are remembered for each organization. */
const MAX_NAMES = 8

/**
 * Creates the memory of a Host by organization and host name, the newest few: a kit or redirect names the sandbox by the
 * name that its own caller uses, since others may reach it from another network.
 */
const createHostMemory = () => {
  const hosts = new Map<string, Map<string, string>>()
  return {
    find: (organizationId: string, name: string): string | undefined => hosts.get(organizationId)?.get(name),
    add: (organizationId: string, name: string, host: string): void => {
      const known = hosts.get(organizationId) ?? new Map<string, string>()
      known.delete(name) // to be the newest
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
