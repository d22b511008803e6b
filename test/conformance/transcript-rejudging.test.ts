import { beforeAll, expect, test } from 'vitest'
import { CallError, NoResponse } from '../../contracts/client/call-errors.ts'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { createRedactor } from '../../contracts/client/redact-secrets.ts'
import { CHECK_REGISTRY } from '../../contracts/commands/chosen-profile-and-checks.ts'
import { type JudgedRun, judgeDeployment } from '../../contracts/commands/judge-deployment.ts'
import type { Check, CheckScenario } from '../../contracts/harness/judge/check.ts'
import { EmptyCell } from '../../contracts/harness/judge/judge-grid-cells.ts'
import { Blocked, Inconclusive, TooLate, Untestable, Withheld } from '../../contracts/harness/judge/verdict-errors.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { matchesSavedFileSchema } from '../../contracts/harness/report/saved-file-schemas.ts'
import { selectChecks } from '../../contracts/harness/run/check-registry.ts'
import { rejudgeRun } from '../../contracts/harness/run/rejudge-run.ts'
import { runScenarios } from '../../contracts/harness/run/run-scenarios.ts'
import { createTranscriptRecorder } from '../../contracts/harness/run/transcript.ts'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { simulatorProfileAt } from './run-suites.ts'

let profile: Profile
let live: JudgedRun
const chosen = selectChecks(CHECK_REGISTRY, [])
const tier = 3

beforeAll(async () => {
  const simulator = await startTestSimulator()
  profile = simulatorProfileAt(simulator)
  live = await judgeDeployment({ profile, tier, only: [], chosen })
  await simulator.stop()
}, 120_000)

/** The transcript after a JSON round trip, as read from a report folder. */
const asRead = () => JSON.parse(JSON.stringify(live.transcript)) as JudgedRun['transcript']
const again = (changed: Partial<Profile> = {}) =>
  rejudgeRun({ scenarios: CHECK_SCENARIOS, profile: { ...profile, ...changed }, tier, chosen, transcript: asRead() })

/** Checks whose evidence is redacted in a transcript. */
const SECRET_EVIDENCE = ['EVT-03', 'GRD-39', 'GRD-54', 'RSP-07', 'RSP-12']

test('rejudging the transcript of a full run gives the same verdicts, except where evidence is redacted', async () => {
  const found = new Map((await again()).map(({ id, verdict }) => [id, verdict]))
  expect(live.report.checks).toHaveLength(CHECK_REGISTRY.size)
  const others = live.report.checks.filter(({ id, verdict }) => found.get(id) !== verdict).map(({ id }) => id)
  expect(others.sort()).toEqual(SECRET_EVIDENCE)
})

test('a rejudged failure has the same expected and got texts', async () => {
  const changed = asRead()
  const refusals = changed.exchanges.filter(({ response }) => response?.status === 409)
  expect(refusals.length).toBeGreaterThan(0)
  for (const { response } of refusals) Object.assign(response ?? {}, { status: 400 })
  const results = await rejudgeRun({ scenarios: CHECK_SCENARIOS, profile, tier, chosen, transcript: changed })
  expect(results.find(({ id }) => id === 'IDM-15')).toMatchObject({
    verdict: 'fail',
    expected: 'a refusal with 409',
    got: 'HTTP 400 with reasonCode 3002',
  })
})

test('a scenario missing from the transcript leaves its checks untestable', async () => {
  const narrow = { ...asRead(), journeys: asRead().journeys.filter(({ name }) => name !== 'broken signatures') }
  const results = await rejudgeRun({ scenarios: CHECK_SCENARIOS, profile, tier, chosen, transcript: narrow })
  expect(results.find(({ id }) => id === 'SIG-05')).toMatchObject({
    verdict: 'untestable',
    reason: expect.stringContaining('run it again'),
  })
  expect(results.find(({ id }) => id === 'SIG-01')).toMatchObject({ verdict: 'pass' })
})

