import { test } from 'vitest'
import { pollUntil } from '../support/poll-until.ts'
import { spawnGroup } from '../support/process-group.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test.each([
  ['npm start', ['start', '--']],
  ['npx', ['exec', '--no', '--', 'assay', 'serve']],
])('SIGTERM to %s ends the sandbox, which npm itself leaves behind', { timeout: 120_000 }, async (_, command) => {
  const options = ['--data-dir', temporaryFolder(), '--api-port', '0', '--pages-port', '0']
  const { child: npm, said } = spawnGroup('npm', [...command, ...options])
  await pollUntil(
    () => said.stdout,
    text => text.includes('Kit '),
  )
  npm.kill('SIGTERM')
  await pollUntil(
    () => said.stdout,
    text => text.includes('SIGTERM: finishing the calls under way'),
  )
  const pages = /Pages +(\S+)/.exec(said.stdout)?.[1] ?? ''
  const isServed = () =>
    fetch(`${pages}/health`).then(
      () => true,
      () => false,
    )
  await pollUntil(isServed, served => !served)
})
