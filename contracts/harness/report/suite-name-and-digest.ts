import { hash } from 'node:crypto'
import { packageVersion } from '../../package-version.ts'
import type { CheckScenario } from '../judge/check.ts'

/** Identity of a suite of checks: suites with the same catalogue digest ask the same. */
export type SuiteIdentity = { name: 'assay' | 'assay conduct'; version: string; checks: number; catalogue: string }

/** Identifies the suite in this source tree; its digest covers what the checks ask, not their code. */
export const identifySuite = (journeys: readonly CheckScenario<never>[]): SuiteIdentity => {
  const rows = journeys.flatMap(({ name, tier, needs = [], checks }) =>
    checks.map(check => [
      name,
      check.tier ?? tier,
      check.id,
      check.clause,
      check.title,
      check.basis ?? 'specified',
      check.observes ?? false,
      check.decisions ?? [],
      check.control ?? '',
      [...needs, ...(check.needs ?? [])],
    ]),
  )
  return createSuiteIdentity('assay', rows)
}

/** Creates the identity of a suite from its catalogue: a row for each check. */
export const createSuiteIdentity = (name: SuiteIdentity['name'], rows: readonly unknown[]): SuiteIdentity => ({
  name,
  version: packageVersion(),
  checks: rows.length,
  catalogue: sha256Digest(JSON.stringify(rows)),
})

/** Computes a SHA-256 digest in the form of the certificate of conformance: `sha-256:<hex>`. */
export const sha256Digest = (content: string | Uint8Array): string => `sha-256:${hash('sha256', content, 'hex')}`