test('rejudging applies the current confirmed decisions', async () => {
  const changed = asRead()
  for (const { request, response } of changed.exchanges)
    if (response?.status === 404 && /status$/.test(request.url))
      response.body = response.body?.replaceAll('"4001"', '"4009"') ?? ''
  const verdictOf = async (confirmed: Profile['confirmed'] & {}) =>
    (
      await rejudgeRun({
        scenarios: CHECK_SCENARIOS,
        profile: { ...profile, confirmed },
        tier,
        chosen,
        transcript: changed,
      })
    ).find(({ id }) => id === 'RDS-03')?.verdict
  expect([await verdictOf('all'), await verdictOf([])]).toEqual(['fail', 'differs'])
})

const LONE: Exchange = { request: { method: 'GET', url: 'https://sandbox.test/', headers: {} }, durationMs: 1 }

test.each([
  ['withheld', new Withheld('takes PT1H, and this run waits up to PT10M')],
  ['untestable', new Untestable('no such line', LONE, 'fields.status.state')],
  ['inconclusive', new Inconclusive('no webhook has come within 900 s')],
  ['inconclusive', new TooLate(0)],
  ['inconclusive', new NoResponse(LONE)],
  ['blocked', new Blocked('refused', LONE)],
  ['blocked', new CallError(LONE, 'no signature')],
  ['not applicable', new EmptyCell('the scheme does not do it (1, 7.1)')],
  ['harness error', new Error('a fault of the suite')],
])('a step that ended with a cause for "%s" has the same verdict again', async (verdict, failure) => {
  const check = { id: 'RDS-01', clause: '4', title: 'reads', judge: ({ of }) => void of('read') } as Check<string>
  const play: CheckScenario<undefined>['play'] = (_, keep) =>
    keep('read', Promise.reject(failure)).then(
      () => undefined,
      () => undefined,
    )
  const scenarios = [{ name: 'one step', tier, checks: [check], play }] satisfies CheckScenario<undefined>[]
  const recorder = createTranscriptRecorder([])
  const options = { scenarios, profile, tier, chosen: new Set(['RDS-01']) } as const
  const [before] = await runScenarios({ ...options, context: undefined, onScenarioEnd: recorder.onScenarioEnd })
  const transcript = JSON.parse(JSON.stringify(recorder.transcript(createRedactor())))
  expect(matchesSavedFileSchema('transcript', transcript)).toBe(true)
  const [again] = await rejudgeRun({ ...options, transcript })
  expect([before?.verdict, again?.verdict]).toEqual([verdict, verdict])
})

/** Two ways to lose a response: a timeout and a 429. */
const LOSSES: Pick<Exchange, 'response' | 'transportError'>[] = [
  { transportError: { code: 'TIMEOUT', message: 'no complete response came in time' } },
  {
    response: {
      status: 429,
      headers: { 'retry-after': '1' },
      body: Buffer.from('{"statusInfo":{"reasonCode":"3000"}}'),
    },
  },
]

/** Checks whose subject is a missing response or a 429. */
const FINDINGS = ['EVT-05', 'IDM-39', 'LIM-04']

const wronged: string[] = []
let losses = 0

/** Wraps a check: judges, then judges again once per exchange read, with that response lost. */
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
          if (![Inconclusive, Untestable, Blocked].some(signal => error instanceof signal)) wronged.push(told)
        }
      }
  },
})

test('rule 5: no check fails because a single response is lost', async () => {
  const judging = ({ id, observes }: Check) => !observes && !FINDINGS.includes(id)
  const journeys = CHECK_SCENARIOS.map(journey => ({ ...journey, checks: journey.checks.filter(judging).map(losing) }))
  await rejudgeRun({ scenarios: journeys, profile, tier, chosen, transcript: asRead() })
  expect(wronged).toEqual([])
  expect(losses).toBeGreaterThan(CHECK_REGISTRY.size)
})
