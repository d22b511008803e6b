/** Capabilities that a deployment may lack, each with the checks, or sections of checks, that need it (1, S32). */
// biome-ignore format: a table reads by its columns
const CHECKS = {
  mocks:           ['MCK', 'IDM-41'],
  webhooks:        ['EVT'],
  reports:         ['RPT', 'SCP-09', 'SCP-10', 'SCP-11'],
  recurring:       ['VAL-37', 'VAL-38', 'VAL-39', 'VAL-40', 'VAL-41', 'VAL-44', 'VAL-45', 'IDM-03', 'IDM-10', 'LIF-03', 'LIF-21', 'SCP-05'],
  partialCaptures: ['LIF-17'],
  partialRefunds:  ['LIF-16'],
} as const

export type Capability = keyof typeof CHECKS

type DeclaredCapabilities = { file: string; capabilities?: Readonly<Partial<Record<Capability, boolean>>> }

/** Returns why a check is not applicable: the profile says that the deployment lacks what it needs; else undefined. */
export const missingCapabilityReason = (
  { capabilities, file }: DeclaredCapabilities,
  id: string,
): string | undefined => {
  const lacked = Object.entries(CHECKS).find(
    ([name, checks]) =>
      capabilities?.[name as Capability] === false && checks.some(check => id === check || id.startsWith(`${check}-`)),
  )
  return lacked && `${file} says capabilities.${lacked[0]}: false`
}
