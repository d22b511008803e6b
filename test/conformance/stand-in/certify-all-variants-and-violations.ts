import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readScriptArguments, readScriptNumber } from '../../../bench/report/read-script-arguments.ts'
import { certifyStandIn, listStandIn, type StandInRow } from './certify-stand-in.ts'
import { sampleFrom } from './draw-seeded-sample.ts'

// Runs all checks against the stand-in: each lawful variant, then planted violations, one at a time; prints who was
// condemned or missed, and writes docs/stand-in-matrix.md if asked to. Options: --sample N violations, --seed N, --write,
// --violations (no variants: those alone take half an hour).

const PAGE = join(import.meta.dirname, '../../../docs/stand-in-matrix.md')
const PARALLEL = 4
/** Checks for a variant under which all of them would take an hour. */
const SAMPLED: Readonly<Record<string, readonly string[]>> = {
  'very-slow': ['BRR', 'LIF-01', 'RDS-01', 'BLK-05', 'GRD-13', 'GRD-25'],
}

const { values } = readScriptArguments({
  options: {
    sample: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
    violations: { type: 'boolean', default: false },
  },
})

const sample = readScriptNumber('--sample', values.sample, 0)
const seed = readScriptNumber('--seed', values.seed, 0)
const { variants: all, violations } = listStandIn()
const variants = values.violations ? [] : all
const chosen = sampleFrom(violations, sample, seed)

const lawful = new Map<StandInRow, Verdict>()
const broken = new Map<StandInRow, Verdict>()

type Verdict = { row: StandInRow; failed: string[]; hits: number; milliseconds: number }

const judge = async (row: StandInRow, how: { variants?: string[]; violations?: string[] }): Promise<Verdict> => {
  const began = performance.now()
  const { results, hits } = await certifyStandIn(
    { ...how, ...(isOfWebhooks(row) && { webhooks: true }) },
    SAMPLED[row.name] ?? [],
  )
  const failed = results.filter(({ verdict }) => verdict === 'fail' || verdict === 'harness error').map(({ id }) => id)
  return { row, failed, hits, milliseconds: performance.now() - began }
}

/** Whether a row is about webhooks: those runs alone open a receiver, whose checks take seconds. */
const isOfWebhooks = ({ cell }: StandInRow): boolean => cell?.operation === 'webhook'

const waiting = [
  ...variants.map(row => ({ row, how: { variants: [row.name] }, list: lawful })),
  ...chosen.map(row => ({ row, how: { violations: [row.name] }, list: broken })),
]
const work = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const verdict = await judge(next.row, next.how)
    next.list.set(next.row, verdict)
    const { failed, hits } = verdict
    const met = hits === 0 ? '' : ` (${hits} calls met it)`
    console.log(`${next.row.name}: ${failed.length === 0 ? 'no fail' : failed.join(', ')}${met}`)
  }
}
await Promise.all(Array.from({ length: PARALLEL }, work))
const inOrder = (rows: readonly StandInRow[], verdicts: ReadonlyMap<StandInRow, Verdict>) =>
  rows.flatMap(row => verdicts.get(row) ?? [])
const [judged, tried] = [inOrder(variants, lawful), inOrder(chosen, broken)]
const caught = tried.filter(({ failed }) => failed.length > 0)
const condemned = judged.filter(({ failed }) => failed.length > 0)
const share = Math.round((100 * caught.length) / Math.max(1, tried.length))
console.log(
  `${condemned.length} of ${judged.length} lawful variants drew a fail; ${caught.length} of ${tried.length} planted violations drew one (${share} %)`,
)

if (values.write)
  writeFileSync(
    PAGE,
    `<!-- Written by \`npm run matrix:stand-in -- --sample ${values.sample} --seed ${values.seed}${values.violations ? ' --violations' : ''} --write\`: run that again instead of editing. -->

# What the checks find on a stranger

The stand-in is a server of the interface document in Python that shares no code with this project
([its README](../test/conformance/stand-in/README.md)); it has no control API. All checks judge it with
each of ${tried.length} planted violations, drawn from ${violations.length} with seed ${values.seed}, one at a time${judged.length === 0 ? '' : ', and with each lawful variant'}.

${judged.length === 0 ? '' : `- ${judged.length - condemned.length} of ${judged.length} lawful variants draw no fail.\n`}- ${caught.length} of ${tried.length} planted violations draw a fail (${share} %).

## Planted violations

| Violation | Clause | Caught by |
|---|---|---|
${tried.map(({ row, failed }) => `| ${row.sentence.replace(/\.$/, '')} | ${row.clause} | ${failed.length === 0 ? '–' : shortened(failed)} |`).join('\n')}
${variantSection()}`,
  )
process.exitCode = condemned.length === 0 ? 0 : 1

function shortened(ids: readonly string[]): string {
  return ids.length <= 6 ? ids.join(', ') : `${ids.slice(0, 6).join(', ')} and ${ids.length - 6} more`
}

function variantSection(): string {
  if (judged.length === 0) return ''
  const rows = judged.map(
    ({ row, failed }) => `| ${row.sentence.replace(/\.$/, '')} | ${row.clause} | ${shortened(failed)} |`,
  )
  return ['', '## Lawful variants', '', '| Variant | Clause | Failed by |', '|---|---|---|', ...rows, ''].join('\n')
}
