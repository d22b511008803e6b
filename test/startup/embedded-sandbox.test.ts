import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type SimulatorOptions, startSimulator } from '../../simulator/index.ts'
import { StartError } from '../../simulator/support/start-error.ts'
import { ROOT } from '../architecture/read-source-files.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Runs a program that embeds a sandbox; returns how it ended and what it left in its folder for temporary files. */
const runProgram = (program: string) => {
  const folder = temporaryFolder()
  const source = `import { startSimulator } from ${JSON.stringify(join(ROOT, 'simulator/index.ts'))}\n${program}`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', source], {
    env: { ...process.env, TMPDIR: folder },
    encoding: 'utf8',
  })
  return { status, stderr, left: readdirSync(folder).filter(name => name.startsWith('assay-')) }
}

describe('the temporary data folder of an embedded sandbox', () => {
  test.each([
    ['ends', 'process.exit(3)', 3],
    ['throws', "throw new Error('on purpose')", 1],
  ])('is removed where the program %s without closing it', (_how, end, code) => {
    const { status, stderr, left } = runProgram(`await startSimulator()\nawait startSimulator()\n${end}\n`)
    expect({ status, left }, stderr).toEqual({ status: code, left: [] })
  })

  test('needs one listener for all sandboxes, and none once they are closed', async () => {
    const before = process.listenerCount('exit')
    const [one, other] = await Promise.all([startSimulator(), startSimulator()])
    expect(process.listenerCount('exit')).toBe(before + 1)
    await one.close()
    expect(process.listenerCount('exit')).toBe(before + 1)
    await other.close()
    await expect(startSimulator({ webhookCa: 'nowhere.pem' })).rejects.toThrow(StartError)
    expect(process.listenerCount('exit')).toBe(before)
  })
})

describe('an embedded sandbox does not start', () => {
  test.each([{ layers: ['foo'] }, { apiPort: 99_999 }, { 'tls-min': '1.3' }])('with %o', async options => {
    const started = startSimulator(options as SimulatorOptions)
    await expect(started).rejects.toThrow(StartError)
    await expect(started).rejects.toThrow(/layers|apiPort|tlsMin/)
  })

  test('on a Node that is too old, and says which one it needs', () => {
    const { status, stderr } = runProgram(`
      Object.defineProperty(process.versions, 'node', { value: '20.1.0' })
      await startSimulator()
      process.exit(0)
    `)
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/Error: Assay needs Node 22\.\d+ or later and this is v[\d.]+: /),
    })
  })
})
