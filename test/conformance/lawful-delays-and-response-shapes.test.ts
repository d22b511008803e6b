import { expect, test } from 'vitest'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import * as lawful from './lawful-delays-and-response-shapes.ts'
import { RUN_TIMEOUT } from './mutants/expect-mutant-caught.ts'
import type { Mutation } from './mutants/mutant.ts'
import { describeResultsExcept, idsWithVerdict, runSuites, simulatorProfileAt } from './run-suites.ts'

const FINE = ['pass', 'observed', 'not applicable', 'withheld'] as const
const SHOWN = ['IDM-37', 'IDM-38', 'ERR-20', 'LIM-03', 'IDM-39']

// biome-ignore format: a table reads by its columns
const LAWFUL: readonly (readonly [what: string, mutation: Mutation, only: string[], told: string[]])[] = [
  ['a status that lags by one read', lawful.lateReads('status'), ['BLK', 'IRS-04', 'IRS-05', 'IRS-03', 'IDM-13'], []],
  ['events that lag by one read',    lawful.lateReads('events'), ['IDM-11', 'IDM-12', 'RDS-13', 'IDM-37', 'IDM-38'], []],
  ['a status that is 404 at first',  lawful.lateStatus,          ['MTLS-01', 'VER-01', 'RDS-01', 'RDS-04', 'IDM-02', 'IDM-26', 'IDM-27'], []],
  ['a search that lags by one call', lawful.lateSearch,          ['RDS-09', 'RDS-11', 'SCP-12'], []],
  ['an empty list that is left out', lawful.noEmptyList,         ['RDS-09', 'RDS-10', 'RDS-11', 'SCP-12', 'IDM-24'], []],
  ['declines in the status',         lawful.declinesInStatus,    ['MAP', 'BLK-04', 'BLK-06'], []],
  ['reasons in the events',          lawful.reasonsInEvents,     ['BLK-02', 'BLK-03', 'IRS-03', 'IRS-04'], []],
  ['sums as texts',                  lawful.sumsAsText,          ['IDM-11', 'IDM-12', 'IDM-37', 'IDM-38', 'IDM-39', 'LIM-03'], []],
  ['the time of each read',          lawful.asOfInReads,           ['IDM-26', 'IDM-27', 'RDS-13', 'VER-05'], []],
  ['the age of each read',           lawful.agesInReads,         ['IDM-24', 'IDM-25', 'IDM-26', 'IDM-27', 'IDM-51', 'RDS-13', 'RDS-14', 'LIF-24', 'GRD-12', 'GRD-20', 'GRD-21', 'GRD-24', 'GRD-59', 'VER-05'], []],
  ['whole amounts only',             lawful.wholeAmountsOnly,    ['IDM-11', 'IDM-12', 'IDM-17', 'IDM-18', ...SHOWN], ['IDM-17 blocked', 'IDM-18 blocked']],
  ['faults that do not show',        lawful.hiddenFaults,        SHOWN, SHOWN.map(id => `${id} blocked`)],
]

test.each(LAWFUL)(
  'rule 14: no check fails for a lawful server with %s',
  async (_what, mutation, only, told) => {
    const hits = { count: 0 }
    const simulator = await startTestSimulator({}, dataDir => mutation(dataDir, hits))
    try {
      const others = describeResultsExcept(await runSuites(simulatorProfileAt(simulator), only), ...FINE)
      expect(others.filter(line => !told.some(start => line.startsWith(start)))).toEqual([])
      expect(told.filter(start => !others.some(line => line.startsWith(start)))).toEqual([])
      expect(hits.count).toBeGreaterThan(0)
    } finally {
      await simulator.stop()
    }
  },
  RUN_TIMEOUT,
)

/** Checks that send only what any merchant can send: they need no shopper, no control, and no second organization. */
const BY_ANYONE = [
  'IDM-24',
  'IDM-25',
  'IDM-26',
  'IDM-27',
  'LIF-27',
  'RDS-01',
  'RDS-09',
  'RDS-13',
  'RDS-14',
  'RSP-10',
  'SCP-12',
  'VER-05',
]

test('rule 14: without control, what needs no shopper is judged, and nothing fails or is blocked', async () => {
  const simulator = await startTestSimulator()
  try {
    const { control: _, secondOrganization: __, ...profile }: Profile = simulatorProfileAt(simulator)
    const only = [...BY_ANYONE, 'BLK', 'IRS-03', 'IRS-05', 'IDM-22', 'IDM-23', 'TOK-18', 'TOK-19', 'MAP', 'LIM-03']
    const results = await runSuites({ ...profile, capabilities: { mocks: false } }, only)
    const judged = idsWithVerdict(results, 'pass', 'observed')
    expect(BY_ANYONE.filter(id => !judged.includes(id))).toEqual([])
    expect(describeResultsExcept(results, ...FINE, 'untestable')).toEqual([])
  } finally {
    await simulator.stop()
  }
})
