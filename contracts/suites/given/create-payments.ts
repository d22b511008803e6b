import { randomInt, randomUUID } from 'node:crypto'
import type { CallParts } from '../../client/endpoint-call.ts'
import { type Exchange, isServed } from '../../client/http-exchange.ts'
import type { CallOverrides } from '../../client/send-signed-call.ts'
import { Blocked, Untestable } from '../../harness/judge/verdict-errors.ts'
import { offersMethod } from '../../harness/profile/capabilities-that-checks-need.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField, isDecline } from '../../harness/profile/response-fields-and-line-advice.ts'
import type { ProviderId } from '../../protocol/provider-codes.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import type { Shopper } from '../drivers/choose-shopper-driver.ts'
import { ensurePatience } from '../drivers/clock.ts'
import type { InitiateBody, ShopperOutcome } from '../drivers/shopper-driver-types.ts'
import { operationsOn } from './calls-on-payment.ts'
import { methodOfInitiate } from './content-of-recorded-call.ts'
import { readStatusUntil, showsCategory } from './read-until.ts'
import { blikPayment, finalizeBody, irisPayment } from './request-bodies.ts'

/**
 * Returns an id that no payment has, for a check: the one that the profile names, else a random one in this
 * deployment's form.
 */
export const unknownId = ({ ids }: Profile): string =>
  ids?.unknownTransactionId ??
  (ids?.transactionId === 'number' ? String(randomInt(2 ** 47, 2 ** 48 - 1)) : randomUUID())

/**
 * Choice of a payment to initiate: what its shopper will do (approve), its method (any that can end so), and how it is
 * sent. `inParts`: it is refunded several times. `without`: lines of the profile whose drivers do not act for it.
 */
export type PaymentChoice = {
  will?: ShopperOutcome
  method?: ProviderId
  autoCapture?: boolean
  inParts?: true
  without?: readonly string[]
  parts?: CallParts
  alter?: CallOverrides
}

/** A payment by BLIK with a code that was made for it: test codes live on, and of a mocked payment no provider hears (E3). */
export const NEW_CODE = { method: 'BLIK', without: ['shopper.codes', 'shopper.mock'] } as const
/** A payment by BLIK that its provider judges, and one by IRIS whose shopper goes through its page: no mocked one (E3). */
export const JUDGED_BY_BLIK = { method: 'BLIK', without: ['shopper.mock'] } as const
export const ON_PAGE = { method: 'IRIS', without: ['shopper.mock'] } as const

type Payee = Pick<TestOrganization, 'shopper' | 'account' | 'returnUrl'>

/** Returns the initiate body of a payment whose shopper will bring about the chosen outcome. */
export const preparePayment = async (organization: Payee, choice: PaymentChoice = {}): Promise<InitiateBody> => {
  const { will = 'approve', method, autoCapture } = choice
  const shopper = shopperFor(organization, choice)
  const chosen = method ?? methodFor(shopper, choice)
  const body = PAYMENTS[chosen](organization)
  if (autoCapture === undefined) return shopper.prepare(body, will)
  // What no shopper approves is never captured: IRIS, which captures with the payment, need not refuse it (D-37).
  const isCaptured = autoCapture || (method === undefined && chosen === 'IRIS' && will !== 'approve')
  return shopper.prepare({ ...body, paymentDetails: { ...body.paymentDetails, autoCapture: isCaptured } }, will)
}

const shopperFor = ({ shopper }: Pick<Payee, 'shopper'>, { without }: PaymentChoice): Shopper =>
  without === undefined ? shopper : shopper.without(without)

/** BLIK alone captures later and refunds in parts (D-37): for such a payment any driver of BLIK is better than a page. */
const methodFor = (shopper: Shopper, { will = 'approve', autoCapture, inParts }: PaymentChoice): ProviderId =>
  shopper.methodFor(will, will === 'approve' && (autoCapture === false || inParts) ? 'BLIK' : undefined)

const PAYMENTS = { BLIK: ({ account }: Payee) => blikPayment(account, ''), IRIS: irisPayment } as const

/**
 * Returns the body of a valid initiate by any method, for checks without a shopper: IRIS, which needs no code, if it is
 * offered.
 */
export const anyPayment = async (profile: Profile, organization: Payee): Promise<InitiateBody> =>
  offersMethod(profile, 'IRIS')
    ? irisPayment(organization)
    : preparePayment(organization, { method: 'BLIK', will: 'wait' })

/** Sends a check's initiate whose payment then waits for its shopper, and returns the exchange unjudged. */
export const initiate = async (organization: TestOrganization, choice: PaymentChoice = {}): Promise<Exchange> => {
  const json = await preparePayment(organization, choice)
  return organization.merchant.request('initiate', { ...choice.parts, json }, choice.alter)
}

/** Has the shopper of an initiated payment act, by the method that it has; returns the transaction id once that is done. */
export const letShopper = async (
  profile: Profile,
  organization: TestOrganization,
  initiated: Exchange,
  choice: PaymentChoice = {},
): Promise<string> => {
  const { will = 'approve', method } = choice
  const transactionId = readTransactionId(profile, initiated)
  const shopper = shopperFor(organization, choice)
  const provider = method ?? methodOfInitiate(profile, initiated) ?? methodFor(shopper, choice)
  await shopper.act({ transactionId, initiated, provider }, will)
  return transactionId
}

