import { mkdirSync, writeFileSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { controlOf, newPair, requestFor } from '../support/identities.ts'
import { accountOf, irisOf, merchantOf, type Running, runningSimulator } from '../support/running.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openReceiver } from '../webhooks/receiver.ts'

/** Leaves every context of HTML in which a text can stand, and does something there. */
export const EVIL = `zq'"><img src=x onerror=window.owned=1><script>window.owned=1</script>`
/** The same without what no header and no address can carry. */
const EVIL_WORD = EVIL.replaceAll(' ', '/')
/** What must never stand in a page as it is. */
export const RAW = /zq'|zq&#39;"|zq&#39;&quot;>|<img|<script>/

/** A folder with one scenario whose every free text is hostile. */
const hostileScenarios = (): string => {
  const folder = join(temporaryFolder(), 'scenarios')
  mkdirSync(folder)
  const scenario = {
    name: 'EVIL',
    title: EVIL,
    magic: '9001',
    clauses: ['7.3'],
    steps: { finalize: { decline: 'INSUFFICIENT_FUNDS' } },
  }
  writeFileSync(join(folder, 'evil.yaml'), JSON.stringify({ scenarios: [scenario] }))
  return folder
}

const metadata = { [EVIL.slice(0, 60)]: EVIL }
const requestContext = { ipAddress: `zq'"><script>`, userAgent: EVIL, deviceId: EVIL }

/** A call that is refused before anybody is known; its headers are in the journal all the same. */
const callOfNobody = ({ kit }: Running, headers: Record<string, string>): Promise<void> =>
  new Promise((resolve, reject) => {
    const address = `${kit.apiBaseUrl}/payments/${encodeURIComponent(EVIL)}/status?q=${encodeURIComponent(EVIL)}`
    const call = httpsRequest(address, { ca: kit.ca, headers }, answer => answer.resume().on('end', resolve))
    call.on('error', reject).end()
  })

/** A phone, a code on it, and the addresses of both, as a browser gets them. */
const codeOnPhone = async (pagesUrl: string) => {
  const post = async (path: string, form: Record<string, string> = {}) => {
    const answer = await fetch(pagesUrl + path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) })
    return answer.headers.get('location') ?? ''
  }
  const [, bank = ''] =
    /data-testid="blik-bank-([^"]+)"/.exec(await (await fetch(`${pagesUrl}/blik/demo-merchant`)).text()) ?? []
  const phone = await post('/blik/demo-merchant/phones', { bank })
  const code = await post(`${phone}/codes`)
  const page = await (await fetch(pagesUrl + code)).text()
  const [, digits = ''] = /data-testid="blik-code"[^>]*>(?:<[^>]*>)*(\d{3}(?:<[^>]*>|\s)*\d{3})/.exec(page) ?? []
  return { phone, code, digits: digits.replace(/<[^>]*>|\s/g, '') }
}

/** A sandbox in which everybody who can give it a text has given it a hostile one. Tells where shoppers look. */
export const hostileScene = async (): Promise<Running & { shopperPaths: readonly string[] }> => {
  const simulator = await runningSimulator({ scenarios: hostileScenarios() })
  const { pagesUrl } = simulator
  const control = controlOf(simulator)
  const merchant = merchantOf(simulator)
  const receiver = await openReceiver(() => ({ status: 500, headers: { 'x-evil': EVIL }, body: EVIL }))
  const { body: endpoint } = await control.post('webhooks', { url: new URL(`${receiver.url}&${EVIL_WORD}`).href })
  const described = (request: { paymentDetails: object }, more: object = {}) =>
    ({
      ...request,
      clientTransactionId: EVIL,
      metadata,
      requestContext,
      paymentDetails: { ...request.paymentDetails, description: EVIL },
      ...more,
    }) as never

  const returnUrl = `https://shop.example/back?zq'onfocus=owned=1;'&x=y`
  const iris = await merchant.initiate(described(irisOf(merchant), { returnUrl, payerDetails: { payerId: EVIL } }))
  const { phone, code, digits } = await codeOnPhone(pagesUrl)
  const blik = {
    processingAccountId: accountOf(merchant),
    transactionType: 'RECURRING',
    paymentDetails: { amount: 1000, currency: 'PLN', country: 'PL', autoCapture: true },
    providerDetails: { providerId: 'BLIK' },
    payerDetails: { oneTimeCode: digits, payerId: EVIL },
  }
  const pushed = await merchant.initiate(described(blik), { idempotencyKey: EVIL_WORD })
  if (!iris.ok || !pushed.ok) throw new Error(`The scene cannot be set: ${JSON.stringify([iris, pushed])}`)
  const waiting = await codeOnPhone(pagesUrl)
  await merchant.initiate(described({ ...blik, payerDetails: { oneTimeCode: waiting.digits, payerId: EVIL } } as never))
  await control.post(`payments/${pushed.body.transactionId}/shopper`, { action: 'approve' })
  await merchant.finalize({
    processingAccountId: accountOf(merchant),
    transactionId: pushed.body.transactionId,
    clientTransactionId: EVIL,
  } as never)
  await merchant.mockSet({
    processingAccountId: accountOf(merchant),
    key: { type: 'CLIENT_TRANSACTION_ID', value: EVIL },
    type: 'PASSTHROUGH',
    scenario: 'EVIL',
  } as never)
  await merchant.request('search', { json: { [EVIL]: EVIL, limit: EVIL } })
  await merchant.request('initiate', {
    json: { [EVIL]: EVIL },
    headers: { 'user-agent': EVIL, 'service-version': EVIL },
  })
  await callOfNobody(simulator, { 'user-agent': EVIL, signature: EVIL, 'signature-input': EVIL })
  await control.post('certificates', {
    request: await requestFor(newPair().privateKey, `CN="${EVIL.replace('"', '')}"`),
  })
  await control.post(`webhooks/${endpoint.endpointId}/test`, {})
  await control.post('clock', { advance: 'PT1M' })
  const { redirectUrl = '' } = iris.body.providerDetails
  return { ...simulator, shopperPaths: [new URL(redirectUrl).pathname, phone, code, waiting.code] }
}
