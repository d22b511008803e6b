import type { Socket } from 'node:net'
import { createAddressList } from '../support/ip-address-list.ts'

/** Addresses of the reverse proxies whose Client-Cert header is trusted (D-71). */
export type TrustedProxies = { include(socket: Pick<Socket, 'remoteAddress'>): boolean }

/** Creates the list of trusted proxies from addresses and ranges such as 10.0.0.0/8 or fd00::/8. */
export const createTrustedProxies = (ranges: readonly string[]): TrustedProxies => {
  const list = createAddressList(ranges)
  return { include: ({ remoteAddress: address }) => address !== undefined && list.includes(address) }
}
