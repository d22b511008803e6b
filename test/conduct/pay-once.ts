// A shopper for `assay drill --run`: goes through the checkout of the shop at SHOP_URL once.
import { connectSandbox } from 'assay/sandbox'
import { payAsAsked } from './shop-world.ts'

const { ASSAY_DRILL = '', ASSAY_ORGANIZATION = '', ASSAY_URL, SHOP_URL = '' } = process.env
const organization = await connectSandbox().organization(ASSAY_ORGANIZATION)
const control = async <Body>(path: string, body?: object): Promise<Body> => {
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  return (await fetch(`${ASSAY_URL}/control/organizations/${organization.id}${path}`, init)).json() as Body
}
await payAsAsked(ASSAY_DRILL)(SHOP_URL, organization, control)
