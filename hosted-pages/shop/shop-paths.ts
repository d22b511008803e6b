const part = encodeURIComponent

/** Who a shop belongs to, and the key that its address needs. */
export type ShopAddress = { organizationId: string; key: string }

const root = '/shop'
const shopOf = ({ organizationId, key }: ShopAddress): string => `${root}/${part(organizationId)}/${part(key)}`
const orderOf = (shop: ShopAddress, orderId: string): string => `${shopOf(shop)}/orders/${part(orderId)}`

/** The paths of the demo shop and of its stage. */
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
