import { isIP } from 'node:net'
import type { Config } from '../options/options.ts'

/**
 * Creates the predicate whether a host name is one of this sandbox: a configured one, or one that nobody outside can
 * lead elsewhere. Kits are handed out, pages are served and server certificates are issued under these alone.
 */
export const createOwnNameCheck = ({
  pagesUrl,
  apiUrl,
  tlsNames,
}: Pick<Config, 'pagesUrl' | 'apiUrl' | 'tlsNames'>) => {
  const configured = [pagesUrl, apiUrl].flatMap(url => (url === undefined ? [] : [new URL(url).hostname]))
  const names = new Set([...configured, ...tlsNames].map(name => name.toLowerCase()))
  return (name: string): boolean => isLocalName(name) || names.has(name) || names.has(name.replace(/^[^.]+/, '*'))
}

/**
 * Whether a host name cannot be rebound from outside: IP addresses, localhost, names without a dot (containers), and the
 * private domain `internal`, as in host.docker.internal.
 */
const isLocalName = (name: string): boolean =>
  name === 'localhost' ||
  /\.(localhost|internal)$/.test(name) ||
  isIP(withoutBrackets(name)) !== 0 ||
  (name !== '' && !name.includes('.'))

/** Returns the host of a URL as certificates name it: an IPv6 address without its brackets. */
export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')
