import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { main as dialect } from '../../contracts/dialect-commands/command.ts'
import type { CheckResult } from '../../contracts/harness/judge/check.ts'
import { toHtmlReport } from '../../contracts/harness/report/html-report.ts'
import { toJunitReport } from '../../contracts/harness/report/junit-report.ts'
import { parseJsonReport, type RunReport, toJsonReport } from '../../contracts/harness/report/run-report.ts'
import { checkResultText, toTextReport } from '../../contracts/harness/report/text-report.ts'
import { visibleJson, visibleLine, visibleText } from '../../contracts/protocol/visible-text.ts'
import { main as lab } from '../../contracts/signature-lab/command.ts'
import { completedDrillText, drillListText, drillReportText } from '../../fixtures/drill/drill-report-text.ts'
import { lineOf } from '../../fixtures/listen/command.ts'
import { shellQuoted } from '../../hosted-pages/portal/layout/equivalent-curl.ts'
import { main as scenarios } from '../../simulator/commands/check-scenario-files.ts'
import { runCertifyInProcess } from '../conformance/run-certify-in-process.ts'
import { sampleReport } from '../conformance/sample-report.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** What a stranger may say: the title of a window, a conceal, half a CSI, a turned line, commands of CI runners. */
const EVIL =
  'a\u001b]0;owned\u0007\u001b[8m\u009b2J\u202eb\u2066c\u200bd\ufeff\u2028e\u007f\r\u{e0041}\ud800##vso[task.setvariable]##[error]##teamcity[x]\n::error::f\n  ::set-output name=x::y'

const CONTROLS = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
const COMMANDS = /##(vso|teamcity)?\[|^\s*::[a-z]/m

const mustBeHarmless = (text: string): void => {
  expect(text).toMatch(/owned|failed/)
  expect(JSON.stringify(CONTROLS.exec(text)?.[0])).toBeUndefined()
  expect(COMMANDS.exec(text)?.[0]).toBeUndefined()
}

const exchange: Exchange = {
  request: { method: 'GET', url: `https://localhost/${EVIL}`, headers: { 'x-evil': EVIL }, body: Buffer.from(EVIL) },
  response: { status: 200, headers: { [EVIL]: EVIL }, body: Buffer.from(EVIL) },
  durationMs: 1,
}
const texts = { clause: EVIL, title: EVIL, journey: EVIL, reason: EVIL, expected: EVIL, got: EVIL }
const result = (id: string, more: Partial<CheckResult>): CheckResult => ({
  id,
  verdict: 'fail',
  ...texts,
  exchange,
  control: { id: EVIL, exchange: { ...exchange, durationMs: 2 } },
  cells: [{ column: EVIL, verdict: 'fail', reason: EVIL, expected: EVIL, got: EVIL }],
  durationMs: 1,
  ...more,
})
const report: RunReport = sampleReport(
  [result('AAA-01', {}), result('AAA-02', { verdict: 'not applicable' }), result('AAA-03', { verdict: 'blocked' })],
  {
    profile: { name: EVIL, file: EVIL },
    target: { baseUrl: `https://x/${EVIL}`, environment: 'sandbox' },
    stopped: { reason: EVIL },
    layersOff: EVIL,
    only: [EVIL],
  },
)
const plain = (_verdict: string, text: string): string => text
const [check] = report.checks

