import { Hono } from 'hono'
import { OPERATIONS } from '../../contracts/operations.ts'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import type { ControlTokenVerifier } from '../control/control-token-verifier.ts'
import type { ApiBindings } from '../http/api-call.ts'
import type { LayerOff } from '../http/disabled-layers.ts'
import type { BaseUrlResolver } from '../installation/base-url-resolver.ts'
import type { DemoShop } from '../shop/demo-shop.ts'
import { toDisplayName } from '../shoppers/bank-app-payment-view.ts'
import { pause } from '../support/clock.ts'
import { parseDuration } from '../support/duration.ts'
import { speakPaymentIds } from './show-payment-ids-in-dialect-form.ts'

export type PagesAppParts = {
  controlPlane: ControlPlaneFeatures
  baseUrls: BaseUrlResolver
  /**
   * Gives the API a certificate for the host of its URL; throws where the host is none of this sandbox, or the
   * organization whose token asks for it has added too many addresses.
   */
  coverApiUrl: (url: string, organizationId?: string) => Promise<void>
  layersOff: readonly LayerOff[]
  pagesUrl: string | undefined
  token: ControlTokenVerifier
  /** Opens the demo shop at the first call of a page; undefined where there is none. */
  shop: (() => Promise<DemoShop>) | undefined
  onError: (error: unknown) => void
}

/**
 * Creates the Hono app of control, hosted pages and portal, whose code is imported at the first call so that the start
 * does not wait for it, part by part. Here the compiler checks that the features of the control plane are what the pages need.
 */
export const loadPagesApp = async (parts: PagesAppParts): Promise<Hono<{ Bindings: ApiBindings }>> => {
  const { controlPlane, layersOff, pagesUrl, token } = parts
  const [{ createControlApi }, { createTurnsInOrganizations }] = await Promise.all([
    import('../control/control-api.ts'),
    import('../control/take-turns-in-organization.ts'),
  ])
  await giveWay()
  const { respondDescription } = await import('../control/payment-api-description.ts')
  await giveWay()
  const { loadPages } = await import('../../hosted-pages/load-pages.ts')
  const { createPages, timelineFile } = await loadPages(giveWay)
  const shop = await parts.shop?.()
  await giveWay()
  const site = new Hono<{ Bindings: ApiBindings }>()
  const turns = createTurnsInOrganizations()
  turns.ofPortal(site, token)
  const spoken = { ...controlPlane, ...speakPaymentIds(controlPlane) }
  site.route('/control', createControlApi({ ...parts, controlPlane: spoken, drawTimeline: timelineFile, turns }))
  await giveWay()
  for (const { path } of Object.values(OPERATIONS))
    site.all(path.replace(/\{(\w+)\}/, ':$1'), c => {
      const apiUrl = parts.baseUrls.apiUrlAt(new URL(c.req.url).host)
      return c.json({ error: `The API is at ${apiUrl}: this port has the pages and control.` }, 404)
    })
  site.get('/openapi.yaml', c => respondDescription(c, controlPlane.dialects.usual))
  const { apiUrlAt } = parts.baseUrls
  const portal = { ...spoken, apiUrlAt, access: { ...token, pagesUrl }, parseDuration }
  if (shop) site.route('/', shop.webhooks)
  const isKept = async (organizationId: string, payerId: string): Promise<boolean> => {
    const [accountId] = (await controlPlane.organizations.find(organizationId))?.accountIds ?? []
    return accountId !== undefined && controlPlane.mandates.isValid(organizationId, { accountId, payerId })
  }
  const shopPages = shop && { shop: { ...shop, nameOf: toDisplayName, timeline: spoken.payments.timeline, isKept } }
  const shopper = { ...controlPlane, apiUrlAt, layersOff, pagesUrl, ...shopPages }
  site.route('/', createPages(shopper, portal))
  await giveWay()
  return site
}

/** Milliseconds between two parts of the code that is loaded: a signed call that waited is served whole in between. */
const PAUSE_MS = 3

const giveWay = (): Promise<void> => pause(PAUSE_MS)
