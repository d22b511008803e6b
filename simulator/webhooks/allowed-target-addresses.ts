import { lookup as lookUp } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { hasUserInfo } from '../../contracts/protocol/user-info.ts'
import { createAddressList } from '../support/ip-address-list.ts'

/** Names and addresses of the machine itself, as URL has them. */
export const LOOPBACK = /^(localhost|.*\.localhost|127\..*|\[::1\])$/

/** Non-public address ranges (RFC 6890 and its registries); webhooks may call only the configured ones of these. */
const SPECIAL = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '::/96', // IPv4-compatible addresses; IPv4-mapped ones, ::ffff:0:0/96, are checked as IPv4
  '::ffff:0:0:0/96', // IPv4-translated addresses
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/8',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '4000::/2', // public addresses are all in 2000::/3 (RFC 4291, 2.4)
  '8000::/1',
] as const

/** Addresses that webhooks may call: every public one, and the configured private ones (D-103). Prevents SSRF. */
export type AllowedTargets = {
  /** Why a URL with a literal IP address may not be called; undefined if it may. */
  fault(url: URL): string | undefined
  /** DNS lookup that returns only permitted addresses; used for every connection, against DNS rebinding. */
  lookup: LookupFunction
}

/** Error of a webhook address that may not be called; nothing was sent. */
export class RefusedTargetError extends Error {}

/** Creates the check of addresses that webhooks may call. */
export const createAllowedTargets = (allowedRanges: readonly string[]): AllowedTargets => {
  const [special, allowed] = [createAddressList(SPECIAL), createAddressList(allowedRanges)]
  const isPermitted = (address: string): boolean => !special.includes(address) || allowed.includes(address)
  return {
    fault: ({ hostname }) => {
      const address = hostname.replace(/^\[|\]$/g, '')
      return isIP(address) !== 0 && !isPermitted(address) ? refusal(address) : undefined
    },
    lookup: (hostname, options, callback) =>
      lookUp(hostname, { ...options, all: true }, (error, found) => {
        if (error) return callback(error, '', 0)
        const callable = found.filter(({ address }) => isPermitted(address))
        const [first] = callable
        if (!first) return callback(new RefusedTargetError(refusal(found[0]?.address ?? hostname)), '', 0)
        if (options.all) return callback(null, callable)
        return callback(null, first.address, first.family)
      }),
  }
}

const refusal = (address: string): string =>
  `${address} is no public address: take its webhooks there by "assay listen --forward-to URL", or let the operator add its range to --webhook-private.`

/** Begins the URL of an endpoint whose messages a listener fetches, where the sandbox cannot call the receiver itself. */
const FORWARDED = 'listen+'

/** Returns the address behind a webhook endpoint's URL, and whether a listener takes its messages there. */
export const forwardedAddress = (url: string): { url: string; isForwarded: boolean } => {
  const isForwarded = url.startsWith(FORWARDED)
  return { url: isForwarded ? url.slice(FORWARDED.length) : url, isForwarded }
}

/** Longest address of an endpoint as it is sent, in characters: each notification and attempt has it. */
const MAX_URL_LENGTH = 2048

/** Describes what is wrong with the URL of a webhook endpoint; undefined if the URL is valid. */
export const describeUrlProblem = (text: string): string | undefined => {
  const url = URL.parse(forwardedAddress(text).url)
  if (!url || !/^https?:$/.test(url.protocol)) return 'give an address that begins with http:// or https://'
  if (url.href.length > MAX_URL_LENGTH) return `give an address of up to ${MAX_URL_LENGTH} characters`
  if (hasUserInfo(url)) return 'leave name and password out of the address'
  return url.hash ? 'leave the part behind # out: it is never sent' : undefined
}
