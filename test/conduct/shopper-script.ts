// Scripted shopper for `assay drill --run`: pays once at the shop at SHOP_URL as the drill needs.
import { connectSandbox } from '@assay-sandbox/assay/sandbox'
import { paymentForDrill } from './example-shop-driver.ts'

const { ASSAY_DRILL = '', ASSAY_ORGANIZATION = '', ASSAY_URL, SHOP_URL = '' } = process.env
const organization = await connectSandbox().organization(ASSAY_ORGANIZATION)
const control = async <Body>(path: string, body?: object): Promise<Body> => {
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  return (await fetch(`${ASSAY_URL}/control/organizations/${organization.id}${path}`, init)).json() as Body
}
await paymentForDrill(ASSAY_DRILL)(SHOP_URL, organization, control)
