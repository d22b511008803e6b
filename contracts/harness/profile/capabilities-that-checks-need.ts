/** Payment methods (1), each with the check that a valid payment of it is accepted, which is the control of others. */
const METHOD_CONTROLS = { BLIK: 'VAL-01', IRIS: 'VAL-02' } as const

type PaymentMethod = keyof typeof METHOD_CONTROLS

/** Checks, or sections of checks, that are about one method. Others are made with a method that is offered. */
// biome-ignore format: a table reads by its columns
const CHECKS_OF_METHOD: Readonly<Record<PaymentMethod, readonly string[]>> = {
  BLIK: ['BLK', 'VAL-01', 'VAL-11', 'VAL-15', 'VAL-16', 'VAL-22', 'VAL-23', 'VAL-24', 'VAL-25', 'VAL-31', 'VAL-58', 'VAL-59', 'MAP-01', 'MAP-02', 'MAP-03', 'MAP-04', 'MAP-15', 'MAP-17', 'MAP-18', 'MAP-19', 'MAP-20', 'MAP-21', 'MCK-22', 'EVT-07', 'GRD-93'],
  IRIS: ['IRS', 'GRD-76', 'VAL-02', 'VAL-10', 'VAL-17', 'VAL-18', 'VAL-20', 'VAL-21', 'VAL-33', 'VAL-35', 'VAL-36', 'VAL-41', 'EVT-09', 'ERR-09', 'ERR-19', 'IDM-45', 'MCK-14', 'MCK-16', 'MCK-17', 'MCK-18',
         'MAP-05', 'MAP-06', 'MAP-07', 'MAP-08', 'MAP-09', 'MAP-10', 'MAP-11', 'MAP-12', 'MAP-13', 'MAP-14', 'MAP-16'],
}

const CHECKS_OF_MANDATES = [
  'MAP-18',
  'GRD-70',
  'GRD-74',
  'GRD-75',
  'GRD-77',
  'GRD-93',
  'BLK-07',
  'BLK-08',
  'VAL-37',
  'VAL-38',
  'VAL-39',
  'VAL-40',
  'VAL-41',
  'VAL-44',
  'VAL-45',
  'VAL-46',
  'VAL-47',
  'VAL-48',
  'VAL-49',
  'VAL-50',
  'VAL-51',
  'VAL-52',
  'VAL-53',
  'VAL-54',
  'VAL-55',
  'VAL-56',
  'VAL-60',
  'VAL-61',
  'VAL-62',
  'VAL-63',
  'VAL-64',
  'VAL-65',
  'VAL-66',
  'IDM-03',
  'IDM-10',
  'IDM-43',
  'LIF-03',
  'LIF-21',
  'LIF-35',
  'LIF-36',
  'SCP-05',
]

/** Capabilities that a deployment may lack, each with the checks, or sections of checks, that need it (1, S32). */
// biome-ignore format: a table reads by its columns
const CHECKS = {
  mocks:           ['MCK', 'IDM-41'],
  webhooks:        ['EVT', 'GRD-52', 'GRD-53', 'GRD-54', 'GRD-92', 'GRD-93'],
  reports:         ['RPT', 'SCP-09', 'SCP-10', 'SCP-11', 'SCP-13', 'GRD-40'],
  recurring:       CHECKS_OF_MANDATES,
  // Without a capture by hand no authorization waits for its capture, or for the cancel that voids it.
  manualCapture:   ['LIF-04', 'LIF-09', 'LIF-10', 'LIF-11', 'LIF-12', 'LIF-13', 'LIF-14', 'LIF-17', 'LIF-32', 'LIF-20', 'LIF-23', 'LIF-25', 'LIF-26', 'LIF-30', 'LIF-31', 'LIF-34', 'LIF-37',
                    'IDM-04', 'IDM-05', 'IDM-11', 'IDM-13', 'IDM-18', 'IDM-31', 'IDM-37', 'IDM-38', 'IDM-39', 'IDM-47', 'IDM-48', 'SCP-02', 'SCP-04',
                    'ERR-08', 'ERR-10', 'ERR-11', 'ERR-20', 'LIM-03', 'GRD-35', 'GRD-57', 'RDS-15', 'RDS-16', 'VAL-51', 'GRD-70', 'GRD-72', 'GRD-77', 'EVT-08', 'MAP-19', 'MAP-21', 'IRS-15', 'LIF-38', 'GRD-90', 'VAL-64'],
  partialCaptures: ['LIF-17', 'LIF-32', 'LIF-34', 'LIF-37', 'LIF-38', 'GRD-72'],
  partialRefunds:  ['LIF-16', 'LIF-33', 'GRD-73'],
  // A mocked step shows what was set for it; some services show at finalize only what initiate did.
  finalizeOverrides: ['MCK-22', 'MCK-27'],
  // How long a request of IRIS is valid: some services let no request ask for it (S38).
  irisValidity:    ['IRS-06', 'IRS-08'],
} as const

