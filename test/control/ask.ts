import { credentialsFromKit } from '../../contracts/client/credentials.ts'
import type { Kit } from '../../simulator/operator/kit.ts'
import { merchantWith, type Running } from '../support/running.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads by name whatever control told
export type Told = { status: number; body: any }

/** Asks control, by a path after `/control/`. */
export const asking =
  ({ pagesUrl }: Pick<Running, 'pagesUrl'>) =>
  async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Told> => {
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const answer = await fetch(`${pagesUrl}/control/${path}`, { method, headers, ...sent })
    return { status: answer.status, body: await answer.json() }
  }

/** A new organization with its merchant, whose tokens follow the organization's clock. */
export const newMerchant = async (simulator: Running, id?: string) => {
  const { body } = await asking(simulator)('POST', 'organizations', id === undefined ? {} : { id })
  const { organizationId } = body as Kit
  const merchant = merchantWith(credentialsFromKit(body), { now: () => simulator.operator.now(organizationId) })
  return { organizationId, kit: body as Kit, merchant, here: `organizations/${organizationId}` }
}
