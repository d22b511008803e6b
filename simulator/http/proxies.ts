import { BlockList, isIPv6, type Socket } from 'node:net'

/** The addresses of proxies that vouch for the certificates of their clients (D-71). */
export type Proxies = { include(socket: Pick<Socket, 'remoteAddress'>): boolean }

/** Reads addresses and ranges such as 10.0.0.0/8 or fd00::/8. */
export const createProxies = (ranges: readonly string[]): Proxies => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    if (prefix === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(prefix), familyOf(address))
  }
  return {
    include: ({ remoteAddress: address }) =>
      ranges.length > 0 && address !== undefined && list.check(address, familyOf(address)),
  }
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
