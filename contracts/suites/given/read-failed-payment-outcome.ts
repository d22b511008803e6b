import { type Exchange, isServed } from '../../client/http-exchange.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import type { TestOrganization } from '../context/test-organization.ts'
import { findOutcomeCode } from '../evidence/outcome-reason-code.ts'
import { operationsOn } from './calls-on-payment.ts'
import { readStatusUntil, readUntil } from './read-until.ts'

/** State categories of a payment that came to nothing; the document leaves open which of them it is (3, D-43). */
export const ENDED = ['declined', 'canceled', 'expired'] as const

/**
 * Outcome of a payment that ends without money: its status, and the response that shows why: that status, or the events
 * (S44).
 */
export type Outcome = { status: Exchange; reason: Exchange }

/** Reads a payment until it has ended, and on until its reason shows in status or events, or the time is over. */
export const readOutcome = async (
  profile: Profile,
  organization: TestOrganization,
  transactionId: string,
  withinSeconds?: number,
): Promise<Outcome> => {
  const within = withinSeconds === undefined ? {} : { withinSeconds }
  const status = await readStatusUntil(profile, organization, transactionId, ENDED, within)
  const { events } = operationsOn(organization, transactionId)
  const isTold = (exchange: Exchange) => !isServed(exchange) || findOutcomeCode(profile, exchange) !== undefined
  if (isTold(status) || profile.fields?.events?.reasonCode === undefined) return { status, reason: status }
  return { status, reason: await readUntil(profile, events, isTold, { clock: organization.clock }) }
}

/** Returns the response that shows how an initiated payment ended: that of initiate, else its status or events (S44). */
export const readInitiateOutcome = async (
  profile: Profile,
  organization: TestOrganization,
  initiated: Exchange,
): Promise<Exchange> => {
  const transactionId = findField(profile, initiated, 'initiate.transactionId')
  if (findOutcomeCode(profile, initiated) !== undefined || transactionId === undefined) return initiated
  return (await readOutcome(profile, organization, String(transactionId))).reason
}
