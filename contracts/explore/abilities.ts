import { hasDriver, patienceSeconds } from '../harness/profile/abilities-from-profile-lines.ts'
import { hasCapability, offersMethod } from '../harness/profile/capabilities-that-checks-need.ts'
import { toDuration } from '../harness/profile/parse-and-format-iso-duration.ts'
import type { Profile } from '../harness/profile/profile.ts'
import type { ProviderId } from '../protocol/provider-codes.ts'
import { PROVIDER_IDS } from '../protocol/providers-and-capabilities.ts'
import { canSeeShopperWaiting } from '../suites/drivers/await-shopper-outcome.ts'

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
  /** Methods whose shopper can be told to approve: by control, or by a driver that needs nobody and whose effect shows. */
  shoppers: readonly ProviderId[]
  /** Time after which a capture has settled (ISO 8601), if it can pass: on a clock that is moved, or within the patience. */
  settling: string | undefined
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

/** Profile lines of drivers that approve a payment of a method without a person, and without a mock in its place. */
const APPROVING = {
  BLIK: ['control.url', 'shopper.codes.approve'],
  IRIS: ['control.url', 'shopper.browser', 'shopper.command'],
} as const satisfies Record<ProviderId, readonly string[]>

const canBeApproved = (profile: Profile, method: ProviderId): boolean =>
  (profile.control !== undefined || canSeeShopperWaiting(profile)) &&
  APPROVING[method].some(line => hasDriver(profile, line))

const SETTLING_OF_SIMULATOR = 'PT6S'

const settlingTime = (profile: Profile): string | undefined => {
  const seconds = Math.ceil(profile.settlement?.withinSeconds ?? Number.POSITIVE_INFINITY)
  return seconds <= patienceSeconds(profile) ? toDuration(seconds) : undefined
}

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
    shoppers: methods.filter(method => canBeApproved(profile, method)),
    settling: control ? SETTLING_OF_SIMULATOR : settlingTime(profile),
    faults: control,
    second: profile.secondOrganization !== undefined,
    accounts,
    wrongArguments: true,
  }
}
