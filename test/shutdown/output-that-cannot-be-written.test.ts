import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../architecture/read-source-files.ts'
import { pollUntil } from '../support/poll-until.ts'
import { serveOptionsFor, spawnServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Runs the command with both outputs on a disk that is always full. */
const ON_FULL_DISK = ['sh', '-c', 'exec "$0" "$@" >/dev/full 2>/dev/full']

/** More lines than the logger holds before it writes. */
const MANY = 150

test.each([{ options: [] }, { options: ['--log', 'json'] }])(
  'with $options a sandbox serves on where its output cannot be written, and ends as told',
  async ({ options }) => {
    const dataDir = temporaryFolder()
    const argv = [...(await serveOptionsFor(dataDir)), ...options]
    const { child, ended } = spawnServe(argv, { ASSAY_NONSENSE: 'a note' }, ON_FULL_DISK)
    const file = join(dataDir, 'health-url')
    await pollUntil(() => existsSync(file) || child.exitCode !== null, Boolean)
    expect(child.exitCode).toBeNull()
    const { origin } = new URL(readFileSync(file, 'utf8'))
    for (let made = 0; made < MANY; made += 1) {
      const { status } = await fetch(`${origin}/control/organizations/demo-merchant/blik/codes`, {
        method: 'POST',
        body: '{}',
      })
      expect(status).toBe(201)
    }
    expect((await fetch(`${origin}/health`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  },
)

const on = (redirection: string, words: string) =>
  spawnSync('sh', ['-c', `exec "$0" bin/assay.js ${words} ${redirection}`, process.execPath], {
    cwd: ROOT,
    encoding: 'utf8',
  })

test.each([
  '--version',
  'scenarios --list',
  'certify list',
  'certify --help',
  'dialect --help',
  'drill --help',
  'lab --help',
])('assay %s ends with code 2 and one sentence where its output cannot be written', words => {
  const { status, stderr } = on('>/dev/full', words)
  const sentence = 'The output cannot be written (ENOSPC): make room for it, or send it elsewhere.\n'
  expect({ status, stderr }).toEqual({ status: 2, stderr: sentence })
})

test('the exit code stays that of the command where its own is none of success, or only its errors cannot be written', () => {
  expect(on('</dev/null >/dev/full 2>/dev/full', 'lab --base nowhere').status).toBe(2)
  expect(on('2>/dev/full', 'health --pages-port 9').status).toBe(1)
  expect(on('2>/dev/full', 'nonsense').status).toBe(2)
})
