import { BlockList } from 'node:net'

/** A list of IP addresses and ranges. */
type AddressList = { includes(address: string): boolean }

/** Creates a list of IP addresses and ranges such as 10.0.0.0/8 or fd00::/8. */
export const createAddressList = (ranges: readonly string[]): AddressList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    if (prefix === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(prefix), familyOf(address))
  }
  return { includes: address => list.check(address, familyOf(address)) }
}

const familyOf = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4')