const spoken = async (run: () => Promise<number>): Promise<string> => {
  let said = ''
  const spies = [process.stdout, process.stderr].map(stream =>
    vi.spyOn(stream, 'write').mockImplementation(text => {
      said += text
      return true
    }),
  )
  try {
    await run()
    return said
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

const drill = { name: EVIL, title: EVIL, rules: [EVIL], runs: 1 }
const playedDrill = {
  name: EVIL,
  drill,
  rules: [{ id: EVIL, verdict: 'fail', breaches: [{ said: EVIL }] }],
  runs: [{ code: 1, said: EVIL }],
}

// biome-ignore format: a table reads by its columns
const SURFACES: [string, () => string | Promise<string>][] = [
  ['the report of a run',     () => toTextReport(report, plain)],
  ['a check in full',         () => checkResultText(check as CheckResult, report, true)],
  ['JUnit',                   () => toJunitReport(report)],
  ['the JSON of a report',    () => toJsonReport(report)],
  ['a completed drill',       () => completedDrillText(playedDrill as never, plain)],
  ['the report of drills',    () => drillReportText({ ...report, checks: report.checks.map(one => ({ ...one, verdict: 'fail' })) }, plain)],
  ['the list of drills',      () => drillListText([drill as never])],
  ['assay listen',            () => lineOf({ attempt: { notification: { notificationType: EVIL, transactionId: EVIL } }, outcome: { error: EVIL } } as never)],
  ['assay lab',               () => spoken(() => lab([labFile()]))],
  ['assay lab --json',        () => spoken(() => lab(['--json', labFile()]))],
  ['assay dialect print',     () => spoken(() => dialect(['print', profileFile()]))],
  ['assay dialect diff',      () => spoken(() => dialect(['diff', profileFile('{}'), profileFile()]))],
  ['a missing dialect',       () => spoken(() => dialect(['print', EVIL]))],
  ['assay scenarios',         () => spoken(() => scenarios([EVIL]))],
]

const fileWith = (name: string, text: string): string => {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, text)
  return file
}
const labFile = (): string =>
  fileWith('request.http', `GET /owned${EVIL.slice(0, 20)} HTTP/1.1\r\nHost: x\r\nSignature-Input: ${EVIL}\r\n\r\n`)
const profileFile = (
  lines = `{ members: { all: { statusInfo.message: ${JSON.stringify(`/${EVIL.replaceAll('/', '')}`)} } } }`,
): string => fileWith(`${lines.length}.yaml`, lines)

test.each(SURFACES)('text of others in %s neither acts on a terminal nor on a CI runner', async (_what, print) => {
  mustBeHarmless(await print())
})

test('the report page shows what is invisible', async () => {
  const page = await toHtmlReport(report, new Map())
  expect(CONTROLS.test(page)).toBe(false)
  expect(page).toContain('a\\x1b]0;owned\\x07')
})

test.each([['show'], ['show', '--json'], ['diff']])(
  'a report folder of others is harmless to certify %s %s',
  async (...words) => {
    const saved = join(temporaryFolder(), 'report')
    mkdirSync(saved, { recursive: true })
    writeFileSync(join(saved, 'report.json'), toJsonReport(report))
    const [subcommand = '', ...options] = words
    const { out, err } = await runCertifyInProcess(
      subcommand,
      saved,
      ...(subcommand === 'diff' ? [EVIL] : []),
      ...options,
    )
    mustBeHarmless(`${out}${err}`)
  },
)

test('escapes in JSON keep its meaning', () => {
  expect(JSON.parse(visibleJson(JSON.stringify({ [EVIL]: EVIL })))).toEqual({ [EVIL]: EVIL })
  expect(parseJsonReport(toJsonReport(report)).stopped).toEqual(report.stopped)
})

test('what is harmless stays as it is', () => {
  const text = 'Zażółć γεια 日本 ## a\n- ::1, a::b\n\tx'
  expect(visibleText(text)).toBe(text)
  expect(visibleText(visibleText(EVIL))).toBe(visibleText(EVIL))
  expect(visibleLine('a\nb')).toBe('a\\x0ab')
})

test('a curl line of a page is harmless to paste, and sends the same bytes', () => {
  const said = EVIL.replace('\ud800', '')
  const quoted = shellQuoted(said)
  expect(CONTROLS.test(quoted)).toBe(false)
  expect(execFileSync('bash', ['-c', `printf %s ${quoted}`]).toString()).toBe(said)
})

test('the command that repeats a check quotes what a report of others says', () => {
  const { id, ...rest } = check as CheckResult
  const text = checkResultText(
    { ...rest, id: `${id};reboot` },
    { ...report, target: { ...report.target, baseUrl: 'https://x/$(reboot)' } },
    true,
  )
  expect(text).toContain(`--base-url 'https://x/$(reboot)' --tier 3 --only 'AAA-01;reboot'`)
})
