import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { BUILT_IN } from './load.ts'

/** A move of the clock in a drill, by a duration or until nothing is due; or new signing keys, the old ones ending so much later. */
export type DrillMove = { advance: string } | { drain: true } | { rotate: string }

/** A stimulus for a merchant's integration, and the rules of conduct that it gives an occasion for. */
export type Drill = {
  name: string
  title: string
  /** What the shopper does, for whoever drives it by hand. */
  ask: string
  /** As armed over control before the first run. */
  faults: readonly object[]
  plans: readonly object[]
  /** How often the checkout is run. */
  runs: number
  /** Before each further run, and after the last. */
  between: readonly DrillMove[]
  afterwards: readonly DrillMove[]
  /** Ids of the rules that it can judge. */
  rules: readonly string[]
}

type Entry = Pick<Drill, 'name' | 'title' | 'ask' | 'rules'> & Partial<Drill>

/** The drills that come with the package, in the order of their files. */
export const builtInDrills = (): readonly Drill[] => {
  const folder = join(BUILT_IN, 'drills')
  const files = readdirSync(folder)
    .filter(name => name.endsWith('.yaml'))
    .sort()
  return files.flatMap(file => drillsIn(readFileSync(join(folder, file), 'utf8')))
}

/** The drills of a file's text, which is as its schema wants it. */
export const drillsIn = (text: string): readonly Drill[] => (parse(text) as { drills: Entry[] }).drills.map(drillOf)

const drillOf = (entry: Entry): Drill => ({
  faults: [],
  plans: [],
  runs: 1,
  between: [],
  afterwards: [{ advance: 'PT1M' }],
  ...entry,
})
