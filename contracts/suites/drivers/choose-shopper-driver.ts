import { Untestable } from '../../harness/judge/verdict-errors.ts'
import type { Ability } from '../../harness/profile/abilities-from-profile-lines.ts'
import { offersMethod } from '../../harness/profile/capabilities-that-checks-need.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { driverAdvice } from '../../harness/profile/response-fields-and-line-advice.ts'
import type { ProviderId } from '../../protocol/provider-codes.ts'
import { PROVIDER_IDS } from '../../protocol/providers-and-capabilities.ts'
import { createAskedShopper } from './asked-shopper.ts'
import { createFixedCodeShopper } from './fixed-code-shopper.ts'
import { createMockedShopper } from './mocked-shopper.ts'
import { createPageShopper } from './scripted-redirect-page-shopper.ts'
import { isDecision, type ShopperDriver, type ShopperDriverParts, type ShopperOutcome } from './shopper-driver-types.ts'

/** Creates the shopper driver of a simulator: the control API issues one-time codes and acts in the bank app. */
const createControlShopper = ({ profile, control }: ShopperDriverParts): ShopperDriver => ({
  lineFor: () => (profile.control ? 'control.url' : undefined),
  prepare: async body =>
    body.providerDetails.providerId === 'BLIK'
      ? { ...body, payerDetails: { ...body.payerDetails, oneTimeCode: await control.oneTimeCode() } }
      : body,
  act: async ({ transactionId }, outcome) => {
    if (isDecision(outcome)) await control.shopper(transactionId, outcome)
  },
})

/** Drivers of shoppers, best first: the nearer to a real shopper, the earlier; a person, who tires, last. */
const DRIVERS: readonly ((parts: ShopperDriverParts) => ShopperDriver)[] = [
  createControlShopper,
  createFixedCodeShopper,
  createPageShopper,
  createMockedShopper,
  createAskedShopper,
]

export type Shopper = ShopperDriver & {
  /**
   * The offered method of payments for which the best driver can do so, BLIK before IRIS; throws Untestable where none can.
   * `firstOfAll` comes before the other where any driver can do so for it.
   */
  methodFor(outcome: ShopperOutcome, firstOfAll?: ProviderId): ProviderId
  /** The same shopper without the drivers of these lines of the profile, such as `shopper.mock`. */
  without(lines: readonly string[]): Shopper
}

/** Creates the shopper driver of an organization: it uses for each payment the best driver that the profile offers. */
export const createShopper = (parts: ShopperDriverParts): Shopper =>
  shopperOf(
    parts,
    DRIVERS.map(create => create(parts)),
  )

const shopperOf = (parts: ShopperDriverParts, drivers: readonly ShopperDriver[]): Shopper => {
  const offered = PROVIDER_IDS.filter(provider => offersMethod(parts.profile, provider))
  const find = (provider: ProviderId, outcome: ShopperOutcome) =>
    drivers.find(driver => driver.lineFor(provider, outcome) !== undefined)
  const driverFor = (provider: ProviderId, outcome: ShopperOutcome): ShopperDriver => {
    const found = find(provider, outcome)
    if (found) return found
    throw missingDriver(parts.profile, `${provider.toLowerCase()}.${outcome}`)
  }
  return {
    lineFor: (provider, outcome) => find(provider, outcome)?.lineFor(provider, outcome),
    methodFor: (outcome, firstOfAll) => {
      if (firstOfAll && offered.includes(firstOfAll) && find(firstOfAll, outcome)) return firstOfAll
      for (const driver of drivers) {
        const method = offered.find(provider => driver.lineFor(provider, outcome) !== undefined)
        if (method) return method
      }
      throw missingDriver(parts.profile, `shopper.${outcome}`)
    },
    prepare: async (body, outcome) =>
      driverFor(body.providerDetails.providerId as ProviderId, outcome).prepare(body, outcome),
    act: async (payment, outcome) => driverFor(payment.provider, outcome).act(payment, outcome),
    without: lines =>
      shopperOf(
        parts,
        drivers.map(driver => withoutLines(driver, lines)),
      ),
  }
}

const withoutLines = (driver: ShopperDriver, lines: readonly string[]): ShopperDriver => ({
  ...driver,
  lineFor: (provider, outcome) => {
    const line = driver.lineFor(provider, outcome)
    return lines.some(left => line?.startsWith(left)) ? undefined : line
  },
})

const missingDriver = (profile: Profile, ability: string): Untestable => {
  const advice = driverAdvice(profile, ability as Ability)
  return new Untestable(advice?.reason ?? `no driver of ${profile.file} gives ${ability}`, undefined, advice?.line)
}
