import { machineLine, thisMachine } from '../../bench/report/machine.ts'
import {
  readScriptAmount,
  readScriptArguments,
  readScriptNumber,
  refuse,
} from '../../bench/report/read-script-arguments.ts'
import { recordFigures, withMachine } from '../../bench/report/record-figures.ts'
import { type SimulationFigures, simulationTable } from '../../bench/simulation/seeded-simulation-runs-table.ts'
import { type SimulationReport, simulate } from './simulate.ts'

// npm run simulate [-- DAYS [SEED]] [--record]: simulates the service for days, a week from each seed on, and ends at the first
// problem; --record writes the sums to docs/figures.json and docs/figures.md.

const WEEK = 7
const LONGEST_PROBLEM = 4_000

const { values, positionals } = readScriptArguments({
  options: { record: { type: 'boolean', default: false } },
  allowPositionals: true,
})
if (positionals.length > 2) refuse('Give two numbers at most: npm run simulate -- DAYS SEED')
const days = readScriptAmount('DAYS', positionals[0] ?? '365')
const first = readScriptNumber('SEED', positionals[1] ?? '1', 0)

const added = (moments: Readonly<Record<string, number>>, more: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    [...new Set([...Object.keys(moments), ...Object.keys(more)])].map(name => [
      name,
      (moments[name] ?? 0) + (more[name] ?? 0),
    ]),
  )

const sumOf = (sum: SimulationFigures, report: SimulationReport): SimulationFigures => ({
  firstSeed: sum.firstSeed,
  seeds: sum.seeds + 1,
  days: sum.days + report.days,
  calls: sum.calls + report.calls,
  unanswered: sum.unanswered + report.unanswered,
  webhooks: sum.webhooks + report.webhooks,
  webhooksTwice: sum.webhooksTwice + report.webhooksTwice,
  kills: sum.kills + report.kills,
  powerCuts: sum.powerCuts + report.powerCuts,
  lostWrites: sum.lostWrites + report.lostWrites,
  fullDisks: sum.fullDisks + report.fullDisks,
  moments: added(sum.moments, report.moments),
  problems: sum.problems + report.problems.length,
})

let sum: SimulationFigures = {
  ...{ firstSeed: first, seeds: 0, days: 0, calls: 0, unanswered: 0, webhooks: 0, webhooksTwice: 0 },
  ...{ kills: 0, powerCuts: 0, lostWrites: 0, fullDisks: 0, moments: {}, problems: 0 },
}
console.log(machineLine(thisMachine()))
for (let seed = first; sum.days < days && sum.problems === 0; seed += 1) {
  const wanted = Math.min(WEEK, days - sum.days)
  const report = await simulate(seed, wanted)
  sum = sumOf(sum, report)
  const { kills, powerCuts, calls, problems } = report
  const outcome = problems.length === 0 ? 'nothing lost' : `${problems.length} problems`
  console.log(`seed ${seed}: ${report.days.toFixed(1)} days, ${calls} calls, ${kills + powerCuts} crashes, ${outcome}`)
  for (const problem of problems) console.log(problem.slice(0, LONGEST_PROBLEM))
  if (problems.length > 0) console.log(`Repeat it with npm run simulate -- ${wanted} ${seed}`)
}
console.log(`\n${simulationTable(sum)}`)
if (values.record) recordFigures('simulation', withMachine<'simulation'>(sum))
process.exitCode = sum.problems === 0 ? 0 : 1
