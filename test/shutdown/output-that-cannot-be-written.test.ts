import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
