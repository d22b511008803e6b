import { setTimeout as pause } from 'node:timers/promises'
import type { Check, CheckResult, CheckScenario } from '../harness/judge/check.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { readCredentials } from '../harness/profile/read-profile-credentials.ts'
import { EXIT_CODES } from '../harness/report/exit-codes.ts'
import { runScenarios, type ScenarioRun } from '../harness/run/run-scenarios.ts'
import { createStopSignal } from '../harness/run/stop-signal.ts'
import { createTransportGuard } from '../harness/safety/stop-budget-and-ledger-guard.ts'
import { totalSpent } from '../harness/safety/totals-of-write-ledger.ts'
import { createWriteLedger } from '../harness/safety/write-ledger.ts'
import { type CheckContext, createCheckContext } from '../suites/context/check-context.ts'
import { CHECK_SCENARIOS } from '../suites/index.ts'
import { CHECK_REGISTRY, type RunTarget, readRunTarget, TARGET_OPTIONS } from './chosen-profile-and-checks.ts'
import { createDriverUsage } from './dry-run-driver-usage.ts'
import { createDryRunControl, createDryRunTransport, createDryRunWebhooks } from './dry-run-transport-and-control.ts'
import { limitSecondsOf } from './judge-deployment.ts'
import { findLineGains } from './plan-gains-of-profile-lines.ts'
import { planText } from './plan-text.ts'
import type { PlannedJourney, RunPlan } from './plan-types.ts'
import { printResult, type Subcommand } from './subcommand.ts'

/** Subcommand `assay certify plan`: prints which checks a run would make and what it would cost, without any call. */
export const subcommand: Subcommand = {
  usage: 'plan --profile FILE [options]',
  description: `
Lists the checks that a run would and would not make, with the reason; by which drivers of the profile it would have
shoppers act and time pass; and what it costs in calls, writes, payments, the sum of amounts, minutes of waiting and acts
of a person. Then it says which single line of the profile would make more checks testable. The check scenarios run
against a stub that accepts everything: no call is made, and a service that refuses some calls gets fewer of them.

  assay certify plan --profile ours.yaml --tier 2`,
  options: [...TARGET_OPTIONS, 'json'],
  execute: async values => {
    const plan = await planRun(readRunTarget(values))
    printResult(
      values,
      () => plan,
      () => planText(plan),
    )
    return plan.runs.length > 0 ? EXIT_CODES.fine : EXIT_CODES.unmeasured
  },
}

/** Plans a run by a dry run of its scenarios: which checks it would make, and what it would cost. */
const planRun = async (target: RunTarget): Promise<RunPlan> => {
  const { profile, tier, chosen } = target
  const ledger = createWriteLedger()
  const stop = createStopSignal()
  const { budgets: _, ...unbounded } = profile
  const guard = createTransportGuard(unbounded, { stop, ledger, paced: false })
  const credentials = readCredentials(profile, profile.organization)
  const usage = createDriverUsage(profile)
  const context = createCheckContext(readingOnce(profile), tier, {
    transport: (_network, organization) => guard.wrap(createDryRunTransport(profile), organization),
    control: control => usage.control(createDryRunControl(control, credentials)),
    shopper: usage.shopper,
    clock: usage.clock,
    webhooks: createDryRunWebhooks(),
  })
  const journeys: PlannedJourney[] = []
  let [calls, lines] = [0, 0]
  const onScenarioEnd = ({ name, asked }: ScenarioRun): void => {
    const { lines: drivers, ...acts } = usage.take()
    const spent = totalSpent(ledger.lines.slice(lines))
    journeys.push({ name, checks: [...asked], drivers, calls: guard.counters.calls - calls, ...spent, ...acts })
    calls = guard.counters.calls
    lines = ledger.lines.length
  }
  try {
    const results = await runScenarios({
      scenarios: CHECK_SCENARIOS.map(passing),
      profile,
      context,
      tier,
      chosen,
      transcript: context.transcript,
      onScenarioEnd,
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
      cost: {
        calls: guard.counters.calls,
        ...totalSpent(ledger.lines),
        waitSeconds: sumOf(journeys, ({ waitSeconds }) => waitSeconds),
        unseenSeconds: sumOf(journeys, ({ unseenSeconds }) => unseenSeconds),
        humanActs: sumOf(journeys, ({ humanActs }) => humanActs),
        limitSeconds: limitSecondsOf(profile),
      },
      journeys,
      gains: await findLineGains(target),
    }
  } finally {
    stop.stop({ reason: 'the plan is made' })
    context.close()
  }
}

const wouldRun = ({ verdict }: CheckResult): boolean => verdict === 'pass'

/** Longest time for a scenario of a dry run, in milliseconds: nothing responds to what it waits for. */
const SCENARIO_TIMEOUT_MS = 300

const sumOf = <Item>(items: readonly Item[], amountOf: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + amountOf(item), 0)

/** Returns the profile of a dry run, which shows no effects: a read that waits for one is made once. */
const readingOnce = (profile: Profile): Profile => ({
  ...profile,
  limits: { ...profile.limits, pollSeconds: 0 },
})

/** Returns a scenario whose judged checks all pass. */
const passing = (scenario: CheckScenario<CheckContext>): CheckScenario<CheckContext> => ({
  ...scenario,
  play: async (context, keep, chosen) => {
    const playing = scenario.play(context, keep, chosen).catch(() => undefined)
    await Promise.race([playing, pause(SCENARIO_TIMEOUT_MS, undefined, { ref: false })])
  },
  checks: scenario.checks.map(({ observes: _, ...check }: Check) => ({ ...check, judge: () => undefined })),
})
