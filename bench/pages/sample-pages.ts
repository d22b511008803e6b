import { portalPaths } from '../../hosted-pages/portal/portal-paths.ts'
import { shopPaths } from '../../hosted-pages/shop/shop-paths.ts'
import { paths } from '../../hosted-pages/shopper-paths.ts'
import type { ScreenshotSandbox } from '../../test/support/screenshot-sandbox.ts'

type SamplePage = readonly [name: string, path: string]

/** Pages of the portal with their names; those of one call, payment and endpoint are beside them. */
const PORTAL = {
  overview: portalPaths.overview,
  journal: portalPaths.journal,
  payments: portalPaths.payments,
  webhooks: portalPaths.webhooks,
  inbox: portalPaths.inbox,
  clock: portalPaths.clock,
  scenarios: portalPaths.scenarios,
  conduct: portalPaths.conduct,
  lab: portalPaths.lab,
  identities: portalPaths.identities,
  reports: portalPaths.reports,
  capabilities: portalPaths.capabilities,
  dialect: portalPaths.dialect,
} as const

/**
 * Opens one page of each kind in a sandbox, and returns their names and paths: all, or those whose name begins with one
 * of the given words.
 */
export const openSamplePages = async (scene: ScreenshotSandbox, chosen: readonly string[]): Promise<SamplePage[]> => {
  const { organizationId, phone, operator } = scene
  const endpoint = await operator.endpoints.add(organizationId, { url: `${scene.pagesUrl}/no-receiver` })
  const [settled, waiting, iris] = [await scene.settled(), await scene.pushed(), await scene.redirected()]
  const [call] = (await operator.journal.page(organizationId, { limit: 1 })).calls
  const bank = paths.bank(iris.path.split('/').at(-1) ?? '', 'elaia')
  const pages: SamplePage[] = [
    ['landing', '/'],
    ['shop', await openedPath(scene, shopPaths.root)],
    ['organizations', portalPaths.organizations],
    ...Object.entries(PORTAL).map(([name, pathOf]) => [name, pathOf(organizationId)] as const),
    ['search', `${portalPaths.search(organizationId)}?q=129.99`],
    ['call', portalPaths.call(organizationId, call?.callId ?? '')],
    ['compare', `${portalPaths.call(organizationId, call?.callId ?? '')}/compare`],
    ['timeline, settled', portalPaths.payment(organizationId, settled)],
    ['timeline, waiting', portalPaths.payment(organizationId, waiting.transactionId)],
    ['endpoint', portalPaths.endpoint(organizationId, endpoint.endpointId)],
    ['phones', paths.blik(organizationId)],
    ['phone', phone],
    ['phone, code', await scene.code()],
    ['phone, payment', waiting.path],
    ['iris, banks', iris.path],
    ['iris, sign-in', bank],
    ['iris, accounts', `${bank}/accounts?user=Maria`],
    ['iris, confirm', `${bank}/accounts/current?user=Maria`],
  ]
  return pages.filter(([name]) => chosen.length === 0 || chosen.some(start => name.startsWith(start)))
}

/** The path to which a page redirects. */
const openedPath = async ({ pagesUrl }: ScreenshotSandbox, path: string): Promise<string> =>
  new URL((await fetch(pagesUrl + path)).url).pathname
