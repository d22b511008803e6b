import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import type { DialectLines } from '../../contracts/dialect/dialect-lines.ts'
import { bodyTextOf, isCallTo } from '../conformance/mutants/mutations-of-matching-calls.ts'
import { mutateReply } from '../conformance/mutants/simulator-mutations.ts'
import { describeResultsExcept, idsWithVerdict, runSuites, simulatorProfileAt } from '../conformance/run-suites.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Chosen = Partial<DecisionChoices>

/** Checks that meet one of these decisions. */
const CHECKS = [
  ...['ERR-01', 'ERR-02', 'ERR-05', 'ERR-09', 'ERR-13', 'ERR-15', 'ERR-16', 'ERR-19', 'RDS-02', 'RDS-03', 'LIF-27'],
  ...[
    'LIF-02',
    'LIF-04',
    'LIF-14',
    'LIF-17',
    'LIF-19',
    'LIF-21',
    'LIF-30',
    'LIF-31',
    'GRD-13',
    'GRD-14',
    'GRD-18',
    'GRD-19',
    'GRD-32',
  ],
  ...['IDM-01', 'IDM-07', 'IDM-08', 'IDM-15', 'IDM-18', 'IDM-32', 'IDM-34', 'IDM-40', 'IDM-42'],
  ...['GRD-25', 'GRD-29', 'GRD-35'],
  ...['MTLS-04', 'MTLS-05', 'MTLS-12', 'SIG-09', 'SIG-25', 'SIG-26', 'SIG-32', 'TOK-10', 'VAL-34'],
]

/** Starts a simulator that speaks by these lines of a profile. */
const startBy = async (lines: DialectLines, mutation: Parameters<typeof startTestSimulator>[1] = {}) => {
  const dialect = join(temporaryFolder(), 'deployment.yaml')
  writeFileSync(dialect, JSON.stringify(lines))
  return startTestSimulator({ dialect }, mutation)
}

/** Starts a simulator that does what these decisions say. */
const startWith = (decisions: Chosen, mutation?: Parameters<typeof startTestSimulator>[1]) =>
  startBy({ decisions }, mutation)

/** Runs the checks without a confirmed decision, where nothing excuses a mismatch but the lines of the profile. */
const certify = (simulator: Awaited<ReturnType<typeof startWith>>, decisions: Chosen, only: readonly string[]) =>
  runSuites({ ...simulatorProfileAt(simulator), decisions, confirmed: [] }, only)

const OTHERWISE: Chosen = {
  'D-02': 'off',
  'D-09': '422',
  'D-10': '5000',
  'D-11': '401',
  'D-12': '401',
  'D-14': '405',
  'D-16': '415',
  'D-18': '428',
  'D-19': 'operation',
  'D-21': 'unmarked',
  'D-22': 'successes',
  'D-30': '403',
  'D-34': '422',
  'D-35': 'repeated',
  'D-39': 'authorized',
  'D-117': 'replayed',
}

test('a deployment that does what its profile chooses passes, and differs where the profile says nothing', {
  timeout: 120_000,
}, async () => {
  const simulator = await startWith(OTHERWISE)
  try {
    const said = await certify(simulator, OTHERWISE, CHECKS)
    expect(describeResultsExcept(said, 'pass', 'observed', 'not applicable')).toEqual([])
    const unsaid = await certify(simulator, {}, CHECKS)
    expect(idsWithVerdict(unsaid, 'differs', 'fail')).toEqual([
      ...['ERR-19', 'IDM-07', 'IDM-42', 'LIF-19', 'LIF-30', 'LIF-31', 'RDS-03'],
    ])
  } finally {
    await simulator.stop()
  }
})

test('a deployment that does otherwise than its profile chooses fails', { timeout: 120_000 }, async () => {
  const simulator = await startWith({})
  try {
    const claimed = idsWithVerdict(await certify(simulator, OTHERWISE, CHECKS), 'differs', 'fail')
    const keyless = ['IDM-01', 'IDM-07', 'IDM-34']
    const signed = ['SIG-26', 'SIG-32']
    expect(claimed).toEqual(
      [
        ...keyless,
        ...signed,
        'ERR-16',
        'ERR-19',
        'IDM-42',
        'LIF-19',
        'LIF-30',
        'LIF-31',
        'MTLS-05',
        'RDS-03',
        'TOK-10',
        'VAL-34',
      ].sort(),
    )
  } finally {
    await simulator.stop()
  }
})

test('second alternatives pass as well', { timeout: 120_000 }, async () => {
  const decisions: Chosen = { 'D-12': '403', 'D-14': '404-4001', 'D-19': 'account', 'D-22': 'every' }
  const simulator = await startWith(decisions)
  try {
    expect(
      describeResultsExcept(await certify(simulator, decisions, CHECKS), 'pass', 'observed', 'not applicable'),
    ).toEqual([])
  } finally {
    await simulator.stop()
  }
})

test('D-09: an operation that the scheme lacks may be 422/8003 by choice alone', { timeout: 120_000 }, async () => {
  const inParts = mutateReply((reply, call) => {
    const isPart = isCallTo('/payments/capture')(call) && /"amount":400\b/.test(bodyTextOf(call))
    const statusInfo = { reasonCode: '8003', message: 'captures in full only' }
    return isPart && reply.http < 300 ? { http: 422, body: JSON.stringify({ statusInfo }) } : undefined
  })
  const hits = { count: 0 }
  const simulator = await startWith({ 'D-09': '422' }, folder => inParts(folder, hits))
  try {
    const said = await certify(simulator, { 'D-09': '422' }, ['LIF-17'])
    const unsaid = await certify(simulator, {}, ['LIF-17'])
    expect([said, unsaid].map(results => results.at(-1)?.verdict)).toEqual(['pass', 'fail'])
    expect(hits.count).toBeGreaterThan(0)
  } finally {
    await simulator.stop()
  }
})

test('D-33: an authorization lasts as long as the profile says', { timeout: 120_000 }, async () => {
  const [limits, checks] = [{ holdSeconds: 7_200 }, ['LIF-25', 'LIF-26']]
  const simulator = await startBy({ limits })
  try {
    const profile = simulatorProfileAt(simulator)
    const said = await runSuites({ ...profile, limits }, checks)
    expect(idsWithVerdict(said, 'pass')).toEqual(expect.arrayContaining(checks))
    expect(idsWithVerdict(await runSuites(profile, checks), 'fail')).toContain('LIF-25')
  } finally {
    await simulator.stop()
  }
})
