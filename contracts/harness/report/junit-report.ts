import { visibleText } from '../../protocol/visible-text.ts'
import type { CheckResult, Verdict } from '../judge/check.ts'
import { controlLabel, exchangeText } from './exchange-text.ts'
import { type Exploration, violationTitle } from './exploration.ts'
import { excludedText, unjudgedText } from './report-warnings.ts'
import { reproductionCommand } from './reproduction-command.ts'
import type { RunReport } from './run-report.ts'

/** JUnit element of each verdict. What differs or could not be judged is an error: no dashboard counts it as a pass. */
// biome-ignore format: a table reads by its columns
const ELEMENTS: Record<Verdict, 'failure' | 'error' | 'skipped' | undefined> = {
  'fail':           'failure',
  'harness error':  'error',
  'stale':          'error',
  'known':          'skipped',
  'differs':        'error',
  'blocked':        'error',
  'untestable':     'skipped',
  'inconclusive':   'error',
  'withheld':       'skipped',
  'not applicable': 'skipped',
  'observed':       undefined,
  'pass':           undefined,
}

/** Returns the JUnit element of a verdict; in a strict run what differs is a failure. */
const elementOf = (verdict: Verdict, { summary }: RunReport) =>
  verdict === 'differs' && summary.strict ? 'failure' : ELEMENTS[verdict]

/** Formats a report as JUnit XML: a testsuite for each section of the catalogue, a testcase for each check. */
export const toJunitReport = (report: RunReport): string => {
  const { checks, profile, target, startedAt, tier, suite } = report
  const sections = Map.groupBy(checks, result => result.id.replace(/-.*/, ''))
  const suites = [...sections].map(([section, members]) => suiteXml(section, members, report))
  const { explored } = report
  const all = [...suites, ...(explored ? [exploredXml(explored, report)] : [])]
  const sums = totals(checks, report)
  const whole = explored
    ? { ...sums, tests: sums.tests + 1, failures: sums.failures + explored.violations.length }
    : sums
  const name = `${profile.name} ${target.baseUrl}`
  const properties = {
    environment: target.environment,
    tier,
    suite: `${suite.name} ${suite.version}`,
    unjudged: [unjudgedText(report), excludedText(report)].filter(text => text !== undefined).join('. ') || 'nothing',
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes({ name, ...whole, timestamp: startedAt })}>\n${propertiesXml(properties)}\n${all.join('\n')}\n</testsuites>\n`
}

const propertiesXml = (values: Readonly<Record<string, string | number>>): string =>
  `  <properties>\n${Object.entries(values)
    .map(([name, value]) => `    <property ${attributes({ name, value })}/>\n`)
    .join('')}  </properties>`

const suiteXml = (section: string, results: readonly CheckResult[], report: RunReport): string => {
  const open = attributes({ name: section, ...totals(results, report), timestamp: report.startedAt })
  return `  <testsuite ${open}>\n${results.map(result => caseXml(result, report)).join('\n')}\n  </testsuite>`
}

/** What exploring showed, as a suite of one case. */
const exploredXml = (explored: Exploration, { startedAt, profile }: RunReport): string => {
  const { violations, seed, calls } = explored
  const sums = { tests: 1, failures: violations.length, errors: 0, skipped: 0 }
  const failures = violations.map(
    violation =>
      `      <failure ${attributes({ message: violationTitle(violation), type: 'fail' })}>${xmlText(`\n${violation.story.join('\n')}\n`)}</failure>\n`,
  )
  const open = attributes({ name: `explored ${calls} calls by seed ${seed}`, classname: 'explore', file: profile.file })
  const suite = attributes({ name: 'explore', ...sums, timestamp: startedAt })
  return `  <testsuite ${suite}>\n    <testcase ${open}>\n${failures.join('')}    </testcase>\n  </testsuite>`
}

const caseXml = (result: CheckResult, report: RunReport): string => {
  const { id, title, clause, journey, durationMs, reason } = result
  const where = { classname: `${id.replace(/-.*/, '')}.${journey}`, file: report.profile.file }
  const open = attributes({ name: `${id} ${title} (${clause})`, ...where, time: seconds(durationMs) })
  const element = elementOf(result.verdict, report)
  if (element) return `    <testcase ${open}>\n      ${elementXml(element, result, report)}\n    </testcase>`
  return reason
    ? `    <testcase ${open}>\n      <system-out>${xmlText(reason)}</system-out>\n    </testcase>`
    : `    <testcase ${open}/>`
}

const elementXml = (element: string, result: CheckResult, report: RunReport): string => {
  const { verdict, reason, expected, got } = result
  const explanation = [reason, expected && `expected ${expected}, got ${got}`].filter(Boolean).join('; ')
  const message = attributes({
    message: `${verdict}: ${explanation}`,
    ...(element === 'skipped' ? {} : { type: verdict }),
  })
  return `<${element} ${message}>${element === 'skipped' ? '' : xmlText(`\n${detail(result, report)}\n`)}</${element}>`
}

const detail = (result: CheckResult, report: RunReport): string => {
  const { exchange, control, expected, got, reason } = result
  const parts = [
    reason,
    expected && `expected  ${expected}\ngot       ${got}`,
    exchange && exchangeText(exchange),
    control?.exchange && `${controlLabel(control.id)}:\n${exchangeText(control.exchange)}`,
    `Again: ${reproductionCommand(result, report)}`,
  ]
  return parts.filter(Boolean).join('\n\n')
}

const totals = (results: readonly CheckResult[], report: RunReport) => {
  const count = (element: string) => results.filter(({ verdict }) => elementOf(verdict, report) === element).length
  const time = seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0))
  return { tests: results.length, failures: count('failure'), errors: count('error'), skipped: count('skipped'), time }
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3)

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${xmlText(String(value)).replaceAll('\n', '&#10;')}"`)
    .join(' ')

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' }

/** Escapes text for XML 1.0; characters that it forbids are shown as escapes. */
const xmlText = (text: string): string =>
  visibleText(text)
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[<>&"]/g, character => ENTITIES[character] ?? character)
