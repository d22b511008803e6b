import { beforeAll, expect, test } from 'vitest'
import { type Measured, measure } from '../../contracts/commands/measure.ts'
import { REGISTRY } from '../../contracts/commands/target.ts'
import type { Profile } from '../../contracts/harness/profile.ts'
import { choose } from '../../contracts/harness/registry.ts'
import { rejudge } from '../../contracts/harness/rejudge.ts'
import { JOURNEYS } from '../../contracts/suites/all.ts'
import { startTestSimulator } from '../support/simulator.ts'
import { profileOf } from './certify.ts'

let profile: Profile
let live: Measured
const chosen = choose(REGISTRY, [])
const tier = 3

beforeAll(async () => {
  const simulator = await startTestSimulator()
  profile = profileOf(simulator)
  live = await measure({ profile, tier, only: [], chosen })
  await simulator.stop()
}, 120_000)

/** The transcript as somebody else reads it, long after the service is gone. */
const asRead = () => JSON.parse(JSON.stringify(live.transcript)) as Measured['transcript']
const again = (changed: Partial<Profile> = {}) =>
  rejudge({ journeys: JOURNEYS, profile: { ...profile, ...changed }, tier, chosen, transcript: asRead() })

/** Whose evidence is a secret, which nobody is to read in a transcript. */
const SECRET_EVIDENCE = ['EVT-03', 'RSP-07']

test('every verdict of a full run is found again in its transcript, but where a secret was judged', async () => {
  const found = new Map((await again()).map(({ id, verdict }) => [id, verdict]))
  expect(live.report.checks).toHaveLength(REGISTRY.size)
  const others = live.report.checks.filter(({ id, verdict }) => found.get(id) !== verdict).map(({ id }) => id)
  expect(others.sort()).toEqual(SECRET_EVIDENCE)
})

test('a failure is told with the same words', async () => {
  const changed = asRead()
  const refusals = changed.exchanges.filter(({ answer }) => answer?.status === 409)
  expect(refusals.length).toBeGreaterThan(0)
  for (const { answer } of refusals) Object.assign(answer ?? {}, { status: 400 })
  const results = await rejudge({ journeys: JOURNEYS, profile, tier, chosen, transcript: changed })
  expect(results.find(({ id }) => id === 'IDM-15')).toMatchObject({
    verdict: 'fail',
    expected: 'a refusal with 409',
    got: 'HTTP 400 with reasonCode 3002',
  })
})

test('a profile that asks for what the run never did leaves it untestable', async () => {
  const narrow = { ...asRead(), journeys: asRead().journeys.filter(({ name }) => name !== 'broken signatures') }
  const results = await rejudge({ journeys: JOURNEYS, profile, tier, chosen, transcript: narrow })
  expect(results.find(({ id }) => id === 'SIG-05')).toMatchObject({
    verdict: 'untestable',
    reason: expect.stringContaining('run it again'),
  })
  expect(results.find(({ id }) => id === 'SIG-01')).toMatchObject({ verdict: 'pass' })
})

test('decisions that are no longer confirmed count at once', async () => {
  const changed = asRead()
  for (const { request, answer } of changed.exchanges)
    if (answer?.status === 404 && /status$/.test(request.url))
      answer.body = answer.body?.replaceAll('"4001"', '"4009"') ?? ''
  const verdictOf = async (confirmed: Profile['confirmed'] & {}) =>
    (await rejudge({ journeys: JOURNEYS, profile: { ...profile, confirmed }, tier, chosen, transcript: changed })).find(
      ({ id }) => id === 'RDS-03',
    )?.verdict
  expect([await verdictOf('all'), await verdictOf([])]).toEqual(['fail', 'differs'])
})
