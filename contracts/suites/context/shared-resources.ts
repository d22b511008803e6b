import { type Exchange, isServed } from '../../client/http-exchange.ts'
import type { Tier } from '../../harness/judge/check.ts'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { initiate, readTransactionId } from '../given/create-payments.ts'
import { readUntil } from '../given/read-until.ts'
import type { TestOrganization } from './test-organization.ts'

/** Ids of the payments that check scenarios share, as far as they exist. */
export type GivenPayments = { payment?: string; foreignPayment?: string }

/**
 * The second organization and the payments that check scenarios share; each is created once per run, at its first use.
 */
export type SharedResources = {
  /** The second organization of the same service. */
  secondOrganization(): Promise<TestOrganization>
  given: {
    /** The id of a payment that is only read. */
    payment(): Promise<string>
    /** The id of a payment of the second organization. */
    foreignPayment(): Promise<string>
    /** The ids that are already known, to play a scenario on in a later run. */
    known(): GivenPayments
  }
}

/**
 * Creates the shared resources; without tier 3 and control only a named payment is available. A new payment is given
 * once its status is there, as no time is stated for that (D-51).
 */
export const createSharedResources = (
  profile: Profile,
  tier: Tier,
  first: TestOrganization,
  joinSecond: () => Promise<TestOrganization>,
  earlier: GivenPayments = {},
): SharedResources => {
  const known: GivenPayments = { ...earlier }
  const named = profile.target.knownTransactionId
  const secondOrganization = once(joinSecond)
  const created = async (organization: TestOrganization): Promise<string> => {
    if (tier < 3) throw noPayment(profile, tier)
    const transactionId = readTransactionId(profile, await initiateAny(organization))
    const read = () => organization.merchant.request('status', { path: { transactionId } })
    await readUntil(profile, read, ({ response }) => response?.status !== 404, organization)
    return transactionId
  }
  return {
    secondOrganization,
    given: {
      payment: once(async () => {
        known.payment ??= named ?? (await created(first))
        return known.payment
      }),
      foreignPayment: once(async () => {
        known.foreignPayment ??= await created(await secondOrganization())
        return known.foreignPayment
      }),
      known: () => ({ ...known }),
    },
  }
}

/** Initiates a payment that nobody need pay; where that is refused or nothing can prepare it, one that its shopper may approve. */
const initiateAny = async (organization: TestOrganization): Promise<Exchange> => {
  const waiting = await initiate(organization, { will: 'wait' }).catch(() => undefined)
  return waiting && isServed(waiting) ? waiting : initiate(organization)
}

const noPayment = ({ file }: Profile, tier: Tier): Untestable => {
  const line = 'target.knownTransactionId'
  const reason = `a run of tier ${tier} makes no payment: add to ${file} the line ${line} with one to read`
  return new Untestable(reason, undefined, line)
}

/** Memoizes an async function without arguments: it runs at the first call, and all callers share the result. */
const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}
