import { beforeAll, expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/exchange.ts'
import { type Measured, measure } from '../../contracts/commands/measure.ts'
import { REGISTRY } from '../../contracts/commands/target.ts'
import type { Check } from '../../contracts/harness/check.ts'
import type { Profile } from '../../contracts/harness/profile.ts'
import { choose } from '../../contracts/harness/registry.ts'
import { rejudge } from '../../contracts/harness/rejudge.ts'
import { Blocked, Inconclusive, Open } from '../../contracts/harness/signals.ts'
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

/** What kept one answer away; neither is a judgment on the call. */
const LOSSES: Pick<Exchange, 'answer' | 'fault'>[] = [
  { fault: { code: 'TIMEOUT', message: 'no complete answer came in time' } },
  {
    answer: { status: 429, headers: { 'retry-after': '1' }, body: Buffer.from('{"statusInfo":{"reasonCode":"3000"}}') },
  },
]

/** Whose very finding it is that nothing came, or that a 429 did. */
const FINDINGS = ['EVT-05', 'IDM-39', 'LIM-04']

const wronged: string[] = []
let losses = 0

/** Judges as ever, and then once more for each exchange that was looked at, with that one lost. */
const losing = (check: Check<never>): Check<never> => ({
  ...check,
  judge: async (evidence, expect) => {
    const looked = new Map<string, Exchange>()
    const of = (step: string): Exchange => {
      const exchange = evidence.of(step as never)
      looked.set(step, exchange)
      return exchange
    }
    await check.judge({ ...evidence, of }, expect)
    for (const [step, exchange] of looked)
      for (const loss of LOSSES) {
        const lost: Exchange = { request: exchange.request, durationMs: 1, ...loss }
        const without = {
          transcript: evidence.transcript.map(it => (it === exchange ? lost : it)),
          of: (name: string) => (name === step ? lost : evidence.of(name as never)),
        }
        losses += 1
        try {
          await check.judge(without, expect)
        } catch (error) {
          const told = `${check.id} without ${step}: ${error}`
          if (![Inconclusive, Open, Blocked].some(signal => error instanceof signal)) wronged.push(told)
        }
      }
  },
})

test('rule 5: whichever single answer is lost, no check condemns anybody for it', async () => {
  const judging = ({ id, observes }: Check) => !observes && !FINDINGS.includes(id)
  const journeys = JOURNEYS.map(journey => ({ ...journey, checks: journey.checks.filter(judging).map(losing) }))
  await rejudge({ journeys, profile, tier, chosen, transcript: asRead() })
  expect(wronged).toEqual([])
  expect(losses).toBeGreaterThan(REGISTRY.size)
})
