import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { parse, stringify } from 'yaml'
import type { DialectLines } from '../../../contracts/dialect/dialect-lines.ts'
import type { CheckResult } from '../../../contracts/harness/judge/check.ts'
import { readProfile } from '../../../contracts/harness/profile/read-profile.ts'
import type { Config } from '../../../simulator/options/options.ts'
import { runSuites, SIMULATOR_PROFILE } from '../../conformance/run-suites.ts'
import { startTestSimulator } from '../../support/caller-stopped-simulator.ts'
import { aDeployment } from './generated-deployments.ts'

/** Returns the profile lines of the generated deployment that a seed stands for. */
export const deploymentOf = (seed: number): DialectLines => fc.sample(aDeployment, { seed, numRuns: 1 })[0] ?? {}

/** Returns the text of the profile of a generated deployment, otherwise as that of the simulator. */
export const profileText = (lines: DialectLines): string => {
  const own = parse(readFileSync(SIMULATOR_PROFILE, 'utf8'))
  const webhooks = { ...own.webhooks, ...lines.webhooks }
  return stringify({ ...own, ...lines, name: 'Generated', webhooks, limits: { ...own.limits, ...lines.limits } })
}

/** Certifies a simulator that speaks a generated dialect, with options, by the profile that says its lines. */
export const certifySpeaking = async (lines: DialectLines, options: Partial<Config> = {}): Promise<CheckResult[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-generated-'))
  const file = join(folder, 'generated.yaml')
  writeFileSync(file, profileText(lines))
  const simulator = await startTestSimulator({ ...options, dialect: file })
  try {
    const { apiUrl, pagesUrl, kitFolder } = simulator
    return await runSuites(readProfile(file, { baseUrl: apiUrl, kit: kitFolder, control: pagesUrl }))
  } finally {
    await simulator.stop()
    rmSync(folder, { recursive: true })
  }
}
