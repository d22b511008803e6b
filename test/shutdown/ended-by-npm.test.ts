import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../architecture/read-source-files.ts'
import { pollUntil } from '../support/poll-until.ts'
import { spawnGroup } from '../support/process-group.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const OPTIONS = () => ['--data-dir', temporaryFolder(), '--api-port', '0', '--pages-port', '0']

/** Makes a merchant's package with Assay and these scripts; returns the words by which npm runs one of them there. */
const inPackage = (scripts: Readonly<Record<string, string>>): string[] => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(join(ROOT, 'bin/assay.js'), join(folder, 'node_modules/.bin/assay'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', version: '1.0.0', scripts }))
  return ['--prefix', folder]
}

const pagesIn = (text: string): string => /Pages +(\S+)/.exec(text)?.[1] ?? ''

const isServed = (pages: string) =>
  fetch(`${pages}/health`).then(
    () => true,
    () => false,
  )

test.each<[string, () => string[]]>([
  ['npm start', () => ['start', '--', ...OPTIONS()]],
  ['npx', () => ['exec', '--no', '--', 'assay', 'serve', ...OPTIONS()]],
  ['npm run', () => [...inPackage({ sandbox: 'NO_COLOR=1 assay serve' }), 'run', 'sandbox', '--', ...OPTIONS()]],
  ['npm test', () => [...inPackage({ test: `assay serve ${OPTIONS().join(' ')}` }), 'test']],
])('SIGTERM to %s ends the sandbox, which npm itself leaves behind', { timeout: 120_000 }, async (_, command) => {
  const { child: npm, said } = spawnGroup('npm', command())
  await pollUntil(
    () => said.stdout,
    text => text.includes('Kit '),
  )
  npm.kill('SIGTERM')
  await pollUntil(
    () => said.stdout,
    text => text.includes('SIGTERM: finishing the calls under way'),
  )
  await pollUntil(
    () => isServed(pagesIn(said.stdout)),
    served => !served,
  )
})

test('a sandbox that a script of npm puts into the background outlives the script', { timeout: 120_000 }, async () => {
  const log = join(temporaryFolder(), 'log')
  const up = `assay serve ${OPTIONS().join(' ')} >${log} & until grep -q Kit ${log}; do sleep 0.1; done; cat ${log}`
  const { child: npm, said } = spawnGroup('npm', [...inPackage({ up }), 'run', '--silent', 'up'])
  await once(npm, 'close')
  const pages = pagesIn(said.stdout)
  await fetch(`${pages}/control/organizations/demo-merchant/inbox/wait?type=PAYMENT_INITIATE&atMost=PT1S`)
  expect(await isServed(pages)).toBe(true)
})
