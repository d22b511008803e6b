import type { Context } from 'hono'
import { readField } from '../blik/read-decision.ts'
import type { Product } from './catalogue.ts'
import type { ShopFeatures, ShopView } from './demo-shop-types.ts'
import { shopPaths } from './shop-paths.ts'

type Checkout = {
  view: ShopView
  product: Product
  payerId: string
  /** Origin of the pages, for the address to which a bank sends the shopper back. */
  base: string
}

/** Reads the purchase that a form of the checkout asks for; undefined where its BLIK code has not six digits. */
export const readPurchase = async (
  c: Context,
  { view, product, payerId, base }: Checkout,
): Promise<Parameters<ShopFeatures['pay']>[0] | undefined> => {
  const { organizationId, say } = view
  const [asked, orderId] = [await readField(c, 'method'), await readField(c, 'order')]
  const method = (['IRIS', 'kept'] as const).find(word => word === asked) ?? 'BLIK'
  const code = (await readField(c, 'code')).replace(/\D/g, '')
  if (method === 'BLIK' && code.length !== 6) return undefined
  const description = product.name[say.language]
  const price =
    method === 'IRIS'
      ? { amount: product.cents, currency: 'EUR', country: 'GR', description }
      : { amount: product.zloty, currency: 'PLN', country: 'PL', description }
  return {
    organizationId,
    orderId,
    method,
    price,
    payerId,
    locale: say.language,
    ...(method === 'BLIK' ? { code, keeps: (await readField(c, 'keep')) === 'yes' } : {}),
    ...(method === 'IRIS' ? { returnUrl: new URL(shopPaths.back(view, orderId), base).href } : {}),
  }
}
