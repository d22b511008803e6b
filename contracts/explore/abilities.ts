import { hasDriver } from '../harness/profile/abilities-from-profile-lines.ts'
import { hasCapability, offersMethod } from '../harness/profile/capabilities-that-checks-need.ts'
import type { Profile } from '../harness/profile/profile.ts'
import type { ProviderId } from '../protocol/provider-codes.ts'
import { PROVIDER_IDS } from '../protocol/providers-and-capabilities.ts'

/**
 * What exploration can try at a deployment: payment methods, and the parts of the service and of the drivers that it
 * has.
 */
export type Abilities = {
  methods: readonly ProviderId[]
  recurring: boolean
  mocks: boolean
  /** The steps for which mocks can set values, where the profile says how. */
  overrides: readonly ('initiate' | 'finalize')[]
  /** Whether a control address tells shoppers and time what to do. */
  control: boolean
  faults: boolean
  /** Whether there is a second organization. */
  second: boolean
  /** Processing accounts of the first organization. */
  accounts: number
  /** Whether bodies are validated and calls authenticated, as behind every API. */
  wrongArguments: boolean
}

/** Whether a mock for its reference stands for the shopper of a BLIK payment: it would replace one that is drawn (2.7). */
const isShopperMocked = (profile: Profile): boolean =>
  offersMethod(profile, 'BLIK') &&
  !hasDriver(profile, 'control.url') &&
  !hasDriver(profile, 'shopper.codes.approve') &&
  hasDriver(profile, 'shopper.mock.approve')

/** Reads from a profile what exploration can try at its deployment. */
export const abilitiesOf = (profile: Profile, accounts: number): Abilities => {
  const methods = PROVIDER_IDS.filter(method => offersMethod(profile, method))
  const control = profile.control !== undefined
  return {
    methods,
    recurring: hasCapability(profile, 'recurring') && methods.includes('BLIK'),
    mocks: hasCapability(profile, 'mocks') && profile.target.environment === 'sandbox' && !isShopperMocked(profile),
    overrides: (['initiate', 'finalize'] as const).filter(step => profile.mocks?.[step] !== undefined),
    control,
    faults: control,
    second: profile.secondOrganization !== undefined,
    accounts,
    wrongArguments: true,
  }
}
