import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { runCertifyInProcess } from '../conformance/run-certify-in-process.ts'
import { SIMULATOR_PROFILE } from '../conformance/run-suites.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ordinaryFile = (): string => {
  const file = join(temporaryFolder(), 'ordinary')
  writeFileSync(file, 'kept')
  return file
}

test('--report of an exploration that names an ordinary file is refused before any payment, with or without control', async () => {
  const simulator = await startTestSimulator()
  const { control, secondOrganization, ...lines } = parse(readFileSync(SIMULATOR_PROFILE, 'utf8'))
  try {
    for (const more of [{ control: { url: simulator.pagesUrl }, secondOrganization }, {}]) {
      const profile = join(temporaryFolder(), 'profile.yaml')
      writeFileSync(profile, stringify({ ...lines, ...more }))
      const file = ordinaryFile()
      const target = ['--profile', profile, '--base-url', simulator.apiUrl, '--kit', simulator.kitFolder]
      const { code, out, err } = await runCertifyInProcess('explore', ...target, '--report', file, '--calls', '5')
      expect([code, out, err]).toEqual([
        2,
        '',
        expect.stringMatching(/ordinary cannot be written \(E\w+\): name a folder that can be written to\.\n$/),
      ])
      expect(readFileSync(file, 'utf8')).toBe('kept')
    }
  } finally {
    await simulator.stop()
  }
})

test.each(['resume', 'show', 'verify', 'regrade', 'cleanup'])(
  '%s of an ordinary file says what to name',
  async command => {
    const { code, err } = await runCertifyInProcess(command, ordinaryFile())
    expect([code, err]).toEqual([2, expect.stringMatching(/^\S.*: name .*\.\n$/)])
  },
)
