import { CONDUCT_RULES } from '../contracts/conduct/judge.ts'
import { builtInDrills } from '../simulator/scenarios/drills.ts'
import { code, table } from './table.ts'

const drills = builtInDrills()
const drillsFor = (id: string): string =>
  drills
    .filter(({ rules }) => rules.includes(id))
    .map(({ name }) => code(name))
    .join(', ')

/** docs/conduct.md: what a merchant's integration is graded by, and what it is put through. */
export const conductPage = (): string => `# Conduct

A sandbox sees everything that a merchant's integration does. So it can grade the merchant as the suites grade a service:
by rules with stable ids, each with the clause that it stands for. A rule **fails** by one breach, **passes** where there
was an occasion and it was kept, and is **not exercised** where nothing gave an occasion: nothing passes unseen.

## Drills

A drill makes one thing go wrong, lets a shopper go through the checkout, and judges what the shop did about it.

\`\`\`sh
npx assay drill --run "npx playwright test checkout" --organization demo-merchant --report reports/drills
\`\`\`

The command goes through your checkout once; it finds \`ASSAY_DRILL\`, \`ASSAY_URL\` and \`ASSAY_ORGANIZATION\` in its
environment. Without \`--run\` you are the shopper: the drill says what to do and waits. \`--passive\` drills nothing and
grades what has been done already. The page *Conduct* of the portal does the same by buttons.

| Exit code | |
| --- | --- |
| 0 | every rule passed |
| 1 | a rule is broken |
| 2 | wrong options |
| 3 | nothing could be measured, or no sandbox answers |
| 5 | some rule was not exercised |

\`report.json\` shows for a broken rule the calls and deliveries that prove it; \`assay certify verify DIR\` checks the
certificate beside it.

${table(
  ['Drill', 'What happens', 'The shopper', 'Judges'],
  drills.map(({ name, title, ask, rules }) => [code(name), title, ask, rules.join(', ')]),
)}

Drills are data, in \`scenarios/drills/\`. They move the clock of the organization and disarm its faults: give a shop that
is drilled an organization of its own.

## Rules

${table(
  ['Rule', 'Clause', 'What it says', 'Why', 'Drills'],
  CONDUCT_RULES.map(({ id, clause, title, why }) => [id, clause, title, why, drillsFor(id) || 'none: rotate a key']),
)}

No drill can change keys for a shop: register a new signing key while the shop runs, go over to it, and look at the grades.

## Over control

\`\`\`sh
curl http://localhost:8080/control/organizations/demo-merchant/conduct
curl -X POST http://localhost:8080/control/organizations/demo-merchant/drills/LOST_INITIATE/begin
curl -X POST http://localhost:8080/control/organizations/demo-merchant/drills/LOST_INITIATE/end \\
  --json '{"since":"2026-01-05T12:00:00.000Z"}'
\`\`\`
`
