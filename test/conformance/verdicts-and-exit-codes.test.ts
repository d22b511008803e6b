import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import type { Check, CheckResult, CheckScenario, Tier } from '../../contracts/harness/judge/check.ts'
import { judgeAsBefore } from '../../contracts/harness/judge/reuse-earlier-check-result.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { reportHeadline } from '../../contracts/harness/report/html-report.ts'
import { toJunitReport } from '../../contracts/harness/report/junit-report.ts'
import type { RunReport } from '../../contracts/harness/report/run-report.ts'
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

const textOf = (report: RunReport) => toTextReport(report, (_verdict, shown) => shown)

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
  expect(junit).toContain('served &lt;&amp;&gt; &quot;so&quot;\\x00')
  for (const report of [text, junit]) expect(report).not.toContain('secret')
})

// biome-ignore format: a table reads by its columns
test.each([
  [['pass', 'observed', 'not applicable', 'withheld'],            0],
  [['pass', 'differs'],                                           10],
  [['differs', 'untestable', 'stale'],                            10],
  [['pass', 'differs', 'fail'],                                   1],
  [['differs', 'harness error'],                                  4],
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

test('a strict run counts what differs as failed: exit code 1, and a failure in JUnit', async () => {
  const results = await judging(refused, [{ ...mustBeServed, decisions: ['D-01'] }])
  expect(summarizeRun(results, 1, undefined, true)).toMatchObject({ exitCode: 1, strict: true })
  expect(summarizeRun(results, 1)).not.toHaveProperty('strict')
  const [mild, strict] = [false, true].map(it =>
    sampleReport(results, { summary: summarizeRun(results, 1, undefined, it) }),
  ) as [RunReport, RunReport]
  expect(toJunitReport(mild)).toContain('failures="0" errors="1" skipped="0"')
  expect(toJunitReport(mild)).toContain('<error message="differs: leans on D-01, which made-up.yaml does not confirm')
  expect(toJunitReport(strict)).toContain('failures="1" errors="0" skipped="0"')
  expect(textOf(mild)).toContain('1 of 1 checks differ from decisions that made-up.yaml does not confirm: confirm')
  expect(textOf(strict)).toContain('which --strict counts as failed')
  expect(reportHeadline(mild)).toEqual({ text: expect.stringContaining('but 1 of 1 checks differ'), tone: 'warn' })
  expect(reportHeadline(strict)).toEqual({ text: expect.stringContaining('counts as failed'), tone: 'bad' })
})

test('what the document itself states fails although its check rests on an unconfirmed decision', async () => {
  const core: Partial<Check> = {
    decisions: ['D-01'],
    control: 'AAA-01',
    judge: (evidence, expect) => expect.refused(evidence.of('step'), { status: 403, core: true }),
  }
  expect(await verdicts(served, [fine, core])).toEqual(['pass', 'fail'])
  expect(await verdicts(refused, [fine, core])).toEqual(['pass', 'differs'])
  const broken: Play = keep => keep('step', Promise.resolve(answering(500)))
  expect(await verdicts(broken, [fine, core])).toEqual(['pass', 'fail'])
  const leaving: Partial<Check> = {
    ...core,
    judge: (evidence, expect) => expect.refused(evidence.of('step'), { status: 401, core: true, without: 'a.id' }),
  }
  expect(await verdicts(refused, [fine, leaving], { more: { fields: { a: { id: '/code' } } } })).toEqual([
    'pass',
    'fail',
  ])
  const declined = { errors: { declined: { at: '/code', words: ['NO'] } } }
  const decline: Play = keep => keep('step', Promise.resolve(answering(200, '{"code":"NO"}')))
  expect(await verdicts(decline, [fine, core], { more: declined })).toEqual(['pass', 'differs'])
  const stated: Partial<Check> = {
    decisions: ['D-01'],
    judge: (evidence, expect) => expect.specified(() => expect.served(evidence.of('step'))),
  }
  expect(await verdicts(refused, [stated])).toEqual(['fail'])
})

// biome-ignore format: a table reads by its columns
test.each<[Partial<CheckResult> & Pick<CheckResult, 'verdict'>]>([
  [{ verdict: 'fail',      expected: 'a refusal', got: 'HTTP 200' }],
  [{ verdict: 'differs',   expected: 'a refusal', got: 'HTTP 200' }],
  [{ verdict: 'pass' }],
  [{ verdict: 'withheld',  reason: 'it waits longer than the patience of this run' }],
  [{ verdict: 'blocked',   reason: 'nothing was paid' }],
])('a saved verdict repeats as it was, also where an unconfirmed decision is named: %j', async saved => {
  const check = { id: 'AAA-01', clause: '1', title: 'a check', decisions: ['D-01'], judge: () => undefined }
  const result = { id: 'AAA-01', clause: '1', title: 'a check', journey: 'made up', durationMs: 0, ...saved }
  expect(await verdicts(served, [judgeAsBefore(check, result)])).toEqual([saved.verdict])
})

test('the summary begins with what was not judged and the lines that would cure most of it', async () => {
  const needing = (...needs: string[]): Partial<Check> => ({ needs })
  const reading: Partial<Check> = { judge: (evidence, expect) => void expect.field(evidence.of('step'), 'a.id') }
  const checks = [
    mustBeServed,
    needing('states'),
    needing('control.url'),
    { control: 'AAA-03' },
    needing('control.url', 'states'),
    reading,
    reading,
    { tier: 4 as Tier },
    { exempt: () => 'no' },
  ]
  const results = await judging(served, checks)
  expect(results.map(({ line }) => line)).toEqual([
    ...[undefined, 'states', 'control.url', 'control.url', 'control.url', 'fields.a.id', 'fields.a.id'],
    ...[undefined, undefined],
  ])
  const summary = textOf(sampleReport(results)).trimEnd().split('\n').slice(-3)
  expect(summary).toEqual([
    'Not judged: 6 of the 7 checks that apply at tier 3; in made-up.yaml the line control.url makes 3 of them testable, fields.a.id 2',
    'Left out: 1 check beyond the tier or the patience of this run, 1 check that the profile or its target excludes',
    expect.stringMatching(/^9 checks: /),
  ])
  const [passed] = await judging(served, [mustBeServed])
  expect(textOf(sampleReport(passed ? [passed] : []))).not.toMatch(/Not judged|Left out/)
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

test.each(['fail', 'differs'] as const)(
  'a saved known failure that was "%s" is that again without its line',
  async was => {
    const check: Check = {
      id: 'AAA-01',
      clause: '1',
      title: 'a check',
      decisions: ['D-01'],
      judge: (evidence, expect) => {
        const judge = () => expect.served(evidence.of('step'))
        return void (was === 'fail' ? expect.specified(judge) : judge())
      },
    }
    const [saved] = await judging(refused, [check], { more: known })
    expect(saved).toMatchObject({ verdict: 'known', knownAs: was })
    const again = judgeAsBefore(check, saved as CheckResult)
    expect(await verdicts(served, [again])).toEqual([was])
    expect(await judging(served, [again], { more: known })).toMatchObject([{ verdict: 'known', knownAs: was }])
  },
)

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
