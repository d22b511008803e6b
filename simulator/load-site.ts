import { Hono } from 'hono'
import type { AddressBook } from './addresses.ts'
import type { ControlToken } from './control/control-token.ts'
import type { Bindings } from './http/call.ts'
import type { Operator } from './operator/operator.ts'

export type SiteParts = {
  operator: Operator
  addresses: AddressBook
  layersOff: readonly string[]
  pagesUrl: string | undefined
  token: ControlToken
  onFault: (error: unknown) => void
}

/** Control and the pages for people, loaded with all that they need when the first call asks for one: no start waits. */
export const loadSite = async (parts: SiteParts): Promise<Hono<{ Bindings: Bindings }>> => {
  const { operator, addresses, layersOff, pagesUrl, token, onFault } = parts
  const [{ createControl }, { createPages }, { pagesPortOf }, { portalPortOf }] = await Promise.all([
    import('./control/control.ts'),
    import('../hosted-pages/pages.ts'),
    import('./operator/pages-port.ts'),
    import('./operator/portal-port.ts'),
  ])
  const site = new Hono<{ Bindings: Bindings }>()
  site.route('/control', createControl({ operator, addresses, onFault, token }))
  site.route(
    '/',
    createPages(pagesPortOf(operator, layersOff, pagesUrl), portalPortOf(operator, { ...token, pagesUrl })),
  )
  return site
}
