// A small shop that pays through a running sandbox.
// usage: node main.ts [PORT [ORGANIZATION]]   (3000 and demo-merchant; ASSAY_URL names another sandbox)
// In a clone: node bin/run.js examples/shop/main.ts [PORT [ORGANIZATION]]

import { connectSandbox } from '@assay-sandbox/assay/sandbox'
import { serve } from '@hono/node-server'
import { createShop } from './shop.ts'

const [port = '3000', id = 'demo-merchant'] = process.argv.slice(2)
const organization = await connectSandbox().organization(id)
// From here, since a sandbox in a container cannot call this machine.
const { secret = '' } = await organization.webhooks.forwardTo(`http://127.0.0.1:${port}/webhooks`)

// Asked before each call, so that a new key is used while the old one still holds: a shop of yours would ask its vault.
const merchant = organization.merchant({ signingKey: organization.signingKey })

serve({ fetch: createShop({ merchant, secrets: [secret] }).fetch, port: Number(port) }, () =>
  console.log(`The shop is open at http://localhost:${port}; codes are made at ${organization.kit.pagesBaseUrl}/blik.`),
)
