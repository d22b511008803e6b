import { lookup as lookUp } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Addresses that are no public ones (RFC 6890 and its registries); of these only the configured may be called. */
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
  '::/96', // IPv4 in an older spelling; in that of today, ::ffff:0:0/96, it is judged as IPv4
  '::ffff:0:0:0/96', // and in that of a translator
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/8',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '4000::/2', // nothing public lies beyond 2000::/3 (RFC 4291, 2.4)
  '8000::/1',
] as const

/** What may be called: every public address, and private ones only as configured (D-103). */
export type Targets = {
  /** Why an address that is written out as a number may not be called, if it may not. */
  fault(url: URL): string | undefined
  /** Resolves a name to the addresses that may be called: judged at every connection, when it counts. */
  lookup: LookupFunction
}

/** A target that is refused before anything is sent. */
export class RefusedTarget extends Error {}

export const createTargets = (allowedRanges: readonly string[]): Targets => {
  const [special, allowed] = [listOf(SPECIAL), listOf(allowedRanges)]
  const mayCall = (address: string): boolean => {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    return !special.check(address, family) || allowed.check(address, family)
  }
  return {
    fault: ({ hostname }) => {
      const address = hostname.replace(/^\[|\]$/g, '')
      return isIP(address) !== 0 && !mayCall(address) ? refusal(address) : undefined
    },
    lookup: (hostname, options, callback) =>
      lookUp(hostname, { ...options, all: true }, (error, found) => {
        if (error) return callback(error, '', 0)
        const callable = found.filter(({ address }) => mayCall(address))
        const [first] = callable
        if (!first) return callback(new RefusedTarget(refusal(found[0]?.address ?? hostname)), '', 0)
        if (options.all) return callback(null, callable)
        return callback(null, first.address, first.family)
      }),
  }
}

const refusal = (address: string): string =>
  `${address} is no public address: add its range to --webhook-private if it may be called.`

const listOf = (ranges: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

/** What is wrong with the address of an endpoint, in words, before anything is sent there. */
export const urlFault = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return 'give an address that begins with http:// or https://'
  if (url.username || url.password) return 'leave name and password out of the address'
  return url.hash ? 'leave the part behind # out: it is never sent' : undefined
}
