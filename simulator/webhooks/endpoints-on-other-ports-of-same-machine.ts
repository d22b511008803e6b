import type { Delivery, Endpoint } from '../store/webhook-store.ts'
import { forwardedAddress, LOOPBACK } from './allowed-target-addresses.ts'

/**
 * An address on the machine itself without its port, as a receiver there that picks a port at each start leaves an
 * address behind each time; undefined for one elsewhere.
 */
const withoutPort = (address: string): string | undefined => {
  const { url, isForwarded } = forwardedAddress(address)
  const { protocol, hostname, pathname, search } = new URL(url)
  return LOOPBACK.test(hostname) ? [isForwarded, protocol, hostname, pathname, search].join(' ') : undefined
}

/**
 * Finds the webhook endpoint that gives way to a new one at the limit: the oldest on the same machine that differs only
 * in its port and did not acknowledge its newest webhook.
 */
export const endpointOfAnotherPort = async (
  all: readonly Endpoint[],
  url: string,
  newestDelivery: (endpointId: string) => Promise<Pick<Delivery, 'state'> | undefined>,
): Promise<Endpoint | undefined> => {
  const place = withoutPort(url)
  if (place === undefined) return undefined
  for (const endpoint of all)
    if (withoutPort(endpoint.url) === place && (await newestDelivery(endpoint.endpointId))?.state !== 'delivered')
      return endpoint
  return undefined
}

/**
 * Returns the ids of the webhook endpoints that a restarted shop left behind on the same machine: a later one differs
 * only in its port. Conduct does not judge their unanswered deliveries. `all` is oldest first.
 */
export const endpointsLeftBehind = (all: readonly Endpoint[]): ReadonlySet<string> => {
  const places = all.map(({ url }) => withoutPort(url))
  const isLeft = (_: Endpoint, at: number) => places[at] !== undefined && places.lastIndexOf(places[at]) > at
  return new Set(all.filter(isLeft).map(({ endpointId }) => endpointId))
}
