import type { IncomingMessage } from 'node:http'

const MOST = 65_536
/** Snapshots that come from elsewhere. */
const MOST_OF_SNAPSHOT = 64 * 1024 * 1024
const SNAPSHOT = /^\/control\/organizations\/[^/?]+\/snapshots\/[^/?]+$/

/** How many bytes a call of pages or control may bring. */
export const bodyLimitOf = ({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): number =>
  method === 'PUT' && SNAPSHOT.test(url) ? MOST_OF_SNAPSHOT : MOST
