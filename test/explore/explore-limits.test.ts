import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { mutateLoaded } from '../conformance/mutants/simulator-mutations.ts'
import { runCertifyInProcess } from '../conformance/run-certify-in-process.ts'
import { SIMULATOR_PROFILE } from '../conformance/run-suites.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let simulator: TestSimulator
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

/** Explores the simulator by its profile with other lines. */
const exploreWith = (lines: object, ...argv: string[]) => exploreAt(simulator, lines, ...argv)

const exploreAt = ({ apiUrl, kitFolder, pagesUrl }: TestSimulator, lines: object, ...argv: string[]) => {
  const profile = join(temporaryFolder(), 'profile.yaml')
  writeFileSync(profile, stringify({ ...(parse(readFileSync(SIMULATOR_PROFILE, 'utf8')) as object), ...lines }))
  const target = ['--profile', profile, '--base-url', apiUrl, '--kit', kitFolder, '--control', pagesUrl]
  return runCertifyInProcess('explore', ...target, ...argv)
}

test.each([
  ['payments', 5],
  ['amount', 4000],
  ['seconds', 2],
])('an exploration ends when budgets.%s of the profile is spent', async (name, most) => {
  const { code, out } = await exploreWith({ budgets: { [name]: most } }, '--calls', '100000')
  expect([code, out]).toEqual([
    5,
    expect.stringMatching(
      new RegExp(`no violation\\. Stopped early: budgets\\.${name} of .* is spent: ${most}\\.\\n$`),
    ),
  ])
})

test('no random call is made against production', async () => {
  const target = { baseUrl: 'https://localhost:1', environment: 'production' }
  const { code, err } = await exploreWith({ target })
  expect([code, err]).toEqual([
    7,
    expect.stringContaining('is production, where no random call is made: name a sandbox.'),
  ])
})

test('--until-covered names what was not visited', async () => {
  const { code, out } = await exploreWith({}, '--until-covered', '--calls', '20')
  expect([code, out]).toEqual([5, expect.stringMatching(/no violation\.\nNot visited: \w+.* → .* by /)])
})

test('what no replay shows again fails nothing: the exploration is incomplete', async () => {
  const forgetsAKeyOnce = mutateLoaded((loaded, hits) => {
    if (!loaded.idempotentReply || hits.count > 0) return loaded
    hits.count += 1
    return { ...loaded, idempotentReply: undefined }
  })
  const once = await startTestSimulator({}, dataDir => forgetsAKeyOnce(dataDir, { count: 0 }))
  try {
    expect(await exploreAt(once, {})).toMatchObject({
      code: 5,
      out: expect.stringMatching(
        /^Violation of .*: 0 of 10 replays.* Stopped early: what it found shows in no replay\.\n$/s,
      ),
    })
  } finally {
    await once.stop()
  }
})
