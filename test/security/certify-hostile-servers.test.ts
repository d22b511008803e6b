import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHECK_REGISTRY } from '../../contracts/commands/chosen-profile-and-checks.ts'
import { judgeDeployment } from '../../contracts/commands/judge-deployment.ts'
import { probeDeployment } from '../../contracts/commands/run-scout-probes.ts'
import { writeCertifiedReport } from '../../contracts/commands/write-certified-report.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { REPORT_FILES } from '../../contracts/harness/report/report-folder.ts'
import { readReportSigningKey } from '../../contracts/harness/report/report-signing-keys.ts'
import { UnreachableError } from '../../contracts/harness/run/command-errors.ts'
import { startCertifyProcess } from '../conformance/run-certify-child-process.ts'
import { SIMULATOR_PROFILE, simulatorProfileAt } from '../conformance/run-suites.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { pollUntil } from '../support/poll-until.ts'
import { MISBEHAVIOURS, startHostileServer, startSilencedServer } from './hostile-server.ts'

const LIMIT = 120_000
/** What a run may take; beyond it come the calls under way and the report. */
const BUDGET_SECONDS = 3
/** Bytes beyond which the files of a report of nothing but refusals are out of bounds. */
const MOST_BYTES = 40_000_000

const root = mkdtempSync(join(tmpdir(), 'assay-hostile-'))
const newFolder = (): string => mkdtempSync(join(root, 'run-'))
let simulator: TestSimulator
let good: Profile

beforeAll(async () => {
  simulator = await startTestSimulator()
  good = simulatorProfileAt(simulator)
})

afterAll(async () => {
  rmSync(root, { recursive: true })
  await simulator.stop()
})

const kitFor = (ca: string): string => {
  const kit = join(newFolder(), 'kit.json')
  writeFileSync(kit, JSON.stringify({ ...simulator.kit, ca }))
  return kit
}

const targetAt = (baseUrl: string, ca: string) => ({
  profile: {
    ...good,
    target: { ...good.target, baseUrl },
    organization: { kit: kitFor(ca) },
    budgets: { seconds: BUDGET_SECONDS, callSeconds: BUDGET_SECONDS }, // so many at once share a process, which may stall
  },
  tier: 3 as const,
  only: [],
  chosen: new Set(CHECK_REGISTRY.keys()),
})

const FROM_THE_FIRST_CALL_ON = ['drips for ever', 'never answers', 'says two lengths', 'switches protocols']

test.concurrent.each([
  ...Object.entries(MISBEHAVIOURS).map(([what, misbehave]) => [what, misbehave, true] as const),
  ...FROM_THE_FIRST_CALL_ON.map(what => [`${what} from the first call on`, MISBEHAVIOURS[what], false] as const),
])(
  'of a deployment that %s there are verdicts and a report within the budget',
  async (_what, misbehave, isNiceFirst) => {
    const hostile = await startHostileServer(misbehave, isNiceFirst)
    const folder = newFolder()
    const target = targetAt(hostile.url, hostile.ca)
    const startedAt = performance.now()
    const run = await judgeDeployment(target)
    await writeCertifiedReport(folder, run, target, readReportSigningKey(undefined))
    const seconds = (performance.now() - startedAt) / 1000
    await hostile.stop()
    const { counts, chosen, exitCode } = run.report.summary
    expect(seconds).toBeLessThan(BUDGET_SECONDS + 30)
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(chosen)
    expect([chosen, counts['harness error']]).toEqual([CHECK_REGISTRY.size, 0])
    expect([1, 3, 5]).toContain(exitCode)
    for (const name of [REPORT_FILES.report, REPORT_FILES.transcript, REPORT_FILES.page, REPORT_FILES.junit])
      expect(statSync(join(folder, name)).size, name).toBeLessThan(MOST_BYTES)
  },
  LIMIT,
)

test.concurrent.each([
  'names 20,000 secrets',
  'answers with 4 MiB',
  'nests its JSON 30,000 deep',
  'stops at the nth byte of its nth answer',
])(
  'of a deployment that %s scout learns within the budget that lines are open',
  async what => {
    const hostile = await startHostileServer(MISBEHAVIOURS[what])
    const { open } = await probeDeployment({ ...targetAt(hostile.url, hostile.ca), tier: 1 })
    await hostile.stop()
    expect(open.length).toBeGreaterThan(0)
  },
  LIMIT,
)

test.concurrent.each([0, 1, 4, 100, 700])(
  'a deployment that falls silent after %i bytes of its handshake is unreachable',
  async bytes => {
    const hostile = await startHostileServer(undefined)
    const silenced = await startSilencedServer(Number(new URL(hostile.url).port), bytes)
    const target = targetAt(`https://localhost:${silenced.port}`, hostile.ca)
    await expect(judgeDeployment(target)).rejects.toThrow(UnreachableError)
    silenced.stop()
    await hostile.stop()
  },
  LIMIT,
)

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends a run against a deployment that names 20,000 secrets, and its report is kept',
  async signal => {
    const hostile = await startHostileServer(MISBEHAVIOURS['names 20,000 secrets'])
    const folder = join(newFolder(), 'report')
    mkdirSync(folder)
    const address = ['--base-url', hostile.url, '--kit', kitFor(hostile.ca), '--control', simulator.pagesUrl]
    const { child, told } = startCertifyProcess('run', '--profile', SIMULATOR_PROFILE, ...address, '--report', folder)
    await pollUntil(
      () => hostile.told.calls,
      calls => calls > 5,
    )
    child.kill(signal)
    const { code, out } = await told
    await hostile.stop()
    expect([1, 5]).toContain(code)
    expect(out).toContain(`The run was stopped early: stopped by ${signal}\n`)
    const report = JSON.parse(readFileSync(join(folder, REPORT_FILES.report), 'utf8'))
    expect(report.checks).toHaveLength(CHECK_REGISTRY.size)
  },
  LIMIT,
)
