import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPORT_FILES } from '../../contracts/harness/report/report-folder.ts'
import { targetOptions } from '../conformance/run-certify-child-process.ts'
import { runCertifyInProcess } from '../conformance/run-certify-in-process.ts'
import { SIMULATOR_PROFILE } from '../conformance/run-suites.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { pollUntil } from '../support/poll-until.ts'
import { spawnGroup } from '../support/process-group.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const OLD_NODE = `Object.defineProperty(process.versions, 'node', { value: '20.1.0' })`

/** Starts a subcommand by a Node that is too old, which launches the one of the clone. */
const launch = (...argv: string[]) =>
  spawnGroup(process.execPath, [
    '--import',
    `data:text/javascript,${encodeURIComponent(OLD_NODE)}`,
    'bin/assay.js',
    ...argv,
  ])

const onLinux = test.runIf(process.platform === 'linux')

onLinux('a sandbox that an older Node has launched ends with it, however that ends', async () => {
  const { child, said } = launch('serve', '--data-dir', temporaryFolder(), '--api-port', '0', '--pages-port', '0')
  await pollUntil(
    () => said.stdout,
    text => text.includes('Kit '),
  )
  child.kill('SIGKILL')
  await once(child, 'close') // also of the output of what it launched
  expect(said.stdout).toContain('SIGTERM: finishing the calls under way')
})

onLinux('7: a run that an older Node has launched cleans up and reports when that is killed', async () => {
  const [simulator, report] = [await startTestSimulator(), temporaryFolder()]
  try {
    const { child } = launch(
      ...['certify', 'run', '--profile', SIMULATOR_PROFILE, ...targetOptions(simulator), '--report', report],
    )
    const ledger = join(report, REPORT_FILES.ledger)
    await pollUntil(
      () => (existsSync(ledger) ? readFileSync(ledger, 'utf8') : ''),
      text => text.includes('"initiate"'),
    )
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(JSON.parse(readFileSync(join(report, REPORT_FILES.report), 'utf8'))).toMatchObject({
      stopped: { reason: 'stopped by SIGTERM' },
    })
    expect(await runCertifyInProcess('cleanup', report)).toMatchObject({ code: 0, err: '' })
  } finally {
    await simulator.stop()
  }
})
