import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
let simulator: Awaited<ReturnType<typeof startTestSimulator>>

beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

/** The only programs on the PATH of the script: those it names as needed, and those of any Unix. */
const TOOLS = ['bash', 'curl', 'openssl', 'jq', 'cat', 'date', 'wc'] as const

test('5: a script with curl and openssl gets a token and pays with BLIK', async () => {
  const PATH = temporaryFolder()
  for (const tool of TOOLS) symlinkSync((await run('which', [tool])).stdout.trim(), join(PATH, tool))
  const script = 'examples/first-payment.sh'
  expect(readFileSync(script, 'utf8')).not.toContain('/proc/')
  const { stdout } = await run(join(PATH, 'bash'), [script, simulator.kitFolder], { env: { ...process.env, PATH } })
  expect(stdout).toContain('PENDING: Awaiting user consent')
  expect(stdout).toContain('Finalized: APPROVED, Captured.')
  expect(stdout).toContain('Now it is SETTLED.')
})

test('5: the TypeScript example of the README pays with the client', async () => {
  const { stdout } = await run(process.execPath, ['examples/first-payment.ts', simulator.kitFolder])
  expect(stdout).toContain("state: 'SETTLED'")
})

// biome-ignore format: a table reads by its columns
const OTHER_LANGUAGES = [
  ['Python', 'python3', ['-c', 'import cryptography'], 'examples/first_payment.py'],
  ['Java',   'java',    ['-version'],                  'examples/FirstPayment.java'],
] as const

const works = (command: string, probe: readonly string[]) => spawnSync(command, [...probe]).status === 0

for (const [language, command, probe, program] of OTHER_LANGUAGES)
  test.skipIf(!works(command, probe))(`5: a ${language} program pays without any code of this project`, async () => {
    const { stdout } = await run(command, [program, simulator.kitFolder])
    expect(stdout).toMatch(/PENDING: Awaiting user consent[\s\S]*Finalized: APPROVED, Captured\.\nNow it is SETTLED\./)
  })
