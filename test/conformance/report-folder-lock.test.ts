import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { main } from '../../contracts/certify-command.ts'
import { REPORT_FILES } from '../../contracts/harness/report/report-folder.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { pollUntil } from '../support/poll-until.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startCertifyProcess, targetOptions } from './run-certify-child-process.ts'
import { runCertifyInProcess } from './run-certify-in-process.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

const target = () => ['--profile', SIMULATOR_PROFILE, ...targetOptions(simulator)]
const runInto = (report: string) => runCertifyInProcess('run', ...target(), '--only', 'TOK-02', '--report', report)

/** Starts a run into a folder as a process, and waits until it writes there. */
const startRun = async (report: string) => {
  const run = startCertifyProcess('run', ...target(), '--report', report)
  const ledger = join(report, REPORT_FILES.ledger)
  await pollUntil(
    () => (existsSync(ledger) ? readFileSync(ledger, 'utf8') : ''),
    text => text.includes('"initiate"'),
  )
  return run
}

test('while a command works in a report folder every other that would write there is refused, until it is killed', async () => {
  const [folder, other] = [temporaryFolder(), temporaryFolder()]
  await runInto(other)
  const { child, told } = await startRun(folder)
  try {
    for (const argv of [
      ['run', ...target(), '--only', 'TOK-02', '--report', folder],
      ['resume', folder],
      ['cleanup', folder],
      ['regrade', other, '--report', folder],
      ['explore', ...target(), '--calls', '5', '--report', folder],
    ])
      expect([argv[0], await runCertifyInProcess(...argv)]).toEqual([
        argv[0],
        {
          code: 7,
          out: '',
          err: `Another command of assay works in ${folder}, and two would spoil its files: wait until it has ended, or stop it.\n`,
        },
      ])
    expect(await runCertifyInProcess('cleanup', folder, '--dry-run')).toMatchObject({ code: 0, err: '' })
    expect(child.exitCode).toBe(null)
  } finally {
    child.kill('SIGKILL')
    await told
  }
  expect(await runCertifyInProcess('cleanup', folder)).toMatchObject({ code: 0, err: '' })
  expect(await runInto(folder)).toMatchObject({ code: 0, err: '' })
  expect(readdirSync(folder).sort()).toEqual(Object.values(REPORT_FILES).sort())
})

test('of runs that begin in a report folder at the same time one works there, and the others are refused', async () => {
  const folder = join(temporaryFolder(), 'new')
  const written = (['stdout', 'stderr'] as const).map(name => vi.spyOn(process[name], 'write').mockReturnValue(true))
  const run = () => main(['run', ...target(), '--only', 'TOK-02', '--report', folder])
  const codes = await Promise.all([run(), run(), run(), run()])
  for (const spy of written) spy.mockRestore()
  expect(codes.sort()).toEqual([0, 7, 7, 7])
  expect((await runCertifyInProcess('verify', folder)).code).toBe(0)
})
