import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { PROVIDER_IDS } from '../contracts/protocol/providers-and-capabilities.ts'
import { toMagicValues } from '../simulator/scenarios/magic-values.ts'
import { BUILT_IN_FOLDER } from '../simulator/scenarios/open-scenario-catalogue.ts'
import { parseScenarioFile } from '../simulator/scenarios/read-scenario-file.ts'
import type { Scenario } from '../simulator/scenarios/scenario.ts'
import { toScenario } from '../simulator/scenarios/scenario-from-file-entry.ts'
import { code, table } from './markdown.ts'

const OWN = `# yaml-language-server: $schema=http://localhost:8080/control/scenarios/scenario.schema.json
scenarios:
  - name: REFUND_FAILS_AFTER_A_WEEK
    title: A refund is accepted, and fails a week later.
    magic: '9001'
    steps:
      refund: { outcome: accepted, later: { decline: REFUND_REFUSED, after: P7D } }`

const MOCK = `POST /mock/set
{ "processingAccountId": "…", "key": { "type": "PAYER_ID", "value": "payer-1" }, "type": "MOCK", "scenario": "INSUFFICIENT_FUNDS" }`

/** Returns the text of docs/scenarios.md: the built-in scenarios, how to select one, how to write one (2.7). */
export const scenariosPage = (): string => `# Scenarios

A scenario is a named outcome of a payment, from its first call to its last notification: data in the files of
\`scenarios/\`. Its times follow the clock of the organization, so a day passes as fast as you move the clock.

## Selecting a scenario

The first match in this list decides:

1. A mock that \`/mock/set\` stored for the payer or the \`clientTransactionId\`, the newest that matches. With \`MOCK\`, no
   provider is asked and every response can be scripted; with \`PASSTHROUGH\`, the pages stay and the outcome is set.
2. A magic BLIK code, \`99\` and four digits: as \`MOCK\`, so the scenario's shopper acts without pages.
3. A magic amount, \`999\` and four digits in minor units: as \`PASSTHROUGH\`, so the shopper acts on the pages.
4. For a charge, the scenario with a step \`charge\` that a magic value selected when its payer gave the mandate: as \`PASSTHROUGH\`.
5. Otherwise the provider responds and the shopper decides.

A scenario selected by a magic value applies to every later call on the payment. A magic code without a scenario is declined
with an explanation; a magic amount without one is an ordinary amount, and the journal says so. A fault armed over \`/control\` is independent of this list: it is triggered whatever the outcome would be.

A step is that of one call: finalize and charge with \`autoCapture\`, the default, capture without one, so a step \`capture\` needs a payment
with \`autoCapture: false\`, which IRIS refuses on an account without the capability \`laterCapture\`.

\`\`\`
${MOCK}
\`\`\`

The journal of the organization shows for every call which mock matched, or the first difference of each that did not.

## Writing your own

\`\`\`yaml
${OWN}
\`\`\`

Put files like this into a folder and start with \`--scenarios ./my-scenarios\` (\`ASSAY_SCENARIOS\`); for a container, mount
the folder. With the first line, editors complete and check every member; without a simulator the schema is in
\`scenarios/scenario.schema.json\`. Your scenario replaces a built-in one of the same name. Magic numbers from \`9000\` on
are reserved for you. \`assay scenarios ./my-scenarios\` (or \`npm run scenarios -- ./my-scenarios\`) reports each error with its
position and a correction; a start with an error in a file fails at once.

Durations are ISO 8601, in days, hours, minutes and seconds (\`PT2S\`, \`P1D\`). \`code\` is a provider's code and \`decline\` one of our names for declines without a code, both in
[errors.md](errors.md); the kinds of \`fault\` are in [faults.md](faults.md).

## Built-in scenarios

\`GET /control/scenarios\` returns all of them with every detail, \`GET /control/scenarios/{name}\` one.

${sections().join('\n\n')}
`

const sections = (): string[] =>
  readdirSync(BUILT_IN_FOLDER)
    .filter(name => name.endsWith('.yaml'))
    .sort()
    .map(name => {
      const text = readFileSync(join(BUILT_IN_FOLDER, name), 'utf8')
      const [, about = ''] = /^# (?!yaml-language-server)(.*)$/m.exec(text) ?? []
      const rows = parseScenarioFile(name, text).entries.map(({ entry }) => row(toScenario(entry)))
      const head = ['Name', 'BLIK code', 'Amount', 'What happens']
      return `### ${basename(name, '.yaml')}\n\n${about}\n\n${table(head, rows)}`
    })

const row = (scenario: Scenario): string[] => {
  const { name, title, providers } = scenario
  const { blikCode, amount } = toMagicValues(scenario) ?? {}
  const only = providers.length < PROVIDER_IDS.length ? ` (${providers.join(', ')})` : ''
  return [
    code(name),
    blikCode === undefined ? '' : code(blikCode),
    amount === undefined ? '' : code(String(amount)),
    title + only,
  ]
}
