import type { IncomingMessage } from 'node:http'
import type { ControlToken } from './control-token.ts'

const MOST = 65_536
/** Snapshots that come from elsewhere. */
const MOST_OF_SNAPSHOT = 64 * 1024 * 1024
const SNAPSHOT = /^\/control\/organizations\/[^/?]+\/snapshots\/[^/?]+$/

type Asking = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

/** How many bytes a call of pages or control may bring: many only from who may use control. */
export const createBodyLimit =
  (token: Pick<ControlToken, 'shownBy'>) =>
  ({ method, url = '', headers }: Asking): number => {
    const isSnapshot = method === 'PUT' && SNAPSHOT.test(url)
    const mayBring = () => token.shownBy({ req: { header: name => headers[name]?.toString() } }) === 'right'
    return isSnapshot && mayBring() ? MOST_OF_SNAPSHOT : MOST
  }
