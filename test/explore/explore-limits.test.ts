import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { toReplayFile } from '../../contracts/explore/replay-file.ts'
import type { Step } from '../../contracts/explore/step.ts'
import { REPORT_FILES } from '../../contracts/harness/report/report-folder.ts'
import { Refusal } from '../../simulator/support/refusal.ts'
import { mutateLoaded, mutateStore, outermostLayer } from '../conformance/mutants/simulator-mutations.ts'
import { startCertifyProcess } from '../conformance/run-certify-child-process.ts'
import { runCertifyInProcess } from '../conformance/run-certify-in-process.ts'
import { SIMULATOR_PROFILE } from '../conformance/run-suites.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { pollUntil } from '../support/poll-until.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let simulator: TestSimulator
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

/** Explores the simulator by its profile with other lines. */
const exploreWith = (lines: object, ...argv: string[]) => exploreAt(simulator, lines, ...argv)

const exploreAt = ({ apiUrl, kitFolder, pagesUrl }: TestSimulator, lines: object, ...argv: string[]) => {
  const profile = join(temporaryFolder(), 'profile.yaml')
  writeFileSync(profile, stringify({ ...(parse(readFileSync(SIMULATOR_PROFILE, 'utf8')) as object), ...lines }))
  const target = ['--profile', profile, '--base-url', apiUrl, '--kit', kitFolder, '--control', pagesUrl]
  return runCertifyInProcess('explore', ...target, ...argv)
}

test.each([
  ['payments', 5],
  ['amount', 4000],
  ['seconds', 2],
])('an exploration ends when budgets.%s of the profile is spent', async (name, most) => {
  const { code, out } = await exploreWith({ budgets: { [name]: most } }, '--calls', '100000')
  expect([code, out]).toEqual([
    5,
    expect.stringMatching(
      new RegExp(`no violation\\. Stopped early: budgets\\.${name} of .* is spent: ${most}\\.\\n$`),
    ),
  ])
})

const UNDONE: [string, steps: string, sentence: string][] = [
  ['no step', '', 'holds no step: name a file that explore has written.'],
  ['an unknown step', '{ "id": "s1", "do": "pay" }', 'has in step s1 an unknown do, "pay": name a file'],
  [
    'an unknown mistake',
    '{ "id": "s1", "do": "initiate", "wrong": "x" }',
    'has in step s1 an unknown wrong, "x": name',
  ],
  ['a missing step', '{ "id": "s2", "do": "cancel", "on": "s1" }', 'a step that does not come before it, s1: name'],
]
test.each(UNDONE)('--replay says of a file with %s that it cannot be played', async (_, steps, sentence) => {
  const file = join(temporaryFolder(), 'sequence.json')
  writeFileSync(file, `{ "format": 1, "steps": [${steps}] }`)
  const { code, err } = await exploreWith({}, '--replay', file)
  expect([code, err]).toEqual([2, expect.stringContaining(sentence)])
})

test('--replay of which no call can be made says so', async () => {
  const file = join(temporaryFolder(), 'sequence.json')
  writeFileSync(file, '{ "format": 1, "steps": [{ "id": "s1", "do": "pass", "time": "PT6S" }] }')
  const { code, err } = await exploreWith({}, '--replay', file)
  expect([code, err]).toEqual([3, expect.stringContaining('No call of the sequence could be made')])
})

test('--replay of which some steps cannot be made names them', async () => {
  const file = join(temporaryFolder(), 'sequence.json')
  const steps: Step[] = [
    { id: 's1', do: 'initiate', method: 'IRIS', wrong: 'no token' },
    { id: 's2', do: 'cancel', on: 's1' },
    { id: 's3', do: 'shopper', on: 's1', decision: 'approve' },
    { id: 's4', do: 'initiate', method: 'IRIS' },
  ]
  writeFileSync(file, toReplayFile(steps))
  const { code, out, err } = await exploreWith({}, '--replay', file)
  expect([code, out, err]).toEqual([
    3,
    '',
    'No violation, but s2 cancel of the payment of s1, and s3 the shopper approves the payment of s1 could not be made: explore this deployment anew for a sequence that it can play.\n',
  ])
})

test('no call is no exploration', async () => {
  const { code, err } = await exploreWith({}, '--calls', '0')
  expect([code, err]).toEqual([2, '--calls is a whole number from 1 to 999999999, not "0".\n'])
})

const { fields } = parse(readFileSync(SIMULATOR_PROFILE, 'utf8')) as { fields: { initiate: object } }
const idAt = (transactionId: string | undefined) => ({
  fields: { ...fields, initiate: { ...fields.initiate, transactionId } },
})
test.each([
  ['add to .* the line fields\\.initiate\\.transactionId', undefined],
  ['fields\\.initiate\\.transactionId: /nowhere points at nothing in .*; correct it in', '/nowhere'],
])('no payment can be followed whose id cannot be read: %s', async (cure, at) => {
  const { code, err } = await exploreWith(idAt(at), '--calls', '20')
  expect([code, err]).toEqual([2, expect.stringMatching(cure)])
})