export type Capability = keyof typeof CHECKS
export const CAPABILITIES = Object.keys(CHECKS) as readonly Capability[]

/** Abilities that a deployment may lack altogether, by the beginning of their name, and the capability that says so. */
const CAPABILITY_OF = {
  faults: 'providerFaults',
  'keys.register': 'keyRegistration',
  'certificates.revoked': 'certificateRevocation',
  'webhooks.repeat': 'repeatedWebhooks',
} as const

/**
 * Name of a capability that only says that nothing gives an ability: where a profile line names a driver of it, its
 * checks run nevertheless.
 */
export type AbilityCapability = (typeof CAPABILITY_OF)[keyof typeof CAPABILITY_OF]

export type DeclaredCapabilities = Readonly<
  Partial<Record<Capability | AbilityCapability, boolean>> & { methods?: readonly PaymentMethod[] }
>

type Declaring = { capabilities?: DeclaredCapabilities }

/** Returns the capability by which a profile can say that nothing gives this ability; undefined where none does. */
export const abilityCapability = (ability: string): AbilityCapability | undefined =>
  Object.entries(CAPABILITY_OF).find(([name]) => ability.startsWith(name))?.[1]

/** Returns the capability by which a profile says that nothing gives this ability; undefined where it does not say so. */
export const deniedAbility = ({ capabilities }: Declaring, ability: string): AbilityCapability | undefined => {
  const capability = abilityCapability(ability)
  return capability !== undefined && capabilities?.[capability] === false ? capability : undefined
}

/** Whether a deployment offers a payment method; it does unless the profile names others only. */
export const offersMethod = ({ capabilities }: Declaring, method: PaymentMethod): boolean =>
  capabilities?.methods?.includes(method) ?? true

/** Whether a deployment has a capability; it does unless the profile says false. */
export const hasCapability = ({ capabilities }: Declaring, name: Capability): boolean => capabilities?.[name] !== false

/** Returns the sentence by which the profile says that this method is not offered; undefined where it is. */
export const lackedMethodReason = (profile: Declaring & { file: string }, method: PaymentMethod): string | undefined =>
  offersMethod(profile, method)
    ? undefined
    : `${profile.file} says capabilities.methods: ${profile.capabilities?.methods?.join(', ')}`

/** Returns why a check is not applicable: the profile says that the deployment lacks what it needs; else undefined. */
export const missingCapabilityReason = (profile: Declaring & { file: string }, id: string): string | undefined => {
  const needs = (checks: readonly string[]) => checks.some(check => id === check || id.startsWith(`${check}-`))
  const lacked = CAPABILITIES.find(name => !hasCapability(profile, name) && needs(CHECKS[name]))
  if (lacked) return `${profile.file} says capabilities.${lacked}: false`
  const missing = lackedMethods(profile).find(
    method => needs(CHECKS_OF_METHOD[method]) || (method === 'BLIK' && needs(CHECKS_OF_MANDATES)),
  )
  return missing && lackedMethodReason(profile, missing)
}

const lackedMethods = (profile: Declaring): PaymentMethod[] =>
  (Object.keys(METHOD_CONTROLS) as PaymentMethod[]).filter(method => !offersMethod(profile, method))

/** Returns the id of a check's control for a deployment: one that pays by a method not offered is replaced by that of the other. */
export const controlIdFor = (profile: Declaring, control: string | undefined): string | undefined => {
  const lacked = lackedMethods(profile).find(method => METHOD_CONTROLS[method] === control)
  return lacked ? METHOD_CONTROLS[lacked === 'BLIK' ? 'IRIS' : 'BLIK'] : control
}
