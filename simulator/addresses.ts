import type { Addresses } from './operator/kit.ts'
import type { Config } from './options.ts'

/**
 * The addresses that callers are told: the configured ones, else the Host by which the organization itself last
 * reached the listener (behind a random port of a container nobody else knows it), else the same host at our own port.
 */
export type AddressBook = {
  /** A Host that is not remembered is only where this call came from. */
  forApiCall(organizationId: string, host: string, remember?: boolean): Addresses
  forPagesCall(organizationId: string, host: string): Addresses
}

type Parts = { config: Pick<Config, 'apiUrl' | 'pagesUrl'>; ports: () => { api: number; pages: number } }

export const createAddressBook = ({ config, ports }: Parts): AddressBook => {
  const apiHosts = new Map<string, string>()
  const pagesHosts = new Map<string, string>()
  const addresses = (organizationId: string, host: string): Addresses => ({
    apiUrl: config.apiUrl ?? `https://${apiHosts.get(organizationId) ?? `${hostname(host)}:${ports().api}`}`,
    pagesUrl: config.pagesUrl ?? `http://${pagesHosts.get(organizationId) ?? `${hostname(host)}:${ports().pages}`}`,
  })
  return {
    forApiCall: (organizationId, host, remember = true) => {
      if (remember) apiHosts.set(organizationId, host)
      return addresses(organizationId, host)
    },
    forPagesCall: (organizationId, host) => {
      pagesHosts.set(organizationId, host)
      return addresses(organizationId, host)
    },
  }
}

/** A Host header without its port, brackets of IPv6 kept. */
const hostname = (host: string): string => host.replace(/:\d*$/, '')
