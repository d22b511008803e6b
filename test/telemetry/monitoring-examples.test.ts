import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parser } from '@prometheus-io/lezer-promql'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples/monitoring')
const read = (name: string): string => readFileSync(join(EXAMPLES, name), 'utf8')
const run = promisify(execFile)
const PROMTOOL = '/usr/bin/promtool'

/** Variables of Grafana, as values that PromQL can parse. */
const VARIABLES = { $__rate_interval: '1m', $replica: '.*' }
const filledIn = (expression: string): string =>
  Object.entries(VARIABLES).reduce((text, [name, value]) => text.replaceAll(name, value), expression)

const rules = (): string[] =>
  parse(read('alerts.yml'))
    .groups.flatMap((group: { rules: { expr: string }[] }) => group.rules)
    .map(({ expr }: { expr: string }) => expr)
const panels = (): string[] =>
  JSON.parse(read('dashboard.json'))
    .panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets)
    .map(({ expr }: { expr: string }) => filledIn(expr))

/** Places of an expression that are no PromQL, by the grammar of Prometheus itself. */
const syntaxErrors = (expression: string): string[] => {
  const found: string[] = []
  parser.parse(expression).iterate({
    enter: ({ type, from }) => {
      if (type.isError) found.push(`${expression} at ${from}`)
    },
  })
  return found
}

const namesIn = (expression: string): string[] => expression.match(/\b(assay|nodejs|process)_\w+/g) ?? []

describe('examples/monitoring', () => {
  let text: string
  beforeAll(async () => {
    const simulator = await startTestSimulator({ metrics: 'on' })
    text = await (await fetch(`${simulator.pagesUrl}/metrics`)).text()
    await simulator.stop()
  })

  test.each([...rules(), ...panels()])('%s is PromQL over metrics that there are', expression => {
    expect(syntaxErrors(expression)).toEqual([])
    const names = namesIn(expression).map(name => name.replace(/_(bucket|count)$/, ''))
    expect(names.filter(name => !text.includes(`# TYPE ${name} `))).toEqual([])
  })

  test('every metric of ours is on the dashboard or in an alert', () => {
    const used = [...rules(), ...panels()].flatMap(namesIn).join()
    const ours = [...text.matchAll(/^# TYPE (assay_\w+) /gm)].map(([, name]) => String(name))
    expect(ours.filter(name => !used.includes(name))).toEqual(['assay_build_info'])
    expect(read('dashboard.json')).toContain('label_values(assay_build_info, instance)')
  })

  test.skipIf(!existsSync(PROMTOOL))('Prometheus takes the rules, the configuration and the metrics', async () => {
    const folder = temporaryFolder()
    for (const name of ['prometheus.yml', 'alerts.yml']) writeFileSync(join(folder, name), read(name))
    writeFileSync(join(folder, 'control-token'), 'hush')
    const { stdout } = await run(PROMTOOL, ['check', 'config', 'prometheus.yml'], { cwd: folder })
    expect(stdout).toContain('8 rules found')
    const checked = run(PROMTOOL, ['check', 'metrics'])
    const ours = text.split('\n').filter(line => /^(# \w+ )?assay_/.test(line)) // those of prom-client are named by it
    checked.child.stdin?.end(`${ours.join('\n')}\n`)
    expect((await checked).stderr).toBe('')
  })
})
