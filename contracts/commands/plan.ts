import { setTimeout as pause } from 'node:timers/promises'
import type { Check, CheckResult, CheckScenario, Verdict } from '../harness/judge/check.ts'
import { readCredentials } from '../harness/profile/read-profile-credentials.ts'
import { EXIT_CODES } from '../harness/report/run-summary.ts'
import { runScenarios } from '../harness/run/run-scenarios.ts'
import { createStopSignal } from '../harness/run/stop-signal.ts'
import { formatAmounts, type SpentTotals, totalSpent } from '../harness/safety/spent-totals.ts'
import { createTransportGuard } from '../harness/safety/transport-guard.ts'
import { createWriteLedger } from '../harness/safety/write-ledger.ts'
import { type CheckContext, createCheckContext } from '../suites/context/check-context.ts'
import { CHECK_SCENARIOS } from '../suites/index.ts'
import { CHECK_REGISTRY, type RunTarget, readRunTarget, TARGET_OPTIONS } from './chosen-profile-and-checks.ts'
import { createDryRunControl, createDryRunTransport } from './dry-run-transport-and-control.ts'
import { printResult, type Subcommand } from './subcommand.ts'

/** Subcommand `plan`: prints which checks a run would make and what it would cost, without any call. */
export const subcommand: Subcommand = {
  usage: 'plan --profile FILE [options]',
  description: `
Lists the checks that a run would and would not make, with the reason, and the number of its calls, writes, payments and
the sum of amounts. The check scenarios run against a stub that accepts everything: no call is made, and a service that
refuses some calls gets fewer of them.

  assay certify plan --profile ours.yaml --tier 2`,
  options: [...TARGET_OPTIONS, 'json'],
  execute: async values => {
    const plan = await planRun(readRunTarget(values))
    printResult(
      values,
      () => plan,
      () => textOf(plan),
    )
    return plan.runs.length > 0 ? EXIT_CODES.fine : EXIT_CODES.unmeasured
  },
}

export type RunPlan = {
  name: string
  baseUrl: string
  environment: string
  tier: number
  unchosen: number
  runs: string[]
  not: { id: string; title: string; verdict: Verdict; reason: string }[]
  cost: SpentTotals & { calls: number }
}

/** Plans a run by a dry run of its scenarios: which checks it would make, and what it would cost. */
export const planRun = async (target: RunTarget): Promise<RunPlan> => {
  const { profile, tier, chosen } = target
  const ledger = createWriteLedger()
  const stop = createStopSignal()
  const { budgets: _, ...unbounded } = profile
  const guard = createTransportGuard(unbounded, { stop, ledger, paced: false })
  const credentials = readCredentials(profile, profile.organization)
  const context = createCheckContext(profile, tier, {
    transport: (_network, organization) => guard.wrap(createDryRunTransport(profile), organization),
    control: control => createDryRunControl(control, credentials),
    shopper: shopper => ({ ...shopper, prepare: async body => body, act: async () => undefined }),
    clock: () => ({ pass: async () => undefined }),
  })
  try {
    const results = await runScenarios({
      scenarios: CHECK_SCENARIOS.map(passing),
      profile,
      context,
      tier,
      chosen,
      transcript: context.transcript,
    })
    const { name, target: place } = profile
    return {
      name,
      baseUrl: place.baseUrl,
      environment: place.environment,
      tier,
      unchosen: CHECK_REGISTRY.size - chosen.size,
      runs: results.filter(wouldRun).map(({ id }) => id),
      not: results.flatMap(result =>
        wouldRun(result)
          ? []
          : [{ id: result.id, title: result.title, verdict: result.verdict, reason: result.reason ?? '' }],
      ),
      cost: { calls: guard.counters.calls, ...totalSpent(ledger.lines) },
    }
  } finally {
    stop.stop({ reason: 'the plan is made' })
    context.close()
  }
}

const wouldRun = ({ verdict }: CheckResult): boolean => verdict === 'pass'

/** Longest time for a scenario of a dry run, in milliseconds: nothing responds to what it waits for. */
const SCENARIO_TIMEOUT_MS = 300

/** Returns a scenario whose judged checks all pass; one that waits for webhooks of the service makes no call. */
const passing = (scenario: CheckScenario<CheckContext>): CheckScenario<CheckContext> => ({
  ...scenario,
  play: async (context, keep, chosen) => {
    if (scenario.needs?.includes('webhooks.receiver')) return
    const playing = scenario.play(context, keep, chosen).catch(() => undefined)
    await Promise.race([playing, pause(SCENARIO_TIMEOUT_MS, undefined, { ref: false })])
  },
  checks: scenario.checks.map(({ observes: _, ...check }: Check) => ({ ...check, judge: () => undefined })),
})

const textOf = ({ name, baseUrl, environment, tier, unchosen, runs, not, cost }: RunPlan): string => {
  const groups = [...Map.groupBy(not, ({ verdict }) => verdict)].map(
    ([verdict, members]) =>
      `${verdict} (${members.length})\n${members.map(({ id, title, reason }) => `  ${id.padEnd(8)} ${title}\n           ${reason}\n`).join('')}\n`,
  )
  const sums = formatAmounts(cost)
  const rest = unchosen > 0 ? `; ${unchosen} of ${CHECK_REGISTRY.size} were not chosen` : ''
  return `${name}: ${baseUrl}, ${environment}, tier ${tier}\n\n${groups.join('')}${runs.length} checks would run, ${not.length} would not${rest}
About ${cost.calls} calls, ${cost.writes} of them writes, for ${cost.payments} payments${sums.length > 0 ? ` of ${sums.join(' and ')} in all, as amounts are sent` : ''}.
`
}
