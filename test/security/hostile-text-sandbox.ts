import { mkdirSync, writeFileSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { organizationControl } from '../support/control-client.ts'
import { createCertificateRequest, newKeyPair } from '../support/generate-keys-and-certificates.ts'
import { openWebhookReceiver } from '../support/recording-webhook-receiver.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import {
  firstAccountOf,
  irisRequestOf,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

/** Input of a security test that escapes any unescaped HTML context and sets `window.owned`. */
export const HOSTILE_TEXT = `zq'"><img src=x onerror=window.owned=1><script>window.owned=1</script>`
/** The input without spaces, for headers and URLs. */
const EVIL_WORD = HOSTILE_TEXT.replaceAll(' ', '/')
/** Parts of the hostile test input that must not appear unescaped. */
export const UNESCAPED_HOSTILE_TEXT = /zq'|zq&#39;"|zq&#39;&quot;>|<img|<script>/

/** Writes a scenario folder with one scenario whose texts are hostile. */
const hostileScenarios = (): string => {
  const folder = join(temporaryFolder(), 'scenarios')
  mkdirSync(folder)
  const scenario = {
    name: 'EVIL',
    title: HOSTILE_TEXT,
    magic: '9001',
    clauses: ['7.3'],
    steps: { finalize: { decline: 'INSUFFICIENT_FUNDS' } },
  }
  writeFileSync(join(folder, 'evil.yaml'), JSON.stringify({ scenarios: [scenario] }))
  return folder
}

const metadata = { [HOSTILE_TEXT.slice(0, 60)]: HOSTILE_TEXT }
const requestContext = { ipAddress: `zq'"><script>`, userAgent: HOSTILE_TEXT, deviceId: HOSTILE_TEXT }

/** Sends a call without client certificate, whose headers the journal records. */
const callOfNobody = ({ kit }: ScopedSimulator, headers: Record<string, string>): Promise<void> =>
  new Promise((resolve, reject) => {
    const address = `${kit.apiBaseUrl}/payments/${encodeURIComponent(HOSTILE_TEXT)}/status?q=${encodeURIComponent(HOSTILE_TEXT)}`
    const call = httpsRequest(address, { ca: kit.ca, headers }, answer => answer.resume().on('end', resolve))
    call.on('error', reject).end()
  })

/** Creates a phone and a BLIK code through the pages; returns their paths and the code. */
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

/** Starts a sandbox with hostile text in every input; returns it with the paths of its shopper pages. */
export const openHostileSandbox = async (): Promise<ScopedSimulator & { shopperPaths: readonly string[] }> => {
  const simulator = await startScopedSimulator({ scenarios: hostileScenarios() })
  const { pagesUrl } = simulator
  const control = organizationControl(simulator)
  const merchant = merchantOf(simulator)
  const receiver = await openWebhookReceiver(() => ({
    status: 500,
    headers: { 'x-evil': HOSTILE_TEXT },
    body: HOSTILE_TEXT,
  }))
  const { body: endpoint } = await control.post('webhooks', { url: new URL(`${receiver.url}&${EVIL_WORD}`).href })
  const described = (request: { paymentDetails: object }, more: object = {}) =>
    ({
      ...request,
      clientTransactionId: HOSTILE_TEXT,
      metadata,
      requestContext,
      paymentDetails: { ...request.paymentDetails, description: HOSTILE_TEXT },
      ...more,
    }) as never

  const returnUrl = `https://shop.example/back?zq'onfocus=owned=1;'&x=y`
  const iris = await merchant.initiate(
    described(irisRequestOf(merchant), { returnUrl, payerDetails: { payerId: HOSTILE_TEXT } }),
  )
  const { phone, code, digits } = await codeOnPhone(pagesUrl)
  const blik = {
    processingAccountId: firstAccountOf(merchant),
    transactionType: 'RECURRING',
    paymentDetails: { amount: 1000, currency: 'PLN', country: 'PL', autoCapture: true },
    providerDetails: { providerId: 'BLIK' },
    payerDetails: { oneTimeCode: digits, payerId: HOSTILE_TEXT },
  }
  const pushed = await merchant.initiate(described(blik), { idempotencyKey: EVIL_WORD })
  if (!iris.ok || !pushed.ok) throw new Error(`The payments cannot be initiated: ${JSON.stringify([iris, pushed])}`)
  const waiting = await codeOnPhone(pagesUrl)
  await merchant.initiate(
    described({ ...blik, payerDetails: { oneTimeCode: waiting.digits, payerId: HOSTILE_TEXT } } as never),
  )
  await control.post(`payments/${pushed.body.transactionId}/shopper`, { action: 'approve' })
  await merchant.finalize({
    processingAccountId: firstAccountOf(merchant),
    transactionId: pushed.body.transactionId,
  })
  await merchant.mockSet({
    processingAccountId: firstAccountOf(merchant),
    key: { type: 'CLIENT_TRANSACTION_ID', value: HOSTILE_TEXT },
    type: 'PASSTHROUGH',
    scenario: 'EVIL',
  } as never)
  await merchant.request('search', { json: { [HOSTILE_TEXT]: HOSTILE_TEXT, limit: HOSTILE_TEXT } })
  await merchant.request('initiate', {
    json: { [HOSTILE_TEXT]: HOSTILE_TEXT },
    headers: { 'user-agent': HOSTILE_TEXT, 'service-version': HOSTILE_TEXT },
  })
  await callOfNobody(simulator, {
    'user-agent': HOSTILE_TEXT,
    signature: HOSTILE_TEXT,
    'signature-input': HOSTILE_TEXT,
  })
  await control.post('certificates', {
    request: await createCertificateRequest(newKeyPair().privateKey, `CN="${HOSTILE_TEXT.replace('"', '')}"`),
  })
  await control.post(`webhooks/${endpoint.endpointId}/test`, {})
  await control.put('dialect', { profile: JSON.stringify({ name: HOSTILE_TEXT }) })
  await control.post('clock', { advance: 'PT1M' })
  const { redirectUrl = '' } = iris.body.providerDetails
  return { ...simulator, shopperPaths: [new URL(redirectUrl).pathname, phone, code, waiting.code] }
}
