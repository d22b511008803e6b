import type { Kit } from '../client/credentials.ts'
import { Blocked } from '../harness/signals.ts'

/** What only a simulator offers: a shopper that can be told what to do, a clock that can be moved, a portal to ask. */
export type Operator = ReturnType<typeof createOperator>

const REFUSING = [400, 409, 422]

/** The portal understood and said no. */
class PortalRefusal extends Blocked {}

const unlessRefused = (error: unknown): undefined => {
  if (!(error instanceof PortalRefusal)) throw error
}

/** Speaks to the control address of a profile, for one organization. */
export const createOperator = (controlUrl: string, organizationId: string) => {
  const organization = `/control/organizations/${encodeURIComponent(organizationId)}`
  const ask = async <Body>(method: 'GET' | 'POST' | 'DELETE', path: string, json?: unknown): Promise<Body> => {
    const url = `${controlUrl.replace(/\/$/, '')}${path}`
    const init =
      json === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) }
    const answer = await fetch(url, { method, signal: AbortSignal.timeout(10_000), ...init }).catch(() => undefined)
    if (answer?.ok) return (await answer.json().catch(() => ({}))) as Body
    if (answer && REFUSING.includes(answer.status))
      throw new PortalRefusal(`${method} ${url} answered ${answer.status}`)
    throw new Blocked(`${method} ${url} answered ${answer?.status ?? 'nothing'}: is control.url of the profile right?`)
  }
  return {
    /** A fresh code from the shopper's bank app. */
    oneTimeCode: async () => (await ask<{ code: string }>('POST', `${organization}/blik/codes`)).code,
    shopper: (transactionId: string, action: 'approve' | 'decline') =>
      ask<unknown>('POST', `${organization}/payments/${encodeURIComponent(transactionId)}/shopper`, { action }),
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
    /** The kit of this organization, which comes to be if it is not there yet. */
    kit: () =>
      ask<Kit>('GET', `${organization}/kit`).catch(() =>
        ask<Kit>('POST', '/control/organizations', { id: organizationId }),
      ),
  }
}
