import type { Hono } from 'hono'
import type { AccessPort } from '../hosted-pages/portal/port.ts'
import type { Operator } from './operator/operator.ts'

/** The pages for people, loaded with all that they need when the first of them is asked for: no start waits for it. */
export const loadPages = async (
  operator: Operator,
  access: AccessPort,
  layersOff: readonly string[],
): Promise<Hono> => {
  const [{ createPages }, { pagesPortOf }, { portalPortOf }] = await Promise.all([
    import('../hosted-pages/pages.ts'),
    import('./operator/pages-port.ts'),
    import('./operator/portal-port.ts'),
  ])
  return createPages(pagesPortOf(operator, layersOff, access.pagesUrl), portalPortOf(operator, access))
}
