import type { Socket } from 'node:net'
import { type Config, GUARDS, type Guard } from '../options.ts'
import type { Proxies } from './proxies.ts'

/** Which of the three layers calls need not pass (5, D-70). */
export type Ladder = {
  /** Over TLS. */
  tls: readonly Guard[]
  /** Over plain HTTP, where there is no certificate unless a proxy vouches for one. */
  plain: readonly Guard[]
  /** Over this connection. */
  of(socket: Socket): readonly Guard[]
}

export const createLadder = ({ layers }: Pick<Config, 'layers'>, proxies: Proxies): Ladder => {
  const tls = GUARDS.filter(guard => !layers.includes(guard))
  const plain = GUARDS.filter(guard => guard === 'certificate' || tls.includes(guard))
  return { tls, plain, of: socket => ('encrypted' in socket || proxies.include(socket) ? tls : plain) }
}

/** What is off in words for people: each layer, and where, if not everywhere. */
export const ladderWords = ({ tls, plain }: Ladder, plainUrl: string | undefined): readonly string[] =>
  GUARDS.flatMap(guard => {
    if (tls.includes(guard)) return [guard]
    return plainUrl !== undefined && plain.includes(guard) ? [`${guard} at ${plainUrl}`] : []
  })

/** The header by which every answer tells what is off; none where nothing is. */
export const ladderHeaders = (off: readonly Guard[]): Record<string, string> =>
  off.length === 0 ? {} : { 'assay-layers': off.map(guard => `${guard}=off`).join(', ') }
