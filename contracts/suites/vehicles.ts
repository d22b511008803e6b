import type { Exchange } from '../client/exchange.ts'
import type { Alterations } from '../client/send.ts'
import { unknownId } from './given.ts'
import type { World } from './world.ts'

/** A read of a payment that is there: a bodyless GET behind all three layers, safe everywhere. */
export const readStatus = async ({ merchant, given }: World, alter?: Alterations, scope?: string): Promise<Exchange> =>
  merchant.request('status', { path: { transactionId: await given.payment() }, ...(scope && { scope }) }, alter)

/** The token call: a POST with a body behind certificate and signature that changes nothing. */
export const askToken = ({ merchant }: World, alter?: Alterations, form?: Record<string, string>): Promise<Exchange> =>
  merchant.request('token', { form: form ?? merchant.tokenForm('payments:read') }, alter)

/** The key set: open to everybody, so that nothing but TLS is asked of the caller. */
export const readKeys = ({ merchant }: World, alter?: Alterations): Promise<Exchange> =>
  merchant.request('keySet', {}, alter)

/** A read of a payment that never was. */
export const readUnknown = ({ merchant, profile }: World): Promise<Exchange> =>
  merchant.request('status', { path: { transactionId: unknownId(profile) } })
