import type { Exchange } from '../client/exchange.ts'
import type { Ledger } from '../harness/ledger.ts'
import { type Leftovers, leftovers } from '../harness/leftovers.ts'
import { cancelOf } from '../suites/bodies.ts'
import type { Player } from '../suites/player.ts'
import { freshToken } from '../suites/time.ts'
import type { World } from '../suites/world.ts'

/** What became of what was left; a sentence for each thing that is still there. */
export type Tidied = { canceled: string[]; taken: string[]; stays: string[] }

/** Cancels what is authorized and takes away keys and webhooks that a run has registered (7); best effort, never a verdict. */
export const tidyUp = async ({ players }: Pick<World, 'players'>, ledger: Pick<Ledger, 'lines'>): Promise<Tidied> => {
  const left = leftovers(ledger.lines)
  const tidied: Tidied = { canceled: [], taken: [], stays: [] }
  const playerOf = (organization: string): Player | undefined =>
    players.find(({ merchant }) => merchant.credentials.organizationId === organization)
  await cancelAll(left, playerOf, tidied)
  for (const { organization, id } of left.keys)
    await attempt(`signing key ${id}`, tidied, async () => playerOf(organization)?.operator.deregisterKey(id))
  for (const { organization, id } of left.webhooks)
    await attempt(`webhook ${id}`, tidied, async () => playerOf(organization)?.operator.unsubscribe(id))
  return tidied
}

const cancelAll = async (
  { payments }: Leftovers,
  playerOf: (organization: string) => Player | undefined,
  tidied: Tidied,
): Promise<void> => {
  for (const { organization, transactionId, stage } of payments) {
    if (stage !== 'authorized') continue
    const player = playerOf(organization)
    const answer = player && (await cancel(player, transactionId).catch(() => undefined))?.answer
    if (answer && answer.status < 300) tidied.canceled.push(transactionId)
    else tidied.stays.push(`payment ${transactionId}: cancel answered ${answer?.status ?? 'nothing'}`)
  }
}

/** With a token of this moment: clocks may have been moved. */
const cancel = async (player: Player, transactionId: string): Promise<Exchange> =>
  player.merchant.request('cancel', { json: cancelOf(player.account, transactionId) }, await freshToken(player))

const attempt = async (what: string, tidied: Tidied, act: () => Promise<unknown>): Promise<void> => {
  try {
    await act()
    tidied.taken.push(what)
  } catch (error) {
    tidied.stays.push(`${what}: ${(error as Error).message}`)
  }
}
