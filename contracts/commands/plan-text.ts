import { formatAmounts } from '../harness/safety/totals-of-write-ledger.ts'
import { CHECK_REGISTRY } from './chosen-profile-and-checks.ts'
import type { LineGain } from './plan-gains-of-profile-lines.ts'
import type { RunPlan } from './plan-types.ts'

/** Most lines of the profile whose gain is printed. */
const GAINS_SHOWN = 8

/** Formats a plan for a terminal: the checks that would not run, the drivers that would act, the cost, the gains. */
export const planText = (plan: RunPlan): string => {
  const { name, baseUrl, environment, tier, unchosen, runs, not } = plan
  const rest = unchosen > 0 ? `; ${unchosen} of ${CHECK_REGISTRY.size} were not chosen` : ''
  return `${name}: ${baseUrl}, ${environment}, tier ${tier}

${missingText(plan)}${driversText(plan)}${gainsText(plan)}${runs.length} checks would run, ${not.length} would not${rest}
${costText(plan)}
`
}

const missingText = ({ not }: RunPlan): string =>
  [...Map.groupBy(not, ({ verdict }) => verdict)]
    .map(
      ([verdict, members]) =>
        `${verdict} (${members.length})\n${members.map(({ id, title, reason }) => `  ${id.padEnd(8)} ${title}\n           ${reason}\n`).join('')}\n`,
    )
    .join('')

const driversText = ({ journeys }: RunPlan): string => {
  const lines = [...new Set(journeys.flatMap(({ drivers }) => drivers))].sort()
  const rows = lines.map(line => {
    const checks = journeys.filter(({ drivers }) => drivers.includes(line)).flatMap(journey => journey.checks)
    return `  ${line} (${checks.length})\n           ${checks.join(', ')}\n`
  })
  return rows.length === 0 ? '' : `drivers that would act, each with its checks\n${rows.join('')}\n`
}

const gainsText = ({ gains }: RunPlan): string => {
  const rows = gains
    .slice(0, GAINS_SHOWN)
    .map(gain => `  ${gain.line} makes ${countOf(gain.checks, 'check')} testable${shorterText(gain)}\n`)
  return rows.length === 0 ? '' : `one more line of the profile\n${rows.join('')}\n`
}

/** Lists what shorter times gain, as ` (PT30M 2, PT1H 3)`. */
const shorterText = ({ shorter = [] }: LineGain): string => {
  const steps = shorter.map(({ line, checks }) => `${line.split(': ')[1]} ${checks}`)
  return steps.length === 0 ? '' : ` (${steps.join(', ')})`
}

const costText = ({ cost }: RunPlan): string => {
  const sums = formatAmounts(cost)
  const money = sums.length > 0 ? ` of ${sums.join(' and ')} in all, as amounts are sent` : ''
  const waiting =
    cost.waitSeconds > 0
      ? ` It waits ${minutesOf(cost.waitSeconds)} for time to pass, beside the time of its calls, and ends after ${minutesOf(cost.limitSeconds)} (budgets.seconds) at the latest.`
      : ''
  const unseen =
    cost.unseenSeconds > 0
      ? ` Of that ${minutesOf(cost.unseenSeconds)} are for shoppers, as no word of states.waiting is of that stage alone: lower shopper.withinSeconds to what they need.`
      : ''
  const acts = cost.humanActs > 0 ? ` A person acts ${countOf(cost.humanActs, 'time')}.` : ''
  return `About ${cost.calls} calls, ${cost.writes} of them writes, for ${cost.payments} payments${money}.${waiting}${unseen}${acts}`
}

const minutesOf = (seconds: number): string =>
  seconds < 60 ? countOf(seconds, 'second') : countOf(Math.ceil(seconds / 60), 'minute')

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
