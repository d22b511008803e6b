import { portalPaths } from '../../hosted-pages/portal/portal-paths.ts'
import { shopPaths } from '../../hosted-pages/shop/shop-paths.ts'
import { paths } from '../../hosted-pages/shopper-paths.ts'
import type { ScreenshotSandbox } from '../../test/support/screenshot-sandbox.ts'

/** Pages of the portal with their names; those of one call, payment and endpoint are below. */
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

/** Creates in a sandbox what the sample pages show. */
const createSamples = async (scene: ScreenshotSandbox) => {
  const { organizationId: id, operator } = scene
  const endpoint = await operator.endpoints.add(id, { url: `${scene.pagesUrl}/no-receiver` })
  const [settled, waiting, iris] = [await scene.settled(), await scene.pushed(), await scene.redirected()]
  const [call] = (await operator.journal.page(id, { limit: 1 })).calls
  const bank = paths.bank(iris.path.split('/').at(-1) ?? '', 'elaia')
  return { scene, id, endpoint, settled, waiting, iris, bank, callId: call?.callId ?? '' }
}

type Samples = Awaited<ReturnType<typeof createSamples>>

/** The path of each sample page, one of each kind, by its name. */
const PATHS: Readonly<Record<string, (samples: Samples) => string | Promise<string>>> = {
  landing: () => '/',
  shop: ({ scene }) => openedPath(scene, shopPaths.root),
  organizations: () => portalPaths.organizations,
  ...Object.fromEntries(Object.entries(PORTAL).map(([name, pathOf]) => [name, ({ id }: Samples) => pathOf(id)])),
  search: ({ id }) => `${portalPaths.search(id)}?q=129.99`,
  call: ({ id, callId }) => portalPaths.call(id, callId),
  compare: ({ id, callId }) => `${portalPaths.call(id, callId)}/compare`,
  'timeline, settled': ({ id, settled }) => portalPaths.payment(id, settled),
  'timeline, waiting': ({ id, waiting }) => portalPaths.payment(id, waiting.transactionId),
  endpoint: ({ id, endpoint }) => portalPaths.endpoint(id, endpoint.endpointId),
  phones: ({ id }) => paths.blik(id),
  phone: ({ scene }) => scene.phone,
  'phone, code': ({ scene }) => scene.code(),
  'phone, payment': ({ waiting }) => waiting.path,
  'iris, banks': ({ iris }) => iris.path,
  'iris, sign-in': ({ bank }) => bank,
  'iris, accounts': ({ bank }) => `${bank}/accounts?user=Maria`,
  'iris, confirm': ({ bank }) => `${bank}/accounts/current?user=Maria`,
}

/** Names of the sample pages. */
export const SAMPLE_PAGES = Object.keys(PATHS)

/** Opens the sample pages of these names in a sandbox, and returns their names and paths. */
export const openSamplePages = async (scene: ScreenshotSandbox, names: readonly string[]) => {
  const samples = await createSamples(scene)
  const pages: (readonly [name: string, path: string])[] = []
  for (const name of names) pages.push([name, (await PATHS[name]?.(samples)) ?? ''])
  return pages
}

/** The path to which a page redirects. */
const openedPath = async ({ pagesUrl }: ScreenshotSandbox, path: string): Promise<string> =>
  new URL((await fetch(pagesUrl + path)).url).pathname
