import type { Verdict } from '../harness/judge/check.ts'
import type { SpentTotals } from '../harness/safety/totals-of-write-ledger.ts'
import type { DriverUsage } from './dry-run-driver-usage.ts'
import type { LineGain } from './plan-gains-of-profile-lines.ts'

/** Plan of a certification run: its checks, those that it would not judge, and the cost. */
export type RunPlan = {
  name: string
  baseUrl: string
  environment: string
  tier: number
  unchosen: number
  runs: string[]
  not: { id: string; title: string; verdict: Verdict; reason: string }[]
  cost: LimitedCost
  /** What each journey that would be made costs, and the profile lines of the drivers that act in it. */
  journeys: PlannedJourney[]
  /** What one more line of the profile would gain, most first. */
  gains: LineGain[]
}

/** `limitSeconds`: when the run ends, whatever is left. */
type LimitedCost = RunCost & { limitSeconds: number }
type RunCost = SpentTotals & { calls: number } & Omit<DriverUsage, 'lines'>
/** Planned cost of a scenario of checks, with the profile lines of the drivers that act in it. */
export type PlannedJourney = { name: string; checks: readonly string[]; drivers: readonly string[] } & RunCost
