import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import type { Check, CheckScenario, Tier } from '../../contracts/harness/judge/check.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { toJunitReport } from '../../contracts/harness/report/junit-report.ts'
import { summarizeRun } from '../../contracts/harness/report/run-summary.ts'
import { toTextReport } from '../../contracts/harness/report/text-report.ts'
import { runScenarios } from '../../contracts/harness/run/run-scenarios.ts'
import { sampleReport } from './sample-report.ts'

const profile: Profile = {
  file: 'made-up.yaml',
  name: 'made up',
  target: { baseUrl: 'https://localhost', environment: 'sandbox' },
  organization: { kit: '.' },
  errors: { reasonCode: '/code' },
}

const answering = (status: number, body = '{}'): Exchange => ({
  request: { method: 'GET', url: 'https://localhost/x', headers: { authorization: 'Bearer secret' } },
  response: { status, headers: {}, body: Buffer.from(body) },
  durationMs: 1,
})

type Play = (keep: (step: string, exchange: Promise<Exchange>) => Promise<Exchange>) => Promise<unknown>

const judging = async (play: Play, checks: Partial<Check>[], { tier = 3 as Tier, more = {} } = {}) => {
  const whole = checks.map((check, index) => ({
    id: `AAA-0${index + 1}`,
    clause: '1',
    title: 'a check',
    judge: () => undefined,
    ...check,
  }))
  const journey: CheckScenario<undefined> = {
    name: 'made up',
    tier: 1,
    play: (_world, keep) => play(keep),
    checks: whole,
  }
  const chosen = new Set(whole.map(({ id }) => id))
  return runScenarios({ scenarios: [journey], profile: { ...profile, ...more }, context: undefined, tier, chosen })
}

const served: Play = keep => keep('step', Promise.resolve(answering(200)))
const refused: Play = keep => keep('step', Promise.resolve(answering(401, '{"code":4970}')))

const mustBeServed: Partial<Check> = { judge: (evidence, expect) => expect.served(evidence.of('step')) }
const mustBeRefused = (code?: string): Partial<Check> => ({
  control: 'AAA-01',
  judge: (evidence, expect) => expect.refused(evidence.of('step'), { status: 401, ...(code && { code }) }),
})
const fine: Partial<Check> = {}

const verdicts = async (...parts: Parameters<typeof judging>) => (await judging(...parts)).map(({ verdict }) => verdict)

// biome-ignore format: a table reads by its columns
test.each<[string, Play, Partial<Check>[], string[]]>([
  ['served as it must be',              served,  [mustBeServed],                        ['pass']],
  ['refused where it must be served',   refused, [mustBeServed],                        ['fail']],
  ['refused as stated',                 refused, [fine, mustBeRefused('4970')],         ['pass', 'pass']],
  ['refused in the right family',       refused, [fine, mustBeRefused('4')],            ['pass', 'pass']],
  ['refused with another code',         refused, [fine, mustBeRefused('4061')],         ['pass', 'fail']],
  ['served where it must be refused',   served,  [fine, mustBeRefused()],               ['pass', 'fail']],
  ['a control that failed',             refused, [mustBeServed, mustBeRefused()],       ['fail', 'blocked']],
  ['a refusal by a check of no control', refused, [{ ...mustBeRefused(), control: undefined } as unknown as Check], ['harness error']],
  ['a step that was never reached',     async () => undefined, [mustBeServed],          ['blocked']],
  ['a scenario that throws',            () => Promise.reject(new TypeError('oh')), [mustBeServed], ['harness error']],
  ['a check that only observes',        served,  [{ observes: true, judge: () => 'blue' }], ['observed']],
  ['an observing check that does not hold', refused, [{ ...mustBeServed, observes: true }], ['observed']],
  ['an unconfirmed assumption',         refused, [{ ...mustBeServed, decisions: ['D-01'] }], ['differs']],
  ['a line that the profile lacks',     served,  [{ needs: ['control.url'] }],          ['untestable']],
  ['a check beyond the tier',           served,  [{ tier: 4 }],                         ['withheld']],
  ['a check that does not apply',       served,  [{ exempt: () => 'a reason' }],        ['not applicable']],
])('%s', async (_what, play, checks, expected) => {
  expect(await verdicts(play, checks)).toEqual(expected)
})

test('an assumed check whose decision is confirmed can fail', async () => {
  const checks = [{ ...mustBeServed, decisions: ['D-01'] }]
  expect(await verdicts(refused, checks, { more: { confirmed: ['D-01'] } })).toEqual(['fail'])
})

test('a reasonCode that cannot be found leaves a right status untestable, and a wrong status failed', async () => {
  const blind: Play = keep => keep('step', Promise.resolve(answering(401, '{"other":1}')))
  expect(await verdicts(blind, [fine, mustBeRefused('4970')])).toEqual(['pass', 'untestable'])
  const wrong: Play = keep => keep('step', Promise.resolve(answering(400, '{"other":1}')))
  expect(await verdicts(wrong, [fine, mustBeRefused('4970')])).toEqual(['pass', 'fail'])
})

