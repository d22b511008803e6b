import type { Simulator } from '../../simulator/simulator.ts'
import { blikRequest, chargeRequest, irisRequest } from '../support/payment-requests.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of responses are read by name
type ControlResponse = { status: number; body: any }
type SimulatorUrls = Pick<Simulator, 'pagesUrl' | 'plainUrl'>

/** Creates a fuzz target's client of one organization: control calls, and API calls without security layers. */
export const organizationClient = ({ pagesUrl, plainUrl }: SimulatorUrls, organizationId: string) => {
  const asking =
    (base: string) =>
    async (method: string, path: string, body?: unknown): Promise<ControlResponse> => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      keys += 1
      const headers = { 'content-type': 'application/json', 'idempotency-key': `key-${keys}` }
      const answer = await fetch(`${base}/${path}`, { method, headers, ...(body === undefined ? {} : { body: text }) })
      const received = await answer.text()
      return {
        status: answer.status,
        body: /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(received) : received,
      }
    }
  let keys = 0
  return { here: asking(`${pagesUrl}/control/organizations/${organizationId}`), api: asking(`${plainUrl}`) }
}

export type OrganizationClient = ReturnType<typeof organizationClient>

const act = (transactionId: string, amount: number) => ({
  clientTransactionId: 'act-1',
  transactionId,
  paymentDetails: { amount, description: 'As agreed' },
})

const capture = (transactionId: string, amount: number) => ({
  ...act(transactionId, amount),
  paymentDetails: { amount },
})

/** Creates in the organization of a client at least one record of every kind that a snapshot holds. */
export const populateOrganization = async (
  { here, api }: OrganizationClient,
  processingAccountId: string,
): Promise<void> => {
  const done = async (asked: Promise<ControlResponse>): Promise<ControlResponse['body']> => {
    const { status, body } = await asked
    if (status < 300) return body
    throw new Error(`The life cannot be lived: ${status} ${JSON.stringify(body)}`)
  }
  const pay = (path: string, body: object) => done(api('POST', `payments/${path}`, { ...body, processingAccountId }))
  const code = async () => (await done(here('POST', 'blik/codes', {}))).code as string
  const approved = async (request: object): Promise<string> => {
    const { transactionId } = await pay('initiate', request)
    await done(here('POST', `payments/${transactionId}/shopper`, { action: 'approve' }))
    await pay('finalize', { transactionId })
    return transactionId
  }
  await done(here('POST', 'blik/phones', { bank: 'zuraw' }))
  await done(here('POST', 'webhooks', { url: 'http://127.0.0.1:9/', types: ['PAYMENT_INITIATE'] }))
  await done(
    here('POST', 'delivery-plans', { do: 'duplicate', after: 'PT5S', times: 9, match: { payerId: 'payer-1' } }),
  )
  const paid = await approved(blikRequest(await code(), { transactionType: 'RECURRING' }))
  await done(here('POST', 'clock', { advance: 'P2D' }))
  await pay('refund', act(paid, 100))
  await pay('charge', chargeRequest())
  const held = await approved(blikRequest(await code(), { autoCapture: false }))
  await pay('capture', capture(held, 400))
  await pay('initiate', irisRequest())
  await done(here('PUT', `accounts/${processingAccountId}/capabilities`, { IRIS: { partialCapture: true } }))
  const key = { type: 'PAYER_ID', value: 'payer-9' }
  await done(api('POST', 'mock/set', { processingAccountId, key, type: 'MOCK', scenario: 'INSUFFICIENT_FUNDS' }))
  await done(here('POST', 'faults', { operation: 'capture', kind: 'timeout', done: 'late', after: 'PT1H' }))
  await api('POST', 'payments/capture', { ...capture(held, 100), processingAccountId })
  await done(
    here('POST', 'faults', { operation: 'refund', kind: 'decline', code: '3002', match: { payerId: 'payer-1' } }),
  )
  await code()
}
