import { needsWritable, serverAddresses } from '../../support/postgres-server-addresses.ts'

/**
 * PostgreSQL servers of an address of `--store`, of which one is connected to: the first at the start, then the next
 * that can be used.
 */
export type Servers = {
  /** How many there are. */
  count: number
  /** Whether only one that takes changes will do. */
  needsWritable: boolean
  /** Address of the server to connect to now. */
  current(): string
  /** Goes on to the next server, unless another connection did so already. */
  skip(tried: string): void
}

/** Creates the choice among the PostgreSQL servers of an address of `--store`. */
export const createServers = (address: string): Servers => {
  const addresses = serverAddresses(address)
  let at = 0
  const current = () => addresses[at % addresses.length] ?? address
  return {
    count: addresses.length,
    needsWritable: needsWritable(address),
    current,
    skip: tried => {
      if (tried === current()) at += 1
    },
  }
}
