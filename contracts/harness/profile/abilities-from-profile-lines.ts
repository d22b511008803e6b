import { durationSeconds, toDuration } from './parse-and-format-iso-duration.ts'
import type { Profile } from './profile.ts'

type AbilityRow = readonly [what: string, ...lines: string[]]

const SHOPPER = ['control.url', 'shopper.codes', 'shopper.browser', 'shopper.command', 'shopper.mock', 'shopper.ask']
const PAGE = ['shopper.browser', 'shopper.command']
const BLIK = SHOPPER.filter(line => !PAGE.includes(line))
const IRIS = SHOPPER.filter(line => line !== 'shopper.codes')
const IRIS_PAGE = IRIS.filter(line => line !== 'shopper.mock')

/** What checks need done beside calls of the payment API, and the profile lines that name a driver of it, best first. */
// biome-ignore format: a table reads by its columns
export const ABILITIES = {
  'shopper.approve': ['a shopper who approves', ...withOutcome(SHOPPER, 'approve')],
  'shopper.decline': ['a shopper who declines', ...withOutcome(SHOPPER, 'decline')],
  'blik.approve':    ['a shopper who approves in the bank app of BLIK', ...withOutcome(BLIK, 'approve')],
  'blik.decline':    ['a shopper who declines in the bank app of BLIK', ...withOutcome(BLIK, 'decline')],
  'blik.lapse':      ['a shopper who never acts in the bank app of BLIK', ...withOutcome(BLIK, 'lapse').filter(line => !line.startsWith('shopper.mock'))],
  'blik.code':       ['a one-time code of BLIK that has not been used', 'control.url', 'shopper.ask'],
  'iris.approve':    ['a shopper who pays on the page of IRIS', ...withOutcome(IRIS, 'approve')],
  'iris.decline':    ['a shopper who cancels on the page of IRIS', ...withOutcome(IRIS, 'decline')],
  'iris.page':       ['a shopper who goes through the page of IRIS', ...IRIS_PAGE],
  'faults.internal': ['a service that answers 500 on demand', 'control.url', 'mocks.faults.internal'],
  'faults.error':    ['a provider that fails on demand', 'control.url', 'mocks.faults.error'],
  'faults.timeout':  ['a provider that takes the call and does not answer in time, on demand', 'control.url', 'mocks.faults.timeout'],
  'faults.locked':   ['a payment that is locked on demand', 'control.url', 'mocks.faults.locked'],
  'faults.limited':  ['a call that is too many on demand', 'control.url', 'mocks.faults.limited'],
  'faults.failed':   ['a provider that fails on demand', 'control.url', 'mocks.faults.error', 'mocks.faults.internal'],
  'faults.upstream': ['a provider that fails on demand', 'control.url', 'mocks.faults.timeout', 'mocks.faults.error'],
  'provider.codes':  ['a provider that answers with a code of 7.5', 'control.url', 'mocks.providerCode'],
  'sum.captured':    ['the sum captured so far', 'fields.events.captured', 'fields.status.captured'],
  'sum.refunded':    ['the sum refunded so far', 'fields.events.refunded', 'fields.status.refunded'],
  'keys.register':   ['a signing key that is registered during the run', 'control.url'],
  'keys.deregistered': ['a signing key that was deregistered', 'control.url', 'revokedKey'],
  'keys.expired':    ['a signing key that has expired', 'control.url', 'expiredKey'],
  'certificates.revoked': ['a client certificate that was revoked', 'control.url', 'revokedIdentity'],
  'webhooks.receive': ['webhooks that reach this run', 'control.url', 'webhooks.public', 'webhooks.command'],
  'webhooks.repeat':  ['a webhook that comes twice on demand', 'control.url'],
  'webhooks.refuse':  ['a receiver of this run that the service calls', 'control.url', 'webhooks.public'],
} as const satisfies Record<string, AbilityRow>

export type Ability = keyof typeof ABILITIES | `time.${string}`

function withOutcome(lines: readonly string[], outcome: 'approve' | 'decline' | 'lapse'): string[] {
  return lines.map(line => (line === 'shopper.codes' || line === 'shopper.mock' ? `${line}.${outcome}` : line))
}

/** Whether a need of a check is an ability, given by drivers or time; else it is a profile line. */
export const isAbility = (need: string): need is Ability => need in ABILITIES || need.startsWith('time.')

/** Longest time that a run really waits, in seconds, where the profile sets none: it covers a settlement. */
export const DEFAULT_PATIENCE_SECONDS = 15