/**
 * Reads the transactionId of a check's initiate response, which may be a decline (D-07); throws Blocked where it was
 * refused, Untestable where none is found.
 */
export const readTransactionId = (profile: Profile, exchange: Exchange): string => {
  if (!isServed(exchange) && !isDecline(profile, exchange)) throw new Blocked('no payment could be initiated', exchange)
  const found = findField(profile, exchange, 'initiate.transactionId')
  if (found !== undefined) return String(found)
  throw new Untestable(
    `fields.initiate.transactionId points at nothing: correct it in ${profile.file}`,
    exchange,
    'fields.initiate.transactionId',
  )
}

/** Creates a payment for a check that its shopper has approved; returns its id. Finalize comes next. */
export const createApprovedPayment = async (
  profile: Profile,
  organization: TestOrganization,
  autoCapture: boolean,
  more: Pick<PaymentChoice, 'alter' | 'inParts'> = {},
): Promise<string> => {
  const initiated = await initiate(organization, { ...more, autoCapture })
  return letShopper(profile, organization, initiated)
}

/** Stages that follow the shopper's consent: once one shows, finalize has worked or failed. */
export const AFTER_FINALIZE = ['authorized', 'captured', 'settled', 'refunded', 'declined', 'expired', 'canceled']

/** Creates a payment for a check that is authorized and not captured, and waits until that shows; returns its id. */
export const createAuthorizedPayment = async (
  profile: Profile,
  organization: TestOrganization,
  alter?: CallOverrides,
): Promise<string> => {
  const initiated = await initiate(organization, { autoCapture: false, ...(alter && { alter }) })
  return authorize(profile, organization, initiated, alter)
}

/**
 * Has the shopper of an initiated payment approve, finalizes it, and waits until it shows as authorized; returns its
 * id.
 */
export const authorize = async (
  profile: Profile,
  organization: TestOrganization,
  initiated: Exchange,
  alter?: CallOverrides,
): Promise<string> => {
  const transactionId = await letShopper(profile, organization, initiated)
  await finalize(profile, organization, transactionId, alter)
  const more = alter === undefined ? {} : { alter }
  const status = await readStatusUntil(profile, organization, transactionId, AFTER_FINALIZE, more)
  ensureAlive(profile, status)
  if (isServed(status) && showsCategory(profile, status, ...AFTER_FINALIZE) === false)
    throw new Blocked('finalize was served, and no authorization has shown', status)
  return transactionId
}

/**
 * Creates a payment for a check that is captured in full and settled, so that it can be refunded (R1); returns its id.
 */
export const createSettledPayment = async (profile: Profile, organization: TestOrganization): Promise<string> => {
  const transactionId = await createApprovedPayment(profile, organization, true, { inParts: true })
  await finalize(profile, organization, transactionId)
  const captured = ['captured', 'settled', 'declined', 'expired', 'canceled']
  const status = await readStatusUntil(profile, organization, transactionId, captured)
  ensureAlive(profile, status)
  if (showsCategory(profile, status, 'authorized'))
    await ensureServed(profile, operationsOn(organization, transactionId).capture())
  await waitForSettlement(profile, organization, transactionId)
  return transactionId
}

const DEFAULT_SETTLEMENT_SECONDS = 5

/** Lets the time that settlement takes pass (R4), and waits until a payment, where one is named, shows as settled. */
export const waitForSettlement = async (
  profile: Profile,
  organization: TestOrganization,
  transactionId?: string,
): Promise<void> => {
  const isSettled = async (withinSeconds?: number) => {
    if (transactionId === undefined) return false
    const more = withinSeconds === undefined ? {} : { withinSeconds }
    const status = await readStatusUntil(profile, organization, transactionId, ['settled', 'refunded'], more)
    const isToldApart = showsCategory(profile, status, 'captured') === false
    return isToldApart && showsCategory(profile, status, 'settled', 'refunded') === true
  }
  const seconds = profile.settlement?.withinSeconds ?? DEFAULT_SETTLEMENT_SECONDS
  const { clock } = organization
  if (profile.control || transactionId === undefined) await clock.pass(`PT${seconds}S`)
  else {
    ensurePatience(profile, seconds * 1000)
    const until = clock.now() + seconds * 1000
    const pauseMs = Math.max(LOOK_MS, (profile.limits?.pollSeconds ?? 0) * 1000)
    for (; clock.now() < until; await clock.pause(pauseMs)) if (await isSettled(0)) return
  }
  await isSettled()
}

/** Least time between two looks whether a payment has settled, in milliseconds. */
const LOOK_MS = 250

const finalize = (
  profile: Profile,
  { merchant, account }: TestOrganization,
  transactionId: string,
  alter?: CallOverrides,
): Promise<void> =>
  ensureServed(profile, merchant.request('finalize', { json: finalizeBody(account, transactionId) }, alter))

/** Awaits a call that a check builds on; throws Blocked where it was refused or declined. */
export const ensureServed = async (profile: Profile, call: Promise<Exchange>): Promise<void> => {
  const exchange = await call
  if (!isServed(exchange) || isDecline(profile, exchange))
    throw new Blocked('what this journey builds on was refused or declined', exchange)
}

const ensureAlive = (profile: Profile, status: Exchange): void => {
  if (showsCategory(profile, status, 'declined', 'expired', 'canceled'))
    throw new Blocked('the payment that this journey builds on has ended', status)
}
