import { randomInt, randomUUID } from 'node:crypto'
import type { CallParts } from '../../client/endpoint-call.ts'
import type { Exchange } from '../../client/http-exchange.ts'
import type { Shapes } from '../../client/merchant-client.ts'
import type { CallOverrides } from '../../client/send-signed-call.ts'
import { Blocked, Untestable } from '../../harness/judge/verdict-errors.ts'
import { hasCapability, offersMethod } from '../../harness/profile/missing-capability-reason.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField } from '../../harness/profile/response-fields.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import { blikPayment, captureBody, finalizeBody, irisPayment } from './request-bodies.ts'

/** Returns an id that no payment has: the one that the profile names, else a random one in this deployment's form. */
export const unknownId = ({ ids }: Profile): string =>
  ids?.unknownTransactionId ??
  (ids?.transactionId === 'number' ? String(randomInt(2 ** 47, 2 ** 48 - 1)) : randomUUID())

/** Initiates a payment, of BLIK if it is offered, which then waits for its shopper; see `captureMode`. */
export const initiate = async (
  organization: TestOrganization,
  autoCapture?: boolean,
  more: CallParts = {},
  alter?: CallOverrides,
): Promise<Exchange> => {
  const json = await codedPayment(organization, captureMode(organization, autoCapture))
  return organization.merchant.request('initiate', { ...more, json }, alter)
}

/** Returns the `autoCapture` to ask for: where no capture by hand is offered, finalize always captures. */
const captureMode = ({ profile }: TestOrganization, wanted: boolean | undefined): boolean | undefined =>
  wanted === false && !hasCapability(profile, 'manualCapture') ? undefined : wanted

/** Returns the body of a valid initiate for checks of no certain method: BLIK if it is offered, else IRIS. */
export const codedPayment = async (
  { profile, driver, account }: TestOrganization,
  autoCapture?: boolean,
): Promise<Shapes['InitiateRequest']> =>
  offersMethod(profile, 'BLIK')
    ? blikPayment(account, await driver.oneTimeCode(), autoCapture)
    : irisPayment(account, autoCapture)

/** Returns the body of a valid initiate for checks of no certain method: IRIS, which needs no code, if it is offered. */
export const anyPayment = async ({ profile, driver, account }: TestOrganization): Promise<Shapes['InitiateRequest']> =>
  offersMethod(profile, 'IRIS') ? irisPayment(account) : blikPayment(account, await driver.oneTimeCode())

/** The stages of a payment after finalize: captured where no capture by hand is offered. */
export const stagesAfterFinalize = (profile: Profile): string[] =>
  hasCapability(profile, 'manualCapture') ? ['authorized'] : ['captured', 'settled']

/** Returns an amount below that of a whole payment; that of the whole where parts cannot be captured. */
export const capturedPart = (profile: Profile): number => (hasCapability(profile, 'partialCaptures') ? 400 : 1000)

/** Reads the transactionId of an initiate response; throws Blocked where it was refused, Untestable where none is found. */
export const readTransactionId = (profile: Profile, exchange: Exchange): string => {
  const { response } = exchange
  if (!response || response.status >= 300) throw new Blocked('no payment could be initiated', exchange)
  const found = findField(profile, exchange, 'initiate.transactionId')
  if (found !== undefined) return String(found)
  throw new Untestable(`fields.initiate.transactionId points at nothing: correct it in ${profile.file}`, exchange)
}

/** Creates a payment that its shopper has approved; returns its id. Finalize comes next. */
export const createApprovedPayment = async (
  profile: Profile,
  organization: TestOrganization,
  autoCapture: boolean,
  alter?: CallOverrides,
): Promise<string> => {
  const transactionId = readTransactionId(profile, await initiate(organization, autoCapture, {}, alter))
  await organization.driver.shopper(transactionId, 'approve')
  return transactionId
}

/** Creates a payment that is authorized, and not captured where capture by hand is offered; returns its id. */
export const createAuthorizedPayment = async (
  profile: Profile,
  organization: TestOrganization,
  alter?: CallOverrides,
): Promise<string> => {
  const transactionId = await createApprovedPayment(profile, organization, false, alter)
  await ensureServed(
    organization.merchant.request('finalize', { json: finalizeBody(organization.account, transactionId) }, alter),
  )
  return transactionId
}

/** Creates a payment that is captured in full and settled, so that it can be refunded (R1); returns its id. */
export const createSettledPayment = async (profile: Profile, organization: TestOrganization): Promise<string> => {
  const transactionId = await createAuthorizedPayment(profile, organization)
  if (hasCapability(profile, 'manualCapture'))
    await ensureServed(
      organization.merchant.request('capture', { json: captureBody(organization.account, transactionId) }),
    )
  await advancePastSettlement(profile, organization)
  return transactionId
}

/** Advances the clock of the organization by the time that settlement takes (R4). */
export const advancePastSettlement = (profile: Profile, { driver }: TestOrganization): Promise<unknown> =>
  driver.advance(`PT${profile.settlement?.withinSeconds ?? 5}S`)

const ensureServed = async (call: Promise<Exchange>): Promise<void> => {
  const exchange = await call
  if (!exchange.response || exchange.response.status >= 300)
    throw new Blocked('what this journey builds on was refused', exchange)
}