test('429 and a missing response are inconclusive', async () => {
  const busy: Play = keep => keep('step', Promise.resolve(answering(429)))
  const { response: _, ...gone } = { ...answering(0), transportError: { code: 'ECONNRESET', message: 'gone' } }
  const cut: Play = keep => keep('step', Promise.resolve(gone))
  for (const play of [busy, cut]) {
    expect(await verdicts(play, [mustBeServed])).toEqual(['inconclusive'])
    expect(await verdicts(play, [fine, mustBeRefused()])).toEqual(['pass', 'inconclusive'])
    const reading: Partial<Check> = { judge: (evidence, expect) => void expect.field(evidence.of('step'), 'a.b') }
    expect(await verdicts(play, [reading])).toEqual(['inconclusive'])
  }
})

test('a scenario none of whose checks can be judged makes no call', async () => {
  let played = 0
  const counting: Play = async () => {
    played += 1
  }
  await judging(counting, [{ tier: 4 }, { needs: ['control.url'] }])
  expect(played).toBe(0)
})

test('a failure reports expected, got and the exchange with secrets redacted', async () => {
  const results = await judging(refused, [{ ...mustBeServed, title: 'served <&> "so"\u0000' }])
  const whole = sampleReport(results)
  const text = toTextReport(whole, (_verdict, shown) => shown)
  expect(text).toContain('expected  the call to be served')
  expect(text).toContain('got       HTTP 401 with reasonCode 4970')
  expect(text).toContain('GET https://localhost/x → 401')
  expect(text).toContain('authorization: Bearer [hidden, 6 characters]')
  expect(text).toContain(
    'again     assay certify --profile made-up.yaml --base-url https://localhost --tier 3 --only AAA-01',
  )
  const junit = toJunitReport(whole)
  expect(junit).toContain('<testsuites name="made up https://localhost" tests="1" failures="1" errors="0" skipped="0"')
  expect(junit).toContain('classname="AAA.made up" file="made-up.yaml" time="0.001"')
  expect(junit).toContain('served &lt;&amp;&gt; &quot;so&quot;\ufffd')
  for (const report of [text, junit]) expect(report).not.toContain('secret')
})

// biome-ignore format: a table reads by its columns
test.each([
  [['pass', 'observed', 'not applicable', 'withheld', 'differs'], 0],
  [['pass', 'fail', 'harness error'],                             1],
  [['blocked', 'untestable', 'withheld'],                         3],
  [['pass', 'harness error', 'blocked'],                          4],
  [['pass', 'untestable'],                                        5],
  [['pass', 'inconclusive'],                                      5],
  [[],                                                            3],
  [['pass', 'stale'],                                             6],
  [['pass', 'stale', 'blocked'],                                  5],
  [['pass', 'known'],                                             0],
] as const)('verdicts %j end in exit code %i', (given, code) => {
  const results = given.map((verdict, index) => ({
    id: `AAA-0${index}`, clause: '1', title: 'x', journey: 'x', durationMs: 0, verdict,
  }))
  expect(summarizeRun(results, results.length).exitCode).toBe(code)
})

test('a run ended by a safety budget exits with 7 unless a check failed, an interrupted run with 5', () => {
  const one = (verdict: 'pass' | 'fail') => [
    { id: 'AAA-01', clause: '1', title: 'x', journey: 'x', durationMs: 0, verdict },
  ]
  const safety = { reason: 'spent', safety: true }
  expect(summarizeRun(one('pass'), 1, safety).exitCode).toBe(7)
  expect(summarizeRun([], 1, safety).exitCode).toBe(7)
  expect(summarizeRun(one('fail'), 1, safety).exitCode).toBe(1)
  expect(summarizeRun(one('pass'), 1, { reason: 'stopped by SIGINT' }).exitCode).toBe(5)
})

const known = { knownFailures: { 'AAA-01': 'ticket 12' } }

test('a known failure is known while the check fails, and stale when it passes', async () => {
  expect(await judging(refused, [mustBeServed], { more: known })).toMatchObject([
    { verdict: 'known', reason: 'ticket 12', expected: 'the call to be served' },
  ])
  const dependent = { control: 'AAA-01' }
  expect(await verdicts(refused, [mustBeServed, dependent], { more: known })).toEqual(['known', 'blocked'])
  expect(await verdicts(served, [mustBeServed, dependent], { more: known })).toEqual(['stale', 'pass'])
  expect(await verdicts(served, [{ judge: () => Promise.reject(new Error('oh')) }], { more: known })).toEqual([
    'harness error',
  ])
})

test('a check that scout used to fill a profile line is only observed, and still serves as a control', async () => {
  const more = { scouted: { 'errors.reasonCode': ['AAA-01'] } }
  const [first, second] = await judging(served, [mustBeServed, { control: 'AAA-01' }], { more })
  expect(first).toMatchObject({ verdict: 'observed', reason: expect.stringContaining('filled errors.reasonCode') })
  expect(second).toMatchObject({ verdict: 'pass' })
  expect(await verdicts(refused, [mustBeServed], { more })).toEqual(['fail'])
})
