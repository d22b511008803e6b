import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { Merchant } from 'assay/merchant'
import { connectSandbox, type Organization } from 'assay/sandbox'
import type { Hono } from 'hono'
import { createShop } from '../../examples/shop/shop.ts'
import { until } from '../support/poll.ts'
import type { TestSimulator } from '../support/simulator.ts'

type Grade = { id: string; verdict: string; breaches: readonly { said: string }[] }
type Drill = { runs: number; since: string }

/** How a shop differs from the good one: its merchant, or what stands before its routes. */
export type Spoil = {
  merchant?: (good: Merchant, organization: Organization) => Merchant
  before?: (shop: Hono) => (request: Request) => Response | Promise<Response>
  /** It has no endpoint for webhooks. */
  deaf?: boolean
}

/** A shop behind a real socket, in an organization of its own. */
export const openShop = async (
  simulator: TestSimulator,
  { merchant: spoil, before, deaf = false }: Spoil = {},
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

  return {
    url,
    organization,
    grades,
    /** The rules that are broken, once what is under way is over: these where they are, else what was seen last. */
    failed: async (wanted: readonly string[]) => {
      const patience = fewLooks(60)
      const broken = async () => (await grades()).filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
      return until(broken, ids => ids.join() === wanted.join() || patience())
    },
    control,
    /** A shopper pays with BLIK once. */
    pay: () => payWithBlik(url, organization),
    /** Lets a shopper do what the drill asks for, and tells the verdicts of its rules. */
    drill: async (name: string, pay: typeof payWithIris = payAsAsked(name)): Promise<Record<string, string>> => {
      const { runs, since } = await control<Drill>(`/drills/${name}/begin`, {})
      for (let run = 1; run <= runs; run += 1) {
        if (run > 1) await control(`/drills/${name}/between`, {})
        await pay(url, organization, control)
      }
      const { rules } = await control<{ rules: Grade[] }>(`/drills/${name}/end`, { since })
      return Object.fromEntries(rules.map(({ id, verdict }) => [id, verdict]))
    },
    close: () => {
      server.close()
      good.close()
    },
  }
}

/** How a shopper pays in a drill. */
export const payAsAsked = (name: string) =>
  ['SHOPPER_GONE', 'WEBHOOK_BEFORE_RETURN'].includes(name) ? payWithIris : payWithBlik

type Control = <Body>(path: string, body?: object) => Promise<Body>
const form = (fields: Record<string, string>) =>
  ({ method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) }) as const

export const payWithBlik = async (url: string, { blik }: Organization) => {
  const code = await blik.code()
  const shopped = fetch(`${url}/pay/blik`, form({ code })).then(answer => answer.headers.get('location') ?? '')
  const approved = blik.approve().catch(() => undefined) // a payment that was never begun cannot be approved
  const ended = shopped.then(order => stateOf(url, order)).then(state => (state === 'failed' ? state : approved))
  await Promise.race([approved, ended])
  await settled(url, await shopped)
}

const stateOf = async (url: string, order: string): Promise<string> =>
  ((await (await fetch(`${url}${order}/state`)).json()) as { state: string }).state

/** The shopper pays at the bank and never comes back. */
export const payWithIris = async (url: string, { webhooks }: Organization, control: Control) => {
  const after = await webhooks.newest()
  await fetch(`${url}/pay/iris`, form({}))
  const { notification } = await webhooks.waitFor('PAYMENT_INITIATE', after === undefined ? {} : { after })
  const { transactionId, clientTransactionId } = notification as Record<string, string>
  await control(`/payments/${transactionId}/shopper`, { action: 'approve', leaves: 'yes' })
  await settled(url, `/orders/${clientTransactionId}`)
}

/** Until the shop knows how it ended, or for as long as a shopper would watch. */
const settled = (url: string, order: string) => {
  const patience = fewLooks(250)
  return until(
    () => stateOf(url, order),
    state => state === 'paid' || state === 'failed' || patience(),
  )
}

/** Says so when it has been asked so many times. */
const fewLooks = (most: number) => {
  let looks = 0
  return (): boolean => {
    looks += 1
    return looks > most
  }
}
