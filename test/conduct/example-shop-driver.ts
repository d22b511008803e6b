import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Merchant } from '@assay-sandbox/assay/merchant'
import { connectSandbox, type Organization } from '@assay-sandbox/assay/sandbox'
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'
import { createShop } from '../../examples/shop/shop.ts'
import type { TestSimulator } from '../support/caller-stopped-simulator.ts'
import { pollUntil } from '../support/poll-until.ts'

type Grade = { id: string; verdict: string; breaches: readonly { said: string }[] }
type Drill = { runs: number; since: string }

/** Change of the example shop in a test of conduct: another merchant client, or a wrapper of its routes. */
export type ShopChange = {
  merchant?: (good: Merchant, organization: Organization) => Merchant
  before?: (shop: Hono) => (request: Request) => Response | Promise<Response>
  /** The shop registers no webhook endpoint. */
  deaf?: boolean
}

/** Starts the example shop on a local port for a test of conduct, in a new organization unless `beside` names one. */
export const startExampleShop = async (
  simulator: TestSimulator,
  { merchant: spoil, before, deaf = false }: ShopChange = {},
  beside?: Organization,
) => {
  const organization = beside ?? (await connectSandbox({ url: simulator.pagesUrl }).create())
  const secrets: string[] = []
  const good = organization.merchant({ signingKey: organization.signingKey })
  const shop = createShop({ merchant: spoil?.(good, organization) ?? good, secrets })
  const server = serve({ fetch: before?.(shop) ?? shop.fetch, port: 0, hostname: '127.0.0.1' })
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  if (!deaf) secrets.push((await organization.webhooks.sendTo(`${url}/webhooks`)).secret ?? '')

  const control = async <Body>(path: string, body?: object): Promise<Body> => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    return (await fetch(`${simulator.pagesUrl}/control/organizations/${organization.id}${path}`, init)).json() as Body
  }
  const grades = async () => (await control<{ rules: Grade[] }>('/conduct')).rules
  /** Runs a drill with a scripted shopper and returns the verdict of each of its rules. */
  const drill = async (name: string, pay: DrillPayment = paymentForDrill(name)): Promise<Record<string, string>> => {
    const { runs, since } = await control<Drill>(`/drills/${name}/begin`, {})
    for (let run = 1; run <= runs; run += 1) {
      if (run > 1) await control(`/drills/${name}/between`, {})
      await pay(url, organization, control)
    }
    const { rules } = await control<{ rules: Grade[] }>(`/drills/${name}/end`, { since })
    return Object.fromEntries(rules.map(({ id, verdict }) => [id, verdict]))
  }

  return {
    url,
    organization,
    grades,
    /** Ids of failed rules; waits until they equal `wanted`, for at most 60 polls. */
    failed: async (wanted: readonly string[]) => {
      const patience = fewLooks(60)
      const broken = async () => (await grades()).filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
      return pollUntil(broken, ids => ids.join() === wanted.join() || patience())
    },
    control,
    /** Pays once with BLIK; returns the path of the order. */
    pay: () => payWithBlik(url, organization),
    drill,
    /** Runs a drill until it fails a rule, at most three times, and returns the last verdict of that rule. */
    drillUntilFailed: (name: string, rule: string) => {
      const patience = fewLooks(2)
      const judge = async () => (await drill(name))[rule]
      return pollUntil(judge, verdict => verdict === 'fail' || patience())
    },
    close: () => {
      server.close()
      good.close()
    },
  }
}

/**
 * Returns the function that pays in the example shop during a drill: by IRIS where the drill needs a shopper at the
 * bank, else by BLIK.
 */
export const paymentForDrill = (name: string): DrillPayment =>
  ['SHOPPER_GONE', 'PROVIDER_MAINTENANCE', 'WEBHOOK_BEFORE_RETURN'].includes(name) ? payWithIris : payWithBlik

/** Pays once in the example shop as a drill needs. */
export type DrillPayment = (url: string, organization: Organization, control: Control) => Promise<unknown>
type Control = <Body>(path: string, body?: object) => Promise<Body>
const form = (fields: Record<string, string>) =>
  ({ method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) }) as const

/** Pays in the example shop with BLIK; returns the path of the order. */
export const payWithBlik = async (url: string, { blik }: Organization) => {
  const code = await blik.code()
  const shopped = fetch(`${url}/pay/blik`, form({ code })).then(answer => answer.headers.get('location') ?? '')
  const approved = blik.approve().catch(() => undefined) // a payment that was never begun cannot be approved
  const ended = shopped.then(order => stateOf(url, order)).then(state => (state === 'failed' ? state : approved))
  await Promise.race([approved, ended])
  await settled(url, await shopped)
  return shopped
}

const stateOf = async (url: string, order: string): Promise<string> =>
  ((await (await fetch(`${url}${order}/state`)).json()) as { state: string }).state

/** Pays in the example shop with IRIS at the bank; the shopper does not return to the shop. */
export const payWithIris = async (url: string, { webhooks }: Organization, control: Control) => {
  const after = await webhooks.newest()
  await fetch(`${url}/pay/iris`, form({}))
  const { notification } = await webhooks.waitFor('PAYMENT_INITIATE', after === undefined ? {} : { after })
  const { transactionId, clientTransactionId } = notification as Record<string, string>
  await control(`/payments/${transactionId}/shopper`, { action: 'approve', leaves: 'yes' })
  await settled(url, `/orders/${clientTransactionId}`)
}

/** Waits until the shop shows the order as paid or failed, for at most 250 polls. */
const settled = (url: string, order: string) => {
  const patience = fewLooks(250)
  return pollUntil(
    () => stateOf(url, order),
    state => state === 'paid' || state === 'failed' || patience(),
  )
}

/** Creates a predicate that is true after this many calls. */
const fewLooks = (most: number) => {
  let looks = 0
  return (): boolean => {
    looks += 1
    return looks > most
  }
}
