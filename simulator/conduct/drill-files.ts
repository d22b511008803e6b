import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { BUILT_IN_FOLDER } from '../scenarios/open-scenario-catalogue.ts'

/**
 * A move in the file of a drill: advance the clock, run all due work, or rotate signing keys with an overlap; ISO
 * durations.
 */
export type DrillMove = { advance: string } | { drain: true } | { rotate: string }

/**
 * A drill as its file describes it: faults and delivery plans for a merchant's integration, and the conduct rules that
 * it tests.
 */
export type Drill = {
  name: string
  title: string
  /** Instructions for the person who acts as the shopper. */
  ask: string
  /** Faults to arm before the first run, as requests to control. */
  faults: readonly object[]
  plans: readonly object[]
  /** How many times the checkout is run. */
  runs: number
  /** Moves before each further run; `afterwards` are those after the last run. */
  between: readonly DrillMove[]
  afterwards: readonly DrillMove[]
  /** Ids of the conduct rules that it tests. */
  rules: readonly string[]
}

type Entry = Pick<Drill, 'name' | 'title' | 'ask' | 'rules'> & Partial<Drill>

/** Reads the built-in drills, in the order of their files. */
export const readBuiltInDrills = (): readonly Drill[] => {
  const folder = join(BUILT_IN_FOLDER, 'drills')
  const files = readdirSync(folder)
    .filter(name => name.endsWith('.yaml'))
    .sort()
  return files.flatMap(file => parseDrills(readFileSync(join(folder, file), 'utf8')))
}

/** Parses the drills of a YAML text that is valid by the schema of drills. */
export const parseDrills = (text: string): readonly Drill[] => (parse(text) as { drills: Entry[] }).drills.map(drillOf)

const drillOf = (entry: Entry): Drill => ({
  faults: [],
  plans: [],
  runs: 1,
  between: [],
  afterwards: [{ advance: 'PT1M' }],
  ...entry,
})
