import { setTimeout as pause } from 'node:timers/promises'
import type { Check, Journey, Result, Verdict } from '../harness/check.ts'
import { createGuard } from '../harness/guard.ts'
import { createLedger } from '../harness/ledger.ts'
import { type Spent, spent, sumsOf } from '../harness/leftovers.ts'
import { credentialsOf } from '../harness/profile.ts'
import { run } from '../harness/run.ts'
import { createStop } from '../harness/stop.ts'
import { EXIT } from '../harness/summary.ts'
import { JOURNEYS } from '../suites/all.ts'
import { createWorld, type World } from '../suites/world.ts'
import { dryOperator, dryTransport } from './dry.ts'
import { REGISTRY, TARGET, type Target, targetOf } from './target.ts'
import { tell, type Word } from './word.ts'

/** Says what a run would do, and calls nobody. */
export const word: Word = {
  usage: 'plan --profile FILE [options]',
  teaches: `
Says which checks a run would make and which not and why, and what it would cost: calls, writes, payments and sums. The
journeys are played against a service that says yes to everything and is not there: nobody is called, and a service that
says no will cost less.

  assay certify plan --profile ours.yaml --tier 2`,
  takes: [...TARGET, 'json'],
  act: async values => {
    const plan = await planOf(targetOf(values))
    tell(
      values,
      () => plan,
      () => textOf(plan),
    )
    return plan.runs.length > 0 ? EXIT.fine : EXIT.unmeasured
  },
}

export type Plan = {
  name: string
  baseUrl: string
  environment: string
  tier: number
  unchosen: number
  runs: string[]
  not: { id: string; title: string; verdict: Verdict; reason: string }[]
  cost: Spent & { calls: number }
}

/** What `run` would do with these options, found by playing without anybody there. */
export const planOf = async (target: Target): Promise<Plan> => {
  const { profile, tier, chosen } = target
  const ledger = createLedger()
  const stop = createStop()
  const { budgets: _, ...unbounded } = profile
  const guard = createGuard(unbounded, { stop, ledger, paced: false })
  const credentials = credentialsOf(profile, profile.organization)
  const world = createWorld(profile, tier, {
    transport: (_network, organization) => guard.over(dryTransport(profile), organization),
    operator: operator => dryOperator(operator, credentials),
  })
  try {
    const results = await run({
      journeys: JOURNEYS.map(agreeing),
      profile,
      world,
      tier,
      chosen,
      transcript: world.transcript,
    })
    const { name, target: place } = profile
    return {
      name,
      baseUrl: place.baseUrl,
      environment: place.environment,
      tier,
      unchosen: REGISTRY.size - chosen.size,
      runs: results.filter(wouldRun).map(({ id }) => id),
      not: results.flatMap(result =>
        wouldRun(result)
          ? []
          : [{ id: result.id, title: result.title, verdict: result.verdict, reason: result.reason ?? '' }],
      ),
      cost: { calls: guard.made.calls, ...spent(ledger.lines) },
    }
  } finally {
    stop.stop({ reason: 'the plan is made' })
    world.close()
  }
}

const wouldRun = ({ verdict }: Result): boolean => verdict === 'pass'

/** Nobody answers what a play waits for. */
const PATIENCE_MS = 300

/** The same journey, of which every check that can be judged passes. Where the service is to call us there is nothing to play. */
const agreeing = (journey: Journey<World>): Journey<World> => ({
  ...journey,
  play: async (world, keep, chosen) => {
    if (journey.needs?.includes('webhooks.receiver')) return
    const playing = journey.play(world, keep, chosen).catch(() => undefined)
    await Promise.race([playing, pause(PATIENCE_MS, undefined, { ref: false })])
  },
  checks: journey.checks.map(({ observes: _, ...check }: Check) => ({ ...check, judge: () => undefined })),
})

const textOf = ({ name, baseUrl, environment, tier, unchosen, runs, not, cost }: Plan): string => {
  const groups = [...Map.groupBy(not, ({ verdict }) => verdict)].map(
    ([verdict, members]) =>
      `${verdict} (${members.length})\n${members.map(({ id, title, reason }) => `  ${id.padEnd(8)} ${title}\n           ${reason}\n`).join('')}\n`,
  )
  const sums = sumsOf(cost)
  const rest = unchosen > 0 ? `; ${unchosen} of ${REGISTRY.size} were not chosen` : ''
  return `${name}: ${baseUrl}, ${environment}, tier ${tier}\n\n${groups.join('')}${runs.length} checks would run, ${not.length} would not${rest}
About ${cost.calls} calls, ${cost.writes} of them writes, for ${cost.payments} payments${sums.length > 0 ? ` of ${sums.join(' and ')} in all, as amounts are sent` : ''}.
`
}
