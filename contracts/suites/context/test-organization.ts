import { type Credentials, credentialsFromKit } from '../../client/credentials.ts'
import type { Exchange } from '../../client/http-exchange.ts'
import { createMerchant, type Merchant } from '../../client/merchant-client.ts'
import { BUSY_STATUSES } from '../../client/retry-policy.ts'
import { createTransport, type Transport } from '../../client/transport.ts'
import { createRequestDialect } from '../../harness/profile/create-request-dialect.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findRefusalCode } from '../../harness/profile/response-fields-and-line-advice.ts'
import { REFUSALS } from '../../protocol/reason-codes.ts'
import { createShopper, type Shopper } from '../drivers/choose-shopper-driver.ts'
import { type Clock, createClock } from '../drivers/clock.ts'
import type { WebhookSource } from '../drivers/delivered-webhook.ts'
import { repeatCall } from '../given/content-of-recorded-call.ts'
import type { WebhookReceiver } from '../given/webhook-receiver.ts'
import { type ControlDriver, createControlDriver } from './control-driver.ts'
import { createPaymentReferences } from './payment-reference-in-later-operations.ts'

/** One organization under test: its merchant client, its processing account, and the drivers of shoppers and of time. */
export type TestOrganization = {
  merchant: Merchant
  /** By each exchange of a request that drew a 500, the same call once more: its content and faults, signed anew. */
  again: ReadonlyMap<Exchange, () => Promise<Exchange>>
  account: string
  /** Address to which shoppers return, where the profile names one. */
  returnUrl: string | undefined
  shopper: Shopper
  clock: Clock
  /** The control API of a simulator; its calls throw Untestable where the profile has none. */
  control: ControlDriver
}

const same = <Value>(value: Value): Value => value

/**
 * Wrappers of a check context's transport and drivers, such as the safety guard, the ledger and the stubs of a dry run.
 */
export type ContextWrappers = {
  transport?(transport: Transport, organizationId: string): Transport
  control?(control: ControlDriver, organizationId: string): ControlDriver
  shopper?(shopper: Shopper): Shopper
  clock?(clock: Clock): Clock
  /** Where webhooks come from, in place of what the profile names. */
  webhooks?: WebhookStubs
}

/** Stubs of where the checks see webhooks: the source, and a receiver that fails at first. */
export type WebhookStubs = { source: WebhookSource; failingReceiver: WebhookReceiver }

/** Creates an organization under test, with its clients and drivers, for the deployment of a profile; makes no call. */
export const createTestOrganization = (
  profile: Profile,
  credentials: Credentials,
  wrappers: ContextWrappers,
  { onExchange, ended }: { onExchange(exchange: Exchange): void; ended: AbortSignal },
): TestOrganization => {
  const { paths, dialect, responses, keySet, budgets } = profile
  const { ca, identity, organizationId } = credentials
  const timeoutMs = budgets?.callSeconds === undefined ? {} : { timeoutMs: budgets.callSeconds * 1000 }
  const transport = createTransport({ identity, ...(ca === undefined ? {} : { ca }), ...timeoutMs })
  const references = createPaymentReferences(profile)
  const merchant = createMerchant(credentials, {
    dialectLines: {},
    ...(paths && { paths }),
    ...(dialect && { dialect }),
    ...(responses && { responses }),
    isKeySetProtected: keySet?.protected === true,
    requestDialect: references.repeating(createRequestDialect(profile)),
    retry: BUSY_STATUSES,
    onExchange: exchange => {
      references.note(exchange)
      onExchange(exchange)
    },
    transport: wrappers.transport?.(transport, organizationId) ?? transport,
  })
  const control = createControl(profile, organizationId, wrappers)
  const shopper = createShopper({ profile, merchant, control, ended })
  const clock = createClock(profile, control, ended)
  const { shopper: wrapShopper = same, clock: wrapClock = same } = wrappers
  const again = new Map<Exchange, () => Promise<Exchange>>()
  /** Sends a call; once more under its key with a new token where that of the cache has ended, as a newer one may do (5.5, 7.3). */
  const send: Merchant['request'] = async (endpoint, parts, alter) => {
    const exchange = await merchant.request(endpoint, parts, alter)
    if (alter?.token !== undefined || !isTokenEnded(profile, exchange)) return exchange
    await merchant.forgetTokenOf(exchange, parts?.scope)
    return merchant.request(endpoint, { ...parts, ...repeatCall(exchange) }, alter)
  }
  const request: Merchant['request'] = async (endpoint, parts, alter) => {
    const exchange = await send(endpoint, parts, alter)
    if (exchange.response?.status === 500)
      again.set(exchange, () => merchant.request(endpoint, { ...parts, ...repeatCall(exchange) }, alter))
    return exchange
  }
  return {
    merchant: { ...merchant, request },
    again,
    account: credentials.processingAccountIds[0] ?? '',
    returnUrl: profile.target.returnUrl,
    shopper: wrapShopper(shopper),
    clock: wrapClock(clock),
    control,
  }
}

/** Whether a call was refused as its token has expired or been revoked (7.3). */
const isTokenEnded = (profile: Profile, exchange: Exchange): boolean =>
  exchange.response?.status === 401 && findRefusalCode(profile, exchange) === REFUSALS.TOKEN_EXPIRED.reasonCode

/** Reads the credentials of an organization from the control address, which creates the organization if necessary. */
export const createCredentials = async (
  profile: Profile,
  organizationId: string,
  wrappers: ContextWrappers,
): Promise<Credentials> => {
  const kit = await createControl(profile, organizationId, wrappers).kit()
  return { ...credentialsFromKit(kit), baseUrl: profile.target.baseUrl }
}

const createControl = (profile: Profile, organizationId: string, wrappers: ContextWrappers): ControlDriver => {
  const control = createControlDriver(profile, organizationId)
  return wrappers.control?.(control, organizationId) ?? control
}
