import { Untestable } from '../../harness/judge/verdict-errors.ts'
import type { Ability } from '../../harness/profile/abilities.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { driverAdvice } from '../../harness/profile/response-fields.ts'
import type { ProviderId } from '../../protocol/provider-codes.ts'
import { PROVIDER_IDS } from '../../protocol/providers.ts'
import { createAskedShopper } from './asked-shopper.ts'
import { createControlShopper } from './control-shopper.ts'
import { createFixedCodeShopper } from './fixed-code-shopper.ts'
import { createMockedShopper } from './mocked-shopper.ts'
import { createPageShopper } from './page-shopper.ts'
import type { ShopperDriver, ShopperDriverParts, ShopperOutcome } from './shopper-driver.ts'

/** Drivers of shoppers, best first: the nearer to a real shopper, the earlier. */
const DRIVERS: readonly ((parts: ShopperDriverParts) => ShopperDriver)[] = [
  createControlShopper,
  createFixedCodeShopper,
  createPageShopper,
  createMockedShopper,
  createAskedShopper,
]

export type Shopper = Pick<ShopperDriver, 'prepare' | 'act'> & {
  /** The method of payments that can end so: BLIK, unless only IRIS can; throws Untestable where none can. */
  methodFor(outcome: ShopperOutcome): ProviderId
}

/** Creates the shoppers of an organization: for each payment the best driver that the profile offers. */
export const createShopper = (parts: ShopperDriverParts): Shopper => {
  const drivers = DRIVERS.map(create => create(parts))
  const find = (provider: ProviderId, outcome: ShopperOutcome) =>
    drivers.find(driver => driver.offers(provider, outcome))
  const driverFor = (provider: ProviderId, outcome: ShopperOutcome): ShopperDriver => {
    const found = find(provider, outcome)
    if (found) return found
    throw missingDriver(parts.profile, `${provider.toLowerCase()}.${outcome}` as Ability)
  }
  return {
    methodFor: outcome => {
      const method = PROVIDER_IDS.find(provider => find(provider, outcome))
      if (method) return method
      throw missingDriver(parts.profile, `shopper.${outcome}` as Ability)
    },
    prepare: async (body, outcome) =>
      driverFor(body.providerDetails.providerId as ProviderId, outcome).prepare(body, outcome),
    act: async (payment, outcome) => driverFor(payment.provider, outcome).act(payment, outcome),
  }
}

const missingDriver = (profile: Profile, ability: Ability): Untestable => {
  const advice = driverAdvice(profile, ability)
  return new Untestable(advice?.reason ?? `no driver of ${profile.file} gives ${ability}`, undefined, advice?.line)
}
