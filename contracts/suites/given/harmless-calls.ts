import { accessTokenIn, type Exchange } from '../../client/http-exchange.ts'
import type { CallOverrides } from '../../client/send-signed-call.ts'
import { Blocked } from '../../harness/judge/verdict-errors.ts'
import type { CheckContext } from '../context/check-context.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import { unknownId } from './create-payments.ts'

/** Reads the status of a known payment: a bodyless GET behind all three security layers, without side effects. */
export const readStatus = async (
  { merchant, given }: CheckContext,
  alter?: CallOverrides,
  scope?: string,
): Promise<Exchange> =>
  merchant.request('status', { path: { transactionId: await given.payment() }, ...(scope && { scope }) }, alter)

/**
 * Calls the token endpoint for a check: a POST with a body behind certificate and signature, without side effects; by
 * default as TOK-01 does.
 */
export const requestToken = (
  { merchant }: CheckContext,
  alter?: CallOverrides,
  form?: Record<string, string>,
): Promise<Exchange> => merchant.request('token', { form: form ?? merchant.tokenForm('payments:process') }, alter)

/** Fetches the key set for a check, with a token only where the profile says that it is protected. */
export const readKeySet = ({ merchant }: CheckContext, alter?: CallOverrides): Promise<Exchange> =>
  merchant.request('keySet', {}, alter)

/** Searches for payments by their clientTransactionId (2.1, 8). */
export const searchFor = (
  { merchant }: Pick<TestOrganization, 'merchant'>,
  clientTransactionId: string,
  alter?: CallOverrides,
): Promise<Exchange> => merchant.request('search', { json: { clientTransactionId } }, alter)

/** Calls status with an id that no payment has, and returns the exchange unjudged. */
export const readUnknownPayment = ({ merchant, profile }: CheckContext): Promise<Exchange> =>
  merchant.request('status', { path: { transactionId: unknownId(profile) } })

/** Fetches a new access token: the organization's clock may have passed the expiry of a cached one. */
export const fetchToken = async (
  { merchant }: TestOrganization,
  alter?: CallOverrides,
  scope = 'payments:read payments:process',
): Promise<{ token: string }> => {
  const form = merchant.tokenForm(scope)
  const exchange = await merchant.request('token', { form }, alter)
  const token = accessTokenIn(exchange)
  if (token !== undefined) return { token }
  throw new Blocked('no fresh token was given', exchange)
}
