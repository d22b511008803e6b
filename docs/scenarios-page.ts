import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { scenarioOf } from '../simulator/scenarios/entry.ts'
import { BUILT_IN } from '../simulator/scenarios/load.ts'
import { magicValues } from '../simulator/scenarios/magic.ts'
import { readScenarios } from '../simulator/scenarios/read-file.ts'
import type { Scenario } from '../simulator/scenarios/scenario.ts'
import { PROVIDERS } from '../simulator/scenarios/schema-parts.ts'
import { code, table } from './table.ts'

const OWN = `# yaml-language-server: $schema=http://localhost:8080/control/scenarios/scenario.schema.json
scenarios:
  - name: REFUND_FAILS_AFTER_A_WEEK
    title: A refund is accepted, and fails a week later.
    magic: '9001'
    steps:
      refund: { outcome: accepted, later: { decline: REFUND_REFUSED, after: P7D } }`

const MOCK = `POST /mock/set
{ "processingAccountId": "…", "key": { "type": "PAYER_ID", "value": "payer-1" }, "type": "MOCK", "scenario": "INSUFFICIENT_FUNDS" }`

/** docs/scenarios.md: every built-in scenario, how to ask for one, and how to write one (2.7). */
export const scenariosPage = (): string => `# Scenarios

A scenario is a named outcome of a payment, from its first call to its last notification: data in the files of
\`scenarios/\`. Times in it are on the clock of the organization, so a day passes as fast as you ask.

## Asking for one

What comes first in this list decides, and the rest is not looked at:

1. A mock that \`/mock/set\` stored for the payer or the \`clientTransactionId\`, the newest that matches. As \`MOCK\` nobody is
   asked and everything can be overridden; as \`PASSTHROUGH\` the pages stay, and the outcome is arranged.
2. A magic BLIK code, \`99\` and four digits: as \`MOCK\`, so the shopper of the scenario acts without pages.
3. A magic amount, \`999\` and four digits in minor units: as \`PASSTHROUGH\`, so the shopper acts on the pages.
4. The usual way: the provider answers, and the shopper decides.

What a magic value chose holds for every later call on the payment. One that no scenario has is refused,
and says so.
A fault that is armed over \`/control\` is in none of these places: it meets the call whatever the outcome would be.

\`\`\`
${MOCK}
\`\`\`

The journal of the organization tells for every call which mock matched, or the first thing in which each differed.

## Writing your own

\`\`\`yaml
${OWN}
\`\`\`

Put files like this into a folder and start with \`--scenarios ./my-scenarios\` (\`ASSAY_SCENARIOS\`); into a container mount
the folder. The first line makes editors complete and check every member; without a simulator the schema is in
\`scenarios/scenario.schema.json\`. A scenario of yours replaces the built-in one of its name. Magic numbers from \`9000\` on
are left to you. \`assay scenarios ./my-scenarios\` (or \`npm run scenarios -- ./my-scenarios\`) tells each mistake with its
place and its cure; a start with a mistake in a file ends at once.

Durations are ISO 8601 (\`PT2S\`, \`P1D\`). \`code\` is a provider's code and \`decline\` one of our names for what has none, both in
[errors.md](errors.md); the kinds of \`fault\` are in [faults.md](faults.md).

## What there is

\`GET /control/scenarios\` tells the same with every detail, \`GET /control/scenarios/{name}\` one of them.

${sections().join('\n\n')}
`

const sections = (): string[] =>
  readdirSync(BUILT_IN)
    .filter(name => name.endsWith('.yaml'))
    .sort()
    .map(name => {
      const text = readFileSync(join(BUILT_IN, name), 'utf8')
      const [, about = ''] = /^# (?!yaml-language-server)(.*)$/m.exec(text) ?? []
      const rows = readScenarios(name, text).entries.map(({ entry }) => row(scenarioOf(entry)))
      const head = ['Name', 'BLIK code', 'Amount', 'What happens']
      return `### ${basename(name, '.yaml')}\n\n${about}\n\n${table(head, rows)}`
    })

const row = (scenario: Scenario): string[] => {
  const { name, title, providers } = scenario
  const { blikCode, amount } = magicValues(scenario) ?? {}
  const only = providers.length < PROVIDERS.length ? ` (${providers.join(', ')})` : ''
  return [
    code(name),
    blikCode !== undefined && providers.includes('BLIK') ? code(blikCode) : '',
    amount === undefined ? '' : code(String(amount)),
    title + only,
  ]
}
