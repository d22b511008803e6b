import { type Context, Hono } from 'hono'
import { readField } from '../blik/read-decision.ts'
import { type LiveChanges, respondWithStages } from '../live-stream.ts'
import type { OrganizationDirectory } from '../organization-search-and-pagination.ts'
import { respondNotFound, respondTooMany, respondWithPage, seeOther } from '../page-response.ts'
import { findOrUndefined, formResult } from '../portal/forms/form-result.ts'
import { signInPath, signInPathTo } from '../portal/sign-in/sign-in-routes.ts'
import type { ShopFeatures, ShopView } from './demo-shop-types.ts'
import { respondForbidden, type ShopAccess } from './shop-access.ts'
import { shopPaths } from './shop-paths.ts'
import { defaultOrganization, withShop } from './shop-routes.ts'
import { stagePage } from './side-by-side-stage-page.ts'
import { stageOfTimeline, stageTimelinePage } from './side-by-side-stage-timeline.ts'

/** Topics at which the timeline of a payment may have changed. */
const TIMELINE_TOPICS = ['calls', 'payments', 'webhooks', 'clock'] as const

/**
 * Features of the simulator that the stage, the demo page of shop, phone and timeline side by side, needs beside those
 * of the shop.
 */
export type StageFeatures = OrganizationDirectory &
  LiveChanges & {
    shop: ShopFeatures
    phones: {
      banks: readonly { id: string }[]
      create: (organizationId: string, bankId: string) => Promise<{ phoneId: string }>
    }
    shopper: { createCode: (organizationId: string, shownBy: { phoneId: string }) => Promise<unknown> }
    access: ShopAccess
  }

/**
 * Creates the routes of the stage, the demo page of shop, phone and timeline side by side. It shows what the portal
 * shows, endpoints of webhooks among it: it is for who may see the portal. The button that opens it takes a new phone
 * with a fresh code.
 */
export function stageRoutes(features: StageFeatures): Hono {
  const { shop, phones, shopper, organizations, access } = features
  const route = withShop(features)
  const forOperators = (use: (c: Context, view: ShopView) => Response | Promise<Response>) =>
    route(async (c, view) => {
      if (view.isOperator) return use(c, view)
      const is = await access.mayAct(c, view.organizationId)
      return is === 'signed out' ? seeOther(c, signInPath(c)) : respondForbidden(c, access)
    })

  const orderOf = async (c: Context, { organizationId }: ShopView) => {
    const orderId = c.req.query('order') ?? ''
    return orderId === '' ? undefined : shop.order(organizationId, orderId, false)
  }
  const timelineOf = async (c: Context, view: ShopView) => {
    const { organizationId } = view
    const { transactionId } = (await orderOf(c, view)) ?? {}
    return transactionId === undefined ? undefined : findOrUndefined(() => shop.timeline(organizationId, transactionId))
  }

  return new Hono()
    .post(shopPaths.openStage, async c => {
      const named = await readField(c, 'organization')
      const organizationId = named || (await defaultOrganization(c, features))
      const is = await access.mayAct(c, organizationId)
      if (is === 'signed out') return seeOther(c, signInPathTo(shopPaths.toStage(named)))
      if (is === 'forbidden') return respondForbidden(c, access)
      if (!(await organizations.find(organizationId))) return respondNotFound(c)
      const phone = await formResult(() => phones.create(organizationId, phones.banks[0]?.id ?? ''))
      if ('refused' in phone) return respondTooMany(c, 'Phones')
      const { phoneId } = phone.done
      const code = await formResult(() => shopper.createCode(organizationId, { phoneId }))
      if ('refused' in code) return respondTooMany(c, 'Codes')
      return seeOther(c, shopPaths.stage({ organizationId, key: await shop.keyOf(organizationId) }, { phone: phoneId }))
    })
    .get(
      '/shop/:organizationId/:key/stage',
      forOperators(async (c, view) => {
        const order = await orderOf(c, view)
        return respondWithPage(c, stagePage(view, { phone: c.req.query('phone'), order: order?.orderId }))
      }),
    )
    .get(
      '/shop/:organizationId/:key/timeline',
      forOperators(async (c, view) =>
        respondWithPage(c, stageTimelinePage(view, c.req.query('order'), await timelineOf(c, view))),
      ),
    )
    .get(
      '/shop/:organizationId/:key/timeline/stream',
      forOperators((c, view) => {
        const look = async () => {
          if ((await access.mayAct(c, view.organizationId)) !== 'permitted') return undefined
          return { stage: stageOfTimeline(await timelineOf(c, view)), now: 0, rate: 0, expiresAt: 0 }
        }
        return respondWithStages(features, c, view.organizationId, look, TIMELINE_TOPICS)
      }),
    )
}
