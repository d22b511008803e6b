const part = encodeURIComponent

/** Address of a demo shop: the organization to which it belongs, and the secret part of its URL, called its key. */
export type ShopAddress = { organizationId: string; key: string }

const root = '/shop'
const shopOf = ({ organizationId, key }: ShopAddress): string => `${root}/${part(organizationId)}/${part(key)}`
const orderOf = (shop: ShopAddress, orderId: string): string => `${shopOf(shop)}/orders/${part(orderId)}`

const backsOf = ({ organizationId }: Pick<ShopAddress, 'organizationId'>) => `${root}/${part(organizationId)}/back`

const query = (fields: Record<string, string | undefined>): string => {
  const given = Object.entries(fields).flatMap(([name, value]) => (value ? [`${name}=${part(value)}`] : []))
  return given.length === 0 ? '' : `?${given.join('&')}`
}

/** Functions that build the paths of the pages of the demo shops and of the stage, which shows one beside a phone. */
export const shopPaths = {
  root,
  /** Where a form opens the stage with a new phone. */
  openStage: `${root}/stage`,
  /** Where a link, as after signing in, opens the stage without making a phone; of the usual organization if none is named. */
  toStage: (organizationId: string) => `${root}?stage=${part(organizationId)}`,
  front: shopOf,
  product: (shop: ShopAddress, productId: string) => `${shopOf(shop)}/products/${part(productId)}`,
  order: orderOf,
  /** Where a bank sends the shopper back, without the shop's key: the merchant's calls tell it. */
  back: (shop: Pick<ShopAddress, 'organizationId'>, orderId: string) => `${backsOf(shop)}/${part(orderId)}`,
  backs: (shop: Pick<ShopAddress, 'organizationId'>) => backsOf(shop),
  refund: (shop: ShopAddress, orderId: string) => `${orderOf(shop, orderId)}/refund`,
  demo: (shop: ShopAddress) => `${shopOf(shop)}/demo`,
  /** The stage with a phone, and with the order that it shows. */
  stage: (shop: ShopAddress, shown: { phone?: string | undefined; order?: string | undefined } = {}) =>
    `${shopOf(shop)}/stage${query(shown)}`,
  timeline: (shop: ShopAddress, order?: string) => `${shopOf(shop)}/timeline${query({ order })}`,
  timelineStream: (shop: ShopAddress, orderId: string) => `${shopOf(shop)}/timeline/stream?order=${part(orderId)}`,
}