/** Longest time, in seconds, for which a check waits until what a call did shows, however long the patience is. */
export const LONGEST_WAIT_SECONDS = 60

/** Returns the longest time that a run really waits for one step, in seconds: `patience` of the profile. */
export const patienceSeconds = ({ patience }: Pick<Profile, 'patience'>): number =>
  patience === undefined ? DEFAULT_PATIENCE_SECONDS : durationSeconds(patience)

/** Returns how long, in seconds, a check waits for a webhook: as long as the patience, and `LONGEST_WAIT_SECONDS` at most. */
export const webhookSeconds = (profile: Pick<Profile, 'patience'>): number =>
  Math.min(patienceSeconds(profile), LONGEST_WAIT_SECONDS)

/**
 * Returns the scenario of mock/set that gives a MOCK payment this outcome; OK for approval is the one that the document
 * names (2.7).
 */
export const mockScenarioFor = (profile: Profile, outcome: string): string | undefined => {
  const { target, capabilities, shopper } = profile
  if (target.environment !== 'sandbox' || capabilities?.mocks === false) return undefined
  return shopper?.mock?.[outcome as 'approve'] ?? (outcome === 'approve' ? 'OK' : undefined)
}

/**
 * Returns what is missing for an ability that a check needs, with the profile lines of which each would give it;
 * undefined if it is there.
 */
export const missingAbility = (
  profile: Profile,
  ability: Ability,
): { what: string; lines: readonly string[] } | undefined => {
  if (ability.startsWith('time.')) return missingTime(profile, durationOf(profile, ability))
  const [what, ...lines] = ABILITIES[ability as keyof typeof ABILITIES]
  if (lines.some(line => hasDriver(profile, line))) return undefined
  return { what, lines: lines.length > 1 ? lines.filter(line => line !== 'control.url') : lines }
}

/**
 * Name of a check's need for the time after which an uncaptured authorization expires: `limits.holdSeconds` of the
 * profile.
 */
export const HOLD_TIME = 'time.hold'

/**
 * Name of a check's need for the time after which a consent that nobody finalizes ends: `limits.consentSeconds` of the
 * profile.
 */
export const CONSENT_TIME = 'time.consent'

const LIMIT_OF_TIME = { [HOLD_TIME]: 'holdSeconds', [CONSENT_TIME]: 'consentSeconds' } as const

const limitOf = (ability: Ability) => LIMIT_OF_TIME[ability as keyof typeof LIMIT_OF_TIME]

/** The time of an ability such as `time.PT1H`: an ISO 8601 duration, or the profile line that says it. */
const timeOf = (ability: Ability): string =>
  ability in LIMIT_OF_TIME ? `limits.${limitOf(ability)}` : ability.slice('time.'.length)

/** Duration that must pass for an ability such as `time.PT1H`, as an ISO 8601 duration. */
const durationOf = ({ limits }: Profile, ability: Ability): string =>
  ability in LIMIT_OF_TIME ? toDuration(limits?.[limitOf(ability)] ?? 0) : timeOf(ability)

/**
 * Returns the sentence that an ability takes more time than the profile's line `patience` allows; undefined where it
 * does not.
 */
export const beyondPatience = (profile: Profile, ability: Ability): string | undefined =>
  ability.startsWith('time.') && profile.patience !== undefined && missingAbility(profile, ability)
    ? `takes ${durationOf(profile, ability)}, and this run waits up to ${profile.patience}`
    : undefined

const missingTime = (profile: Profile, duration: string) =>
  profile.control || durationSeconds(duration) <= patienceSeconds(profile)
    ? undefined
    : { what: `${duration} that pass`, lines: [`patience: ${toDuration(durationSeconds(duration))}`] }

/** Returns what a check needs by this ability, and every profile line of which each gives it. */
export const describeAbility = (ability: Ability): { what: string; lines: readonly string[] } => {
  const [what, ...lines] = ability.startsWith('time.')
    ? ([`${timeOf(ability)} that pass`, 'control.url', 'patience'] as const)
    : ABILITIES[ability as keyof typeof ABILITIES]
  return { what, lines }
}

/** Whether a profile names a driver at a line such as `shopper.codes.approve`. */
export const hasDriver = (profile: Profile, line: string): boolean => {
  if (line.startsWith('shopper.mock.'))
    return mockScenarioFor(profile, line.slice('shopper.mock.'.length)) !== undefined
  const value = line
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], profile)
  return value !== undefined && value !== false
}
