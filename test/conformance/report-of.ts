import type { Result } from '../../contracts/harness/check.ts'
import type { Report } from '../../contracts/harness/report.ts'
import { summarize } from '../../contracts/harness/summary.ts'

/** A report around made-up results. */
export const reportOf = (checks: readonly Result[], more: Partial<Report> = {}): Report => ({
  format: 1,
  suite: { name: 'assay', version: '0.0.0', checks: 1, catalogue: `sha-256:${'0'.repeat(64)}` },
  profile: { name: 'made up', file: 'made-up.yaml' },
  target: { baseUrl: 'https://localhost', environment: 'sandbox' },
  tier: 3,
  only: [],
  startedAt: '2026-01-02T03:04:05.000Z',
  endedAt: '2026-01-02T03:04:06.000Z',
  summary: summarize(checks, checks.length),
  checks,
  ...more,
})
