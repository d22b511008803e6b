import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readKit } from '../../contracts/client/credentials.ts'
import { healthUrlFile } from '../../contracts/client/sandbox-address.ts'
import { createStopSignal, stopOnProcessSignals } from '../../contracts/harness/run/stop-signal.ts'
import { pollUntil } from '../support/poll-until.ts'
import { signalGroup, spawnGroup } from '../support/process-group.ts'
import { serveOptionsFor } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { irisRequestOf, merchantWith } from '../support/test-scoped-simulator.ts'

const LAUNCHER = [process.execPath, 'bin/run.js', 'bin/assay.js', 'serve'] as const
const NPM = ['npm', 'start', '--'] as const

test.each([
  ['SIGTERM', 'a launcher', LAUNCHER, 0],
  ['SIGINT', 'a launcher', LAUNCHER, 0],
  ['SIGTERM', 'npm start', NPM, undefined],
  ['SIGINT', 'npm start', NPM, undefined],
] as const)(
  '%s to the group of %s counts once: the call in progress is answered, and the store is closed',
  { timeout: 120_000 },
  async (signal, _, [command, ...argv], code) => {
    const folder = temporaryFolder()
    const { child, said } = spawnGroup(command, [...argv, ...(await serveOptionsFor(folder))])
    const ended = once(child, 'exit')
    const started = await pollUntil(
      () => said.stdout,
      text => /Kit .*\n/.test(text),
    )
    const line = (name: string) => new RegExp(`^ +${name} +(.*)$`, 'm').exec(started)?.[1] ?? ''
    const merchant = merchantWith(readKit(line('Kit')))
    await merchant.initiate(irisRequestOf(merchant))
    const faults = `${line('Pages')}/control/organizations/demo-merchant/faults`
    await fetch(faults, { method: 'POST', body: '{"operation":"initiate","kind":"slow","after":"PT2S"}' })
    const slow = merchant.initiate(irisRequestOf(merchant))
    await pollUntil(
      async () => (await fetch(faults)).text(),
      text => !text.includes('slow'),
    )

    signalGroup(child, signal)
    expect(await slow).toMatchObject({ ok: true })
    await pollUntil(
      () => existsSync(healthUrlFile(folder)),
      exists => !exists,
    )
    expect(existsSync(join(folder, 'assay.db-wal'))).toBe(false)
    const [exitCode] = await ended
    if (code !== undefined) expect(exitCode).toBe(code)
  },
)

test.each([
  ['is stopped', undefined, 'stopped by SIGTERM'],
  ['that a limit has stopped goes on to its clean-up', 'budgets.seconds is spent', 'budgets.seconds is spent'],
])('at the first signal a run %s, and one that comes half a second later ends it at once', (_what, limit, reason) => {
  vi.useFakeTimers()
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  const stop = createStopSignal()
  if (limit) stop.stop({ reason: limit })
  const ofOtherTests = process.listeners('SIGTERM') // in the same process, some for half a second after their end
  process.removeAllListeners('SIGTERM')
  const end = stopOnProcessSignals(stop)
  process.emit('SIGTERM', 'SIGTERM')
  process.emit('SIGTERM', 'SIGTERM')
  expect([stop.cause?.reason, exit.mock.calls]).toEqual([reason, []])
  vi.advanceTimersByTime(500)
  process.emit('SIGTERM', 'SIGTERM')
  expect(exit.mock.calls).toEqual([[143]])
  end()
  expect(process.listenerCount('SIGTERM')).toBe(1)
  vi.advanceTimersByTime(500)
  expect(process.listenerCount('SIGTERM')).toBe(0)
  for (const listener of ofOtherTests) process.on('SIGTERM', listener)
  vi.useRealTimers()
  exit.mockRestore()
})
