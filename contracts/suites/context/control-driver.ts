import type { Kit } from '../../client/credentials.ts'
import type { Exchange } from '../../client/http-exchange.ts'
import { stopwatch } from '../../client/wall-clock.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { readControlAddress } from '../../harness/profile/read-profile-credentials.ts'
import { missingLine } from '../../harness/profile/response-fields-and-line-advice.ts'

/** A client of the control API for one organization: shoppers, clock, signing keys, certificates, faults, webhooks. */
export type ControlDriver = ReturnType<typeof createControlDriver>

const REFUSAL_STATUSES = [400, 409, 422]

/** Error of a well-formed request that the control API refuses (400, 409 or 422). */
class ControlRefusal extends Blocked {}

const unlessRefused = (error: unknown): undefined => {
  if (!(error instanceof ControlRefusal)) throw error
}

/** Parses the body of a response of control, which may be empty; throws Blocked for what some other service answered. */
const parseBody = <Body>(text: string, answered: string): Body => {
  try {
    return JSON.parse(text || '{}') as Body
  } catch {
    throw new Blocked(`${answered} without JSON: is control.url of the profile right?`)
  }
}

/** A webhook subscription; calling it ends it. */
type Subscription = (() => Promise<unknown>) & { endpointId: string }

/**
 * Creates a client of the control API for one organization. Its calls throw Untestable where the profile has no control
 * address, and Blocked where control refuses or fails.
 */
export const createControlDriver = (profile: Profile, organizationId: string) => {
  const { url: controlUrl, token } = readControlAddress(profile)
  const organization = `/control/organizations/${encodeURIComponent(organizationId)}`
  const ask = async <Body>(method: 'GET' | 'POST' | 'DELETE', path: string, json?: unknown): Promise<Body> => {
    if (profile.control === undefined) throw missingLine(profile, 'control.url')
    const url = `${controlUrl.replace(/\/$/, '')}${path}`
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    const signal = AbortSignal.timeout(10_000)
    const response = await fetch(url, { method, signal, headers, redirect: 'error', ...body }).catch(() => undefined)
    const text = response?.ok ? await response.text().catch(() => undefined) : undefined
    if (text !== undefined) return parseBody<Body>(text, `${method} ${url} answered ${response?.status}`)
    if (response && REFUSAL_STATUSES.includes(response.status))
      throw new ControlRefusal(`${method} ${url} answered ${response.status}`)
    throw new Blocked(
      `${method} ${url} answered ${response?.status ?? 'nothing'}: ${response?.status === 401 ? 'is control.token' : 'is control.url'} of the profile right?`,
    )
  }
  const unsubscribe = (endpointId: string) =>
    ask<unknown>('DELETE', `${organization}/webhooks/${encodeURIComponent(endpointId)}`)
  return {
    /** Issues a fresh BLIK code. */
    oneTimeCode: async () => (await ask<{ code: string }>('POST', `${organization}/blik/codes`)).code,
    shopper: (transactionId: string, action: 'approve' | 'decline') =>
      ask<unknown>('POST', `${organization}/payments/${encodeURIComponent(transactionId)}/shopper`, { action }),
    /** Like `shopper`, but ignores a refusal, as when the payment has expired. */
    tryShopper: (transactionId: string, action: 'approve' | 'decline') =>
      ask<unknown>('POST', `${organization}/payments/${encodeURIComponent(transactionId)}/shopper`, { action }).catch(
        unlessRefused,
      ),
    /** Advances the organization's clock by an ISO 8601 duration. */
    advance: (duration: string) => ask<unknown>('POST', `${organization}/clock`, { advance: duration }),
    /** Registers a public signing key (PEM) and returns its id; undefined where that is refused (5.1, 5.2). */
    registerKey: async (publicKey: string): Promise<string | undefined> => {
      const registering = ask<{ keyId: string }>('POST', `${organization}/signing-keys`, { publicKey })
      return (await registering.catch(unlessRefused))?.keyId
    },
    deregisterKey: (keyId: string) =>
      ask<unknown>('DELETE', `${organization}/signing-keys/${encodeURIComponent(keyId)}`),
    /** Issues a certificate (PEM) for a PKCS #10 request, with its notAfter. */
    certify: async (csr: string, validTo: string) =>
      (await ask<{ certificate: string }>('POST', `${organization}/certificates`, { csr, validTo })).certificate,
    /** Revokes a client certificate of this organization by its SHA-256 fingerprint. */
    revokeCertificate: (fingerprint: string) =>
      ask<unknown>('DELETE', `${organization}/certificates/${encodeURIComponent(fingerprint)}`),
    /** Arms a fault for the next matching calls (7.1, 7.4, 7.5). */
    arm: (fault: Readonly<Record<string, unknown>>) => ask<unknown>('POST', `${organization}/faults`, fault),
    /** Waits for the first matching notification of the inbox; returns the exchange with control (6). */
    notification: async (filter: Readonly<Record<string, string>>): Promise<Exchange> => {
      if (profile.control === undefined) throw missingLine(profile, 'control.url')
      const { origin, pathname } = new URL(controlUrl)
      const path = `${pathname.replace(/\/$/, '')}${organization}/inbox/wait?${new URLSearchParams({ atMost: 'PT3S', ...filter })}`
      const [url, elapsed] = [`${origin}${path}`, stopwatch()]
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const response = await fetch(url, { headers, signal: AbortSignal.timeout(65_000) }).catch(() => undefined)
      if (!response) throw new Blocked(`GET ${url} got no response: is control.url of the profile right?`)
      const body = Buffer.from(await response.arrayBuffer())
      return {
        request: { method: 'GET', url, headers },
        response: {
          status: response.status,
          headers: { 'content-type': response.headers.get('content-type') ?? '' },
          body,
        },
        durationMs: elapsed(),
      }
    },
    /** Plans how the next matching notifications are delivered, such as twice or late (6). */
    plan: (rule: Readonly<Record<string, unknown>>) => ask<unknown>('POST', `${organization}/delivery-plans`, rule),
    /** Subscribes a URL to webhooks of these types. */
    subscribe: async (url: string, types: readonly string[]): Promise<Subscription> => {
      const { endpointId } = await ask<{ endpointId: string }>('POST', `${organization}/webhooks`, { url, types })
      return Object.assign(() => unsubscribe(endpointId), { endpointId })
    },
    unsubscribe,
    /** Reads the kit of this organization, or creates the organization. */
    kit: () =>
      ask<Kit>('GET', `${organization}/kit`).catch(() =>
        ask<Kit>('POST', '/control/organizations', { id: organizationId }),
      ),
  }
}
