const part = encodeURIComponent

/** Address of a demo shop: the organization to which it belongs, and the secret part of its URL, called its key. */
export type ShopAddress = { organizationId: string; key: string }

const root = '/shop'
const shopOf = ({ organizationId, key }: ShopAddress): string => `${root}/${part(organizationId)}/${part(key)}`
const orderOf = (shop: ShopAddress, orderId: string): string => `${shopOf(shop)}/orders/${part(orderId)}`

/** Functions that build the paths of the pages of the demo shops and of the stage, which shows one beside a phone. */
export const shopPaths = {
  root,
  /** Where a form opens the stage with a new phone. */
  openStage: `${root}/stage`,
  front: shopOf,
  product: (shop: ShopAddress, productId: string) => `${shopOf(shop)}/products/${part(productId)}`,
  order: orderOf,
  refund: (shop: ShopAddress, orderId: string) => `${orderOf(shop, orderId)}/refund`,
  demo: (shop: ShopAddress) => `${shopOf(shop)}/demo`,
  stage: (shop: ShopAddress, phoneId?: string) =>
    `${shopOf(shop)}/stage${phoneId === undefined ? '' : `?phone=${part(phoneId)}`}`,
  timeline: (shop: ShopAddress) => `${shopOf(shop)}/timeline`,
  timelineStream: (shop: ShopAddress, orderId: string) => `${shopOf(shop)}/timeline/stream?order=${part(orderId)}`,
}
