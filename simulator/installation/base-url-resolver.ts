import type { Config } from '../options/options.ts'
import type { BaseUrls } from './merchant-kit.ts'

/**
 * Base URLs of API and pages for kits and responses: the configured ones, else those of the Host header by which the
 * organization last reached the listener (a container's mapped port shows nowhere else), else that host at our port.
 */
export type BaseUrlResolver = {
  /** Base URLs for a call of the API; without `remember` its Host serves this call only. */
  forApiCall(organizationId: string, host: string, remember?: boolean): BaseUrls
  /** Base URLs for a call of pages or control; its Host is remembered. */
  forPagesCall(organizationId: string, host: string): BaseUrls
}

type Parts = { config: Pick<Config, 'apiUrl' | 'pagesUrl'>; ports: { api: number; pages: number } }

export const createBaseUrlResolver = ({ config, ports }: Parts): BaseUrlResolver => {
  const apiHosts = new Map<string, string>()
  const pagesHosts = new Map<string, string>()
  const baseUrls = (organizationId: string, host: string): BaseUrls => ({
    apiUrl: config.apiUrl ?? `https://${apiHosts.get(organizationId) ?? `${hostname(host)}:${ports.api}`}`,
    pagesUrl: config.pagesUrl ?? `http://${pagesHosts.get(organizationId) ?? `${hostname(host)}:${ports.pages}`}`,
  })
  return {
    forApiCall: (organizationId, host, remember = true) => {
      if (remember) apiHosts.set(organizationId, host)
      return baseUrls(organizationId, host)
    },
    forPagesCall: (organizationId, host) => {
      pagesHosts.set(organizationId, host)
      return baseUrls(organizationId, host)
    },
  }
}

/** Strips the port from a Host header; brackets of IPv6 are kept. */
const hostname = (host: string): string => host.replace(/:\d*$/, '')
