import { writeMember } from '../../dialect/json-pointer.ts'
import { isAbility, missingAbility } from './abilities-from-profile-lines.ts'
import { deniedAbility } from './capabilities-that-checks-need.ts'
import type { Profile } from './profile.ts'
import { profileExample } from './profile-validation.ts'
import { profileLine } from './response-fields-and-line-advice.ts'

/**
 * Returns the lines that a profile lacks for these needs of checks; of an ability that nothing gives, each line that
 * would.
 */
export const openLines = (profile: Profile, needs: readonly string[]): string[] =>
  needs.flatMap(need => {
    if (isAbility(need)) return deniedAbility(profile, need) ? [] : (missingAbility(profile, need)?.lines ?? [])
    return profileLine(profile, need) === undefined ? [need] : []
  })

/** Copies a profile with a line added, such as `shopper.ask` with the example value of the schema, or `patience: PT1M`. */
export const withLine = (profile: Profile, line: string): Profile => {
  const [path = '', value = profileExample(path) ?? 'added'] = line.split(': ')
  const added = structuredClone(profile)
  writeMember(added, path.split('.'), value)
  return added
}
