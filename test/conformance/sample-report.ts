import type { CheckResult } from '../../contracts/harness/judge/check.ts'
import type { RunReport } from '../../contracts/harness/report/run-report.ts'
import { summarizeRun } from '../../contracts/harness/report/run-summary.ts'

/** Returns a sample certification report with made-up metadata around the given results. */
export const sampleReport = (checks: readonly CheckResult[], more: Partial<RunReport> = {}): RunReport => ({
  format: 1,
  suite: { name: 'assay', version: '0.0.0', checks: 1, catalogue: `sha-256:${'0'.repeat(64)}` },
  profile: { name: 'made up', file: 'made-up.yaml' },
  target: { baseUrl: 'https://localhost', environment: 'sandbox' },
  tier: 3,
  only: [],
  startedAt: '2026-01-02T03:04:05.000Z',
  endedAt: '2026-01-02T03:04:06.000Z',
  summary: summarizeRun(checks, checks.length),
  checks,
  ...more,
})