test('a service that never says what it did is not judged', async () => {
  const isDown = mutateStore(() => ({
    transact: () => Promise.reject(new Refusal('PROVIDER_TIMEOUT', 'operation', 'down')),
  }))
  const down = await startTestSimulator({}, dataDir => isDown(dataDir, { count: 0 }))
  try {
    const { code, err } = await exploreAt(down, {}, '--calls', '5')
    expect([code, err]).toEqual([3, expect.stringContaining('no payment came as far as one transition')])
  } finally {
    await down.stop()
  }
})

test.each([
  ['breaks off', 0],
  ['breaks off after a while', 3],
])('a token call that the service %s ends the exploration with a sentence', async (_, served) => {
  let left = served
  const silent = await startTestSimulator(
    {},
    outermostLayer(async (c, next) => {
      if (c.env.incoming.url?.endsWith('/auth/token') && left-- <= 0) c.env.incoming.socket.destroy()
      await next()
    }),
  )
  try {
    const { code, out, err } = await exploreAt(silent, {}, '--calls', '200')
    expect([code, out, err]).toEqual([3, '', expect.stringMatching(/^No access token: .*auth\/token.*\.\n$/)])
  } finally {
    await silent.stop()
  }
})

test('no random call is made against production', async () => {
  const target = { baseUrl: 'https://localhost:1', environment: 'production' }
  const { code, err } = await exploreWith({ target })
  expect([code, err]).toEqual([
    7,
    expect.stringContaining('is production, where no random call is made: name a sandbox.'),
  ])
})

test('--until-covered names what was not visited', async () => {
  const { code, out } = await exploreWith({}, '--until-covered', '--calls', '20')
  expect([code, out]).toEqual([5, expect.stringMatching(/no violation\.\nNot visited: \w+.* → .* by /)])
})

test('what no replay shows again fails nothing: the exploration is incomplete', async () => {
  const forgetsAKeyOnce = mutateLoaded((loaded, hits) => {
    if (!loaded.idempotentReply || hits.count > 0) return loaded
    hits.count += 1
    return { ...loaded, idempotentReply: undefined }
  })
  const once = await startTestSimulator({}, dataDir => forgetsAKeyOnce(dataDir, { count: 0 }))
  try {
    expect(await exploreAt(once, {})).toMatchObject({
      code: 5,
      out: expect.stringMatching(
        /^Violation of .*: 0 of 10 replays.* Stopped early: what it found shows in no replay\.\n$/s,
      ),
    })
  } finally {
    await once.stop()
  }
})

/** Target without control, whose payments an exploration has to cancel itself. */
const withoutControl = (): string[] => {
  const { control: _control, secondOrganization: _second, ...lines } = parse(readFileSync(SIMULATOR_PROFILE, 'utf8'))
  const profile = join(temporaryFolder(), 'profile.yaml')
  writeFileSync(profile, stringify(lines))
  return ['--profile', profile, '--base-url', simulator.apiUrl, '--kit', simulator.kitFolder]
}

const linesOf = (ledger: string): string[] =>
  existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').filter(Boolean) : []

test('an exploration that was killed has left what cleanup needs, and the folder is kept until then', async () => {
  const report = join(temporaryFolder(), 'killed')
  const explore = ['explore', ...withoutControl(), '--report', report]
  const { child, told } = startCertifyProcess(...explore, '--calls', '100000')
  const isBegun = (lines: string[]) => lines.some(line => line.includes('"initiate"'))
  await pollUntil(() => linesOf(join(report, REPORT_FILES.ledger)), isBegun)
  child.kill('SIGKILL')
  await told
  appendFileSync(join(report, REPORT_FILES.ledger), 'unreadable\n')
  const refused = await runCertifyInProcess(...explore, '--calls', '1')
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(`run assay certify cleanup ${report} first`)])
  const { out } = await runCertifyInProcess('cleanup', report)
  expect(out).toMatch(/^\d+ writes, [1-9]\d* payments/)
})

test('an exploration goes on in the ledger of the run to whose report it is added, and removes only what is its own', async () => {
  const report = join(temporaryFolder(), 'added')
  const target = withoutControl()
  await runCertifyInProcess('run', ...target, '--only', 'VAL-01', '--report', report)
  const ledger = join(report, REPORT_FILES.ledger)
  const before = linesOf(ledger)
  const { code, err } = await runCertifyInProcess('explore', ...target, '--report', report, '--calls', '20')
  expect([code, err]).toEqual([0, ''])
  const after = linesOf(ledger)
  expect(before.length).toBeGreaterThan(0)
  expect(after.slice(0, before.length)).toEqual(before)
  const numbers = after.map(line => (JSON.parse(line) as { line?: number }).line).filter(line => line !== undefined)
  expect(numbers.length).toBeGreaterThan(before.length)
  expect(new Set(numbers).size).toBe(numbers.length)
})
