import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pollUntil } from '../support/poll-until.ts'
import { startServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Prints each option of V8 that the process sets. */
const PRINTING = `import v8 from 'node:v8'
const set = v8.setFlagsFromString
v8.setFlagsFromString = option => {
  set(option)
  console.log('V8 ' + option)
}
`

test('a sandbox sets options of V8 that bound its memory, those that slow its start not before it is ready', async () => {
  const file = join(temporaryFolder(), 'printing.mjs')
  writeFileSync(file, PRINTING)
  const { said } = await startServe(temporaryFolder(), [], { NODE_OPTIONS: `--import=${file}` })
  await pollUntil(
    () => said.stdout,
    text => text.includes('V8 --invocation'),
  )
  expect(said.stdout).toMatch(
    /^V8 --no-allocation-site-pretenuring\nAssay is ready.*Kit .*\nV8 --heap-growing-percent=40\nV8 --no-maglev\nV8 --invocation\S+\n$/s,
  )
})
