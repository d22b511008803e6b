import type { Result, Verdict } from './check.ts'
import { exchangeText } from './exchange-text.ts'

/** What JUnit can say of a verdict. What could not be judged is an error, so that no dashboard takes it for a pass. */
// biome-ignore format: a table reads by its columns
const ELEMENTS: Record<Verdict, 'failure' | 'error' | 'skipped' | undefined> = {
  'fail':           'failure',
  'harness error':  'error',
  'differs':        'skipped',
  'blocked':        'error',
  'untestable':     'skipped',
  'inconclusive':   'error',
  'withheld':       'skipped',
  'not applicable': 'skipped',
  'observed':       undefined,
  'pass':           undefined,
}

/** The results as JUnit XML: a suite for each section of the catalogue, a case for each check. */
export const junitReport = (results: readonly Result[], name: string): string => {
  const sections = Map.groupBy(results, result => result.id.replace(/-.*/, ''))
  const suites = [...sections].map(([section, members]) => suiteXml(section, members))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes({ name, ...totals(results) })}>\n${suites.join('\n')}\n</testsuites>\n`
}

const suiteXml = (section: string, results: readonly Result[]): string =>
  `  <testsuite ${attributes({ name: section, ...totals(results) })}>\n${results.map(caseXml).join('\n')}\n  </testsuite>`

const caseXml = (result: Result): string => {
  const { id, title, clause, journey, durationMs, reason } = result
  const open = attributes({ name: `${id} ${title} (${clause})`, classname: journey, time: seconds(durationMs) })
  const element = ELEMENTS[result.verdict]
  if (element) return `    <testcase ${open}>\n      ${elementXml(element, result)}\n    </testcase>`
  return reason
    ? `    <testcase ${open}>\n      <system-out>${xmlText(reason)}</system-out>\n    </testcase>`
    : `    <testcase ${open}/>`
}

const elementXml = (element: string, { verdict, reason, expected, got, exchange }: Result): string => {
  const told = [reason, expected && `expected ${expected}, got ${got}`].filter(Boolean).join('; ')
  const message = attributes({ message: `${verdict}: ${told}`, ...(element === 'skipped' ? {} : { type: verdict }) })
  const detail = exchange && element !== 'skipped' ? xmlText(`\n${exchangeText(exchange)}\n`) : ''
  return `<${element} ${message}>${detail}</${element}>`
}

const totals = (results: readonly Result[]) => {
  const count = (element: string) => results.filter(({ verdict }) => ELEMENTS[verdict] === element).length
  const time = seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0))
  return { tests: results.length, failures: count('failure'), errors: count('error'), skipped: count('skipped'), time }
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3)

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${xmlText(String(value))}"`)
    .join(' ')

const ENTITIES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** Characters that XML forbids are shown as the replacement character, also halves of surrogate pairs. */
const xmlText = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 does not allow
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[<>&"\n]/g, character => ENTITIES[character] ?? character)
