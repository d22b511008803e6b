import type { Kit } from '../client/credentials.ts'
import type { Exchange } from '../client/exchange.ts'
import { stopwatch } from '../client/real-time.ts'
import { Blocked } from '../harness/signals.ts'

/** What only a simulator offers: a shopper that can be told what to do, a clock that can be moved, a portal to ask. */
export type Operator = ReturnType<typeof createOperator>

const REFUSING = [400, 409, 422]

/** The portal understood and said no. */
class PortalRefusal extends Blocked {}

const unlessRefused = (error: unknown): undefined => {
  if (!(error instanceof PortalRefusal)) throw error
}

/** Ends a subscription when called. */
export type Subscription = (() => Promise<unknown>) & { endpointId: string }

type Control = { url: string; token?: string }

/** Speaks to the control address of a profile, for one organization. */
export const createOperator = ({ url: controlUrl, token }: Control, organizationId: string) => {
  const organization = `/control/organizations/${encodeURIComponent(organizationId)}`
  const ask = async <Body>(method: 'GET' | 'POST' | 'DELETE', path: string, json?: unknown): Promise<Body> => {
    const url = `${controlUrl.replace(/\/$/, '')}${path}`
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    const signal = AbortSignal.timeout(10_000)
    const answer = await fetch(url, { method, signal, headers, redirect: 'error', ...body }).catch(() => undefined)
    if (answer?.ok) return (await answer.json().catch(() => ({}))) as Body
    if (answer && REFUSING.includes(answer.status))
      throw new PortalRefusal(`${method} ${url} answered ${answer.status}`)
    throw new Blocked(
      `${method} ${url} answered ${answer?.status ?? 'nothing'}: ${answer?.status === 401 ? 'is control.token' : 'is control.url'} of the profile right?`,
    )
  }
  const unsubscribe = (endpointId: string) =>
    ask<unknown>('DELETE', `${organization}/webhooks/${encodeURIComponent(endpointId)}`)
  return {
    /** A fresh code from the shopper's bank app. */
    oneTimeCode: async () => (await ask<{ code: string }>('POST', `${organization}/blik/codes`)).code,
    shopper: (transactionId: string, action: 'approve' | 'decline') =>
      ask<unknown>('POST', `${organization}/payments/${encodeURIComponent(transactionId)}/shopper`, { action }),
    /** The same where it may be too late for that: what came of it is seen by the payment. */
    tryShopper: (transactionId: string, action: 'approve' | 'decline') =>
      ask<unknown>('POST', `${organization}/payments/${encodeURIComponent(transactionId)}/shopper`, { action }).catch(
        unlessRefused,
      ),
    /** Moves the organization's clock by an ISO 8601 duration. */
    advance: (duration: string) => ask<unknown>('POST', `${organization}/clock`, { advance: duration }),
    /** Registers the public half of a signing key, PEM, and tells its id; undefined where that is refused (5.1, 5.2). */
    registerKey: async (publicKey: string): Promise<string | undefined> => {
      const registering = ask<{ keyId: string }>('POST', `${organization}/signing-keys`, { publicKey })
      return (await registering.catch(unlessRefused))?.keyId
    },
    deregisterKey: (keyId: string) =>
      ask<unknown>('DELETE', `${organization}/signing-keys/${encodeURIComponent(keyId)}`),
    /** A certificate, PEM, for a certificate request; it ends at this instant. */
    certify: async (csr: string, validTo: string) =>
      (await ask<{ certificate: string }>('POST', `${organization}/certificates`, { csr, validTo })).certificate,
    /** Arms what the provider does wrong on the next calls that reach it (7.1, 7.4, 7.5). */
    arm: (fault: Readonly<Record<string, string | number>>) => ask<unknown>('POST', `${organization}/faults`, fault),
    /** The call by which the inbox is asked for the first notification that fits, whatever it answers (6). */
    notification: async (wish: Readonly<Record<string, string>>): Promise<Exchange> => {
      const { origin, pathname } = new URL(controlUrl)
      const path = `${pathname.replace(/\/$/, '')}${organization}/inbox/wait?${new URLSearchParams({ atMost: 'PT3S', ...wish })}`
      const [url, elapsed] = [`${origin}${path}`, stopwatch()]
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const answer = await fetch(url, { headers, signal: AbortSignal.timeout(65_000) }).catch(() => undefined)
      if (!answer) throw new Blocked(`GET ${url} answered nothing: is control.url of the profile right?`)
      const body = Buffer.from(await answer.arrayBuffer())
      return {
        request: { method: 'GET', url, headers },
        answer: { status: answer.status, headers: { 'content-type': answer.headers.get('content-type') ?? '' }, body },
        durationMs: elapsed(),
      }
    },
    /** Says how the next notifications are delivered (6). */
    plan: (rule: Readonly<Record<string, unknown>>) => ask<unknown>('POST', `${organization}/delivery-plans`, rule),
    /** Has an address told what happens; tells how to end that. */
    subscribe: async (url: string, types: readonly string[]): Promise<Subscription> => {
      const { endpointId } = await ask<{ endpointId: string }>('POST', `${organization}/webhooks`, { url, types })
      return Object.assign(() => unsubscribe(endpointId), { endpointId })
    },
    unsubscribe,
    /** The kit of this organization, which comes to be if it is not there yet. */
    kit: () =>
      ask<Kit>('GET', `${organization}/kit`).catch(() =>
        ask<Kit>('POST', '/control/organizations', { id: organizationId }),
      ),
  }
}
