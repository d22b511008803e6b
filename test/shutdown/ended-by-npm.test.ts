import { spawn } from 'node:child_process'
import { onTestFinished, test } from 'vitest'
import { ROOT } from '../architecture/read-source-files.ts'
import { pollUntil } from '../support/poll-until.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test.each([
  ['npm start', ['start', '--']],
  ['npx', ['exec', '--no', '--', 'assay', 'serve']],
])('SIGTERM to %s ends the sandbox, which npm itself leaves behind', { timeout: 120_000 }, async (_, command) => {
  const options = ['--data-dir', temporaryFolder(), '--api-port', '0', '--pages-port', '0']
  const npm = spawn('npm', [...command, ...options], { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => killGroup(npm.pid))
  let said = ''
  npm.stdout.setEncoding('utf8').on('data', text => {
    said += text
  })
  await pollUntil(
    () => said,
    text => text.includes('Kit '),
  )
  npm.kill('SIGTERM')
  await pollUntil(
    () => said,
    text => text.includes('SIGTERM: finishing the calls under way'),
  )
  const pages = /Pages +(\S+)/.exec(said)?.[1] ?? ''
  const isServed = () =>
    fetch(`${pages}/health`).then(
      () => true,
      () => false,
    )
  await pollUntil(isServed, served => !served)
})

/** Kills what npm started, too. */
const killGroup = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All have ended.
  }
}
