// A first payment with the merchant's client: certificate, token and signatures are its business.
// usage: node bin/run.js examples/first-payment.ts [KIT_FOLDER]        (default .assay/kit/demo-merchant)
import { readFileSync } from 'node:fs'
import { readKit } from '../contracts/client/credentials.ts'
import { createMerchant } from '../contracts/client/merchant-client.ts'

process.on('uncaughtException', ({ message }) => {
  console.error(message)
  process.exitCode = 1
})
const [folder = '.assay/kit/demo-merchant'] = process.argv.slice(2)
const credentials = readKit(folder)
const merchant = createMerchant(credentials)
const { pagesBaseUrl } = JSON.parse(readFileSync(`${folder}/kit.json`, 'utf8'))
const pages = (process.env.ASSAY_URL || pagesBaseUrl).replace(/\/$/, '') // a kit may name the address for browsers
const control = `${pages}/control/organizations/${credentials.organizationId}`
const headers = { authorization: `Bearer ${process.env.ASSAY_CONTROL_TOKEN ?? ''}` }
const shopper = async (path: string, content = {}) => {
  const response = await fetch(control + path, { method: 'POST', headers, body: JSON.stringify(content) }).catch(() => {
    throw new Error(`Control does not respond at ${pages}: let ASSAY_URL name the pages of the sandbox.`)
  })
  const body = await response.json()
  if (!response.ok) throw new Error(`Control refused ${path}: ${body.error}`)
  return body
}

const { code } = await shopper('/blik/codes')
const processingAccountId = credentials.processingAccountIds[0] ?? ''
const payment = await merchant.initiate({
  processingAccountId,
  clientTransactionId: 'first-payment',
  transactionType: 'ONE_TIME',
  paymentDetails: { amount: 1999, currency: 'PLN', country: 'PL', description: 'A first payment' },
  providerDetails: { providerId: 'BLIK' },
  payerDetails: { oneTimeCode: code },
})
if (!payment.ok) throw new Error(payment.refusal?.statusInfo?.message)
const { transactionId } = payment.body

await shopper(`/payments/${transactionId}/shopper`, { action: 'approve' })
await merchant.finalize({ processingAccountId, transactionId })
await shopper('/clock', { advance: 'PT2S' })
const status = await merchant.status(transactionId)
console.log(status.ok ? status.body : status.refusal)
