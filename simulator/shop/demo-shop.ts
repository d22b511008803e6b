import type { KeyObject } from 'node:crypto'
import type { Kit } from '../../contracts/client/credentials.ts'
import type { Purchase } from '../../hosted-pages/shop/demo-shop-types.ts'
import type { Ids } from '../support/ids.ts'
import { createShopOrders } from './pay-and-refund-shop-orders.ts'
import { createShopMerchants } from './shop-merchant-clients.ts'
import { createShopKeys } from './shop-url-secret.ts'
import { shopWebhookRoutes, webhookPath } from './shop-webhook-routes.ts'

/** Endpoints of an organization for webhooks, as its operator registers and lists them. */
type Endpoints = {
  register(organizationId: string, input: { url: string }): Promise<unknown>
  remove(organizationId: string, endpointId: string): Promise<unknown>
  list(
    organizationId: string,
  ): Promise<readonly { endpointId: string; url: string; secrets: readonly { secret: string }[] }[]>
}

type Parts = {
  /** The kit of an organization, with addresses at which this process reaches the API; undefined where there is none. */
  kitOf: (organizationId: string) => Promise<Kit | undefined>
  endpoints: Endpoints
  /** Where this process receives webhooks: the base URL of its own pages. */
  ownUrl: string
  /** Whether no other process serves these shops: what another port was registered for is then over. */
  isAlone: boolean
  /** A private key of the installation, from which the addresses of shops are made. */
  privateKey: KeyObject
  /** What an organization was created with, which is in the address of its shop too. */
  stateOf: (organizationId: string) => Promise<string>
  ids: Pick<Ids, 'uuid'>
  realNow: () => number
  onError: (error: unknown) => void
}

/** Hexadecimal digits of a payer's number. */
const PAYER_DIGITS = 20

/**
 * Creates the demo shops, one for each organization. A shop is a client of the API and has no way into the store: it calls by the
 * organization's kit over mutual TLS, and receives webhooks at an endpoint of its own, which its first sale registers.
 */
export const createDemoShop = ({
  kitOf,
  endpoints,
  ownUrl,
  isAlone,
  privateKey,
  stateOf,
  ids,
  realNow,
  onError,
}: Parts) => {
  const merchants = createShopMerchants(kitOf)
  const told = new Set<string>()
  const orders = createShopOrders({ merchants, realNow, isTold: organizationId => told.has(organizationId) })
  const urlOf = (organizationId: string): string => `${ownUrl}${webhookPath(organizationId)}`
  const secretsOf = async (organizationId: string): Promise<readonly string[]> => {
    const own = (await endpoints.list(organizationId)).find(({ url }) => url === urlOf(organizationId))
    return own?.secrets.map(({ secret }) => secret) ?? []
  }
  const ensureEndpoint = async (organizationId: string): Promise<void> => {
    const path = webhookPath(organizationId)
    const others = (await endpoints.list(organizationId)).filter(
      ({ url }) => URL.parse(url)?.pathname === path && url !== urlOf(organizationId),
    )
    for (const { endpointId } of isAlone ? others : []) await endpoints.remove(organizationId, endpointId)
    // Without an endpoint, as where an organization has as many as it may, the shop asks for the status instead.
    await endpoints.register(organizationId, { url: urlOf(organizationId) }).catch(() => told.delete(organizationId))
  }

  return {
    ...createShopKeys(privateKey, stateOf),
    order: orders.order,
    refund: orders.refund,
    pay: async (purchase: Purchase) => {
      await ensureEndpoint(purchase.organizationId)
      return orders.pay(purchase)
    },
    newOrderId: () => `shop-${ids.uuid()}`,
    newPayerId: () => `shopper-${ids.uuid().replaceAll('-', '').slice(0, PAYER_DIGITS)}`,
    webhooks: shopWebhookRoutes({
      merchants,
      orders,
      secretsOf,
      received: organizationId => void told.add(organizationId),
      onError,
    }),
    close: merchants.close,
  }
}

export type DemoShop = ReturnType<typeof createDemoShop>
