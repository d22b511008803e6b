// A shopper for `assay drill --run`: goes through the checkout of the shop at SHOP_URL once.
import { connectSandbox } from 'assay/sandbox'
import { payWithBlik, payWithIris } from './shop-world.ts'

const { ASSAY_DRILL = '', ASSAY_ORGANIZATION = '', ASSAY_URL, SHOP_URL = '' } = process.env
const organization = await connectSandbox().organization(ASSAY_ORGANIZATION)
const control = async <Body>(path: string, body?: object): Promise<Body> => {
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  return (await fetch(`${ASSAY_URL}/control/organizations/${organization.id}${path}`, init)).json() as Body
}
const isAtBank = ['SHOPPER_GONE', 'WEBHOOK_BEFORE_RETURN'].includes(ASSAY_DRILL)
await (isAtBank ? payWithIris : payWithBlik)(SHOP_URL, organization, control)
