import type { Kit } from '../client/credentials.ts'
import { Blocked } from '../harness/signals.ts'

/** What only a simulator offers: a shopper that can be told what to do, and a clock that can be moved. */
export type Operator = ReturnType<typeof createOperator>

/** Speaks to the control address of a profile, for one organization. */
export const createOperator = (controlUrl: string, organizationId: string) => {
  const organization = `/control/organizations/${encodeURIComponent(organizationId)}`
  const ask = async <Body>(method: 'GET' | 'POST', path: string, json?: unknown): Promise<Body> => {
    const url = `${controlUrl.replace(/\/$/, '')}${path}`
    const init =
      json === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) }
    const answer = await fetch(url, { method, signal: AbortSignal.timeout(10_000), ...init }).catch(() => undefined)
    if (answer?.ok) return (await answer.json().catch(() => ({}))) as Body
    throw new Blocked(`${method} ${url} answered ${answer?.status ?? 'nothing'}: is control.url of the profile right?`)
  }
  return {
    /** A fresh code from the shopper's bank app. */
    oneTimeCode: async () => (await ask<{ code: string }>('POST', `${organization}/blik/codes`)).code,
    shopper: (transactionId: string, action: 'approve' | 'decline') =>
      ask<unknown>('POST', `${organization}/payments/${encodeURIComponent(transactionId)}/shopper`, { action }),
    /** Moves the organization's clock by an ISO 8601 duration. */
    advance: (duration: string) => ask<unknown>('POST', `${organization}/clock`, { advance: duration }),
    /** The kit of this organization, which comes to be if it is not there yet. */
    kit: () =>
      ask<Kit>('GET', `${organization}/kit`).catch(() =>
        ask<Kit>('POST', '/control/organizations', { id: organizationId }),
      ),
  }
}
