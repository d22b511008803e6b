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
import { ensurePatience } from '../drivers/clock.ts'
import type { InitiateBody, ShopperOutcome } from '../drivers/shopper-driver-types.ts'
import { operationsOn } from './calls-on-payment.ts'
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
 * sent.
 */
export type PaymentChoice = {
  will?: ShopperOutcome
  method?: ProviderId
  autoCapture?: boolean
  parts?: CallParts
  alter?: CallOverrides
}

type Payee = Pick<TestOrganization, 'shopper' | 'account' | 'returnUrl'>

/** Returns the initiate body of a payment whose shopper will bring about the chosen outcome. */
export const preparePayment = async (
  organization: Payee,
  { will = 'approve', method, autoCapture }: PaymentChoice = {},
): Promise<InitiateBody> => {
  const { shopper } = organization
  const body = PAYMENTS[method ?? shopper.methodFor(will)](organization)
  const { paymentDetails } = body
  const captured = autoCapture === undefined ? body : { ...body, paymentDetails: { ...paymentDetails, autoCapture } }
  return shopper.prepare(captured, will)
}

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

/** Has the shopper of an initiated payment act; returns the transaction id once that is done. */
export const letShopper = async (
  profile: Profile,
  { shopper }: TestOrganization,
  initiated: Exchange,
  { will = 'approve', method }: PaymentChoice = {},
): Promise<string> => {
  const transactionId = readTransactionId(profile, initiated)
  await shopper.act({ transactionId, initiated, provider: method ?? shopper.methodFor(will) }, will)
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
  alter?: CallOverrides,
): Promise<string> => {
  const initiated = await initiate(organization, { autoCapture, ...(alter && { alter }) })
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
  const transactionId = await createApprovedPayment(profile, organization, true)
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
