import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { idsWithVerdict, runSuites, simulatorProfileAt } from '../conformance/run-suites.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Choices = Partial<DecisionChoices>

/** Decisions of one deployment, all at once; two deployments, as a decision has one value at a time. */
const ONE: Choices = {
  'D-40': '400',
  'D-41': '400',
  'D-42': '400',
  'D-43': 'canceled',
  'D-44': 'optional-account',
  'D-46': 'ignored',
  'D-47': 'optional',
  'D-48': 'of-payment',
  'D-54': '404',
  'D-55': 'ignored',
  'D-56': 'process-for-providers',
  'D-57': '401',
  'D-63': '404',
  'D-65': '501',
  'D-68': 'ignored',
  'D-73': 'oldest-first',
  'D-80': 'ignored',
  'D-81': 'no-trace',
  'D-82': '502',
  'D-99': 'initiate',
  'D-110': 'any-text',
  'D-116': 'settlements',
  'D-117': 'replayed',
  'D-119': 'held',
  'D-120': 'settled-payment',
}
const OTHER: Choices = {
  'D-41': 'accepted-first',
  'D-44': 'optional-description',
  'D-54': '403',
  'D-63': 'declined',
  'D-65': 'used-code',
  'D-68': 'newest-below',
  'D-116': 'every-event',
}

/** Checks that the decisions concern, and some beside them that they must leave alone. */
const CHECKS = [
  ...['IDM', 'TOK', 'VER', 'VAL', 'SCP', 'MAP', 'BLK', 'IRS', 'MCK', 'RDS', 'EVT', 'ERR'],
  ...['LIF-08', 'LIF-15', 'LIF-18', 'LIF-22', 'LIF-28'],
  ...['GRD-14', 'GRD-22', 'GRD-28', 'GRD-29', 'GRD-32', 'GRD-33', 'GRD-34', 'GRD-41', 'GRD-52', 'GRD-54'],
]

/** Of them those that tell the decisions apart, with their neighbours. */
const DISPUTABLE = [
  ...['BLK', 'EVT', 'IRS', 'TOK', 'VAL', 'VER', 'IDM-42', 'LIF-08', 'LIF-15', 'LIF-18', 'ERR-03'],
  ...['GRD-14', 'GRD-22', 'GRD-32', 'GRD-33', 'GRD-34', 'GRD-52'],
]

/** Certifies a simulator that has these choices by a profile that says those; returns the ids of checks in dispute. */
const disputed = async (does: Choices, says: Choices, checks = CHECKS): Promise<string[]> => {
  const dialect = join(temporaryFolder(), 'ours.yaml')
  writeFileSync(dialect, stringify({ decisions: does }))
  const simulator = await startTestSimulator({ dialect })
  try {
    const results = await runSuites({ ...simulatorProfileAt(simulator), decisions: says }, checks)
    expect(idsWithVerdict(results, 'pass').length).toBeGreaterThan(70)
    return idsWithVerdict(results, 'fail', 'differs', 'blocked', 'untestable', 'inconclusive', 'harness error')
  } finally {
    await simulator.stop()
  }
}

const TIME_LIMIT = 300_000

test(
  'a deployment passes that does what its profile says',
  async () => {
    expect(await disputed(ONE, ONE)).toEqual([])
    expect(await disputed(OTHER, OTHER)).toEqual([])
  },
  TIME_LIMIT,
)

test(
  'a deployment does not pass that does otherwise than its profile says, or than is usual',
  async () => {
    expect(await disputed({}, ONE, DISPUTABLE)).toEqual([
      ...['BLK-02', 'BLK-06', 'GRD-22', 'GRD-32', 'GRD-33', 'GRD-34', 'GRD-52', 'IDM-42'],
      ...['IRS-04', 'LIF-15', 'TOK-12', 'VAL-33', 'VAL-45', 'VAL-46', 'VAL-47', 'VAL-49', 'VAL-50', 'VAL-51'],
      ...['VAL-52', 'VAL-55', 'VER-03', 'VER-04'],
    ])
    const { 'D-48': _, ...one } = ONE // with it nothing is captured, and little is left to judge
    expect(await disputed(one, {}, DISPUTABLE)).toEqual(['ERR-03', 'GRD-14', 'VAL-33', 'VER-03', 'VER-04'])
  },
  TIME_LIMIT,
)
