import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import type { CheckResult } from '../../../contracts/harness/judge/check.ts'
import { readProfile } from '../../../contracts/harness/profile/read-profile.ts'
import { CHECK_SCENARIOS } from '../../../contracts/suites/index.ts'
import type { TestSimulator } from '../../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { runSuites, SIMULATOR_PROFILE } from '../run-suites.ts'

type Lines = Readonly<Record<string, unknown>>

const EXAMPLES = join(import.meta.dirname, '../../../examples/certify')

/**
 * Writes a profile of a running test simulator as of a deployment without control, with more lines; returns its file.
 */
export const writeProfileWithoutControl = ({ apiUrl, kitFolder }: TestSimulator, more: Lines): string => {
  const { control: _, secondOrganization: __, ...shipped } = parse(readFileSync(SIMULATOR_PROFILE, 'utf8'))
  const target = { ...shipped.target, baseUrl: apiUrl }
  const folder = temporaryFolder()
  for (const name of ['pay-on-our-page.mjs', 'pay-on-our-page.sh'])
    copyFileSync(join(EXAMPLES, name), join(folder, name))
  const file = join(folder, 'profile.yaml')
  writeFileSync(file, stringify({ ...shipped, target, organization: { kit: kitFolder }, ...more }))
  return file
}

/**
 * Certifies a test simulator whose control is not used, by some checks; returns the verdict by id, with the reason
 * where there is one.
 */
export const certifyWithoutControl = async (
  simulator: TestSimulator,
  more: Lines,
  only: readonly string[],
  scenarios = CHECK_SCENARIOS,
): Promise<Record<string, string>> => {
  const results = await runSuites(readProfile(writeProfileWithoutControl(simulator, more)), only, undefined, scenarios)
  return Object.fromEntries(results.map(result => [result.id, lineOf(result)]))
}

const lineOf = ({ verdict, reason, expected, got }: CheckResult): string => {
  const why = reason ?? (expected === undefined ? undefined : `expected ${expected}, got ${got}`)
  return verdict === 'pass' || why === undefined ? verdict : `${verdict}: ${why}`
}

/** Profile lines that switch mocks off, so that nothing but the driver under test acts. */
export const NO_MOCKS = { capabilities: { mocks: false } }
