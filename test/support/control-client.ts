import { credentialsFromKit } from '../../contracts/client/credentials.ts'
import type { Kit } from '../../simulator/installation/merchant-kit.ts'
import { merchantWith, type ScopedSimulator } from './test-scoped-simulator.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads any member of control's response by name
export type ControlResponse = { status: number; body: any }

/** Creates a test's client of the control API; paths are relative to `/control/`. */
export const controlClient =
  ({ pagesUrl }: Pick<ScopedSimulator, 'pagesUrl'>) =>
  async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ControlResponse> => {
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const answer = await fetch(`${pagesUrl}/control/${path}`, { method, headers, ...sent })
    return { status: answer.status, body: await answer.json() }
  }

/**
 * Creates a test's client of the control calls of one organization: paths are relative to
 * `/control/organizations/{id}/`.
 */
export const organizationControl = (simulator: Pick<ScopedSimulator, 'pagesUrl'>, organizationId = 'demo-merchant') => {
  const ask = controlClient(simulator)
  const here = `organizations/${organizationId}`
  return {
    get: (path: string) => ask('GET', `${here}/${path}`),
    post: (path: string, body: unknown = {}) => ask('POST', `${here}/${path}`, body),
    put: (path: string, body: unknown) => ask('PUT', `${here}/${path}`, body),
    delete: (path: string) => ask('DELETE', `${here}/${path}`),
    advance: (duration: string) => ask('POST', `${here}/clock`, { advance: duration }),
  }
}

/** Creates an organization for a test and its merchant client, whose tokens follow the organization's clock. */
export const createMerchantOrganization = async (simulator: ScopedSimulator, id?: string) => {
  const { body } = await controlClient(simulator)('POST', 'organizations', id === undefined ? {} : { id })
  const { organizationId } = body as Kit
  const merchant = merchantWith(credentialsFromKit(body), { now: () => simulator.controlPlane.now(organizationId) })
  return { organizationId, kit: body as Kit, merchant, here: `organizations/${organizationId}` }
}
